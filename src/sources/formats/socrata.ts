import { recordParserOf, toRecordRow, type RecordKind } from './county-table.js';
import { digestOf } from '../read/digest-of.js';
import { columnsOf, type RecordMapping } from './record-mapping.js';
import { joinParcels, type ParcelJoin } from './socrata/join-parcels.js';
import { type SodaQuery, querySoda } from './socrata/query-soda.js';
import { accessOf, type SourceAccess } from '../source-access.js';
import { SourceError } from '../source-error.js';
import type { Source } from '../source.js';

const pageRows = 1_000;
/** Raised when rows are read in another way than before: an unchanged table is then read again. */
const readerVersion = 1;

export interface SocrataSource<K extends RecordKind> extends SourceAccess {
  readonly delivers: K;
  /** The dataset's four-by-four id, such as `55ju-2fs9`. */
  readonly dataset: string;
  /** SoQL condition; undefined for all rows. */
  readonly where: string | undefined;
  readonly mapping: RecordMapping;
  /** A second dataset that says whose a parcel is and where it lies. */
  readonly join: ParcelJoin | undefined;
}

/** Where the next page starts, and the version of the table that the pages before were of. */
interface Place {
  readonly offset: number;
  readonly version: string | undefined;
}

/**
 * A dataset of the Socrata Open Data API as a source of signals or parcels. Pages stand in the order of `:id`, the only
 * one that is stable; a table that changes while it is read fails the run. The mapped columns are asked for by name, so
 * a column that was renamed is an error and not a column of nothing. A 202 is asked again. Source: SODA 2.1.
 */
export function createSocrataSource<K extends RecordKind>(source: SocrataSource<K>): Source<K> {
  const { name, licence, delivers, mapping, join, now } = source;
  const url = `${source.baseUrl}/resource/${source.dataset}.json`;
  const own = columnsOf(mapping).filter((column) => !join?.columns.includes(column));
  const ask = (query: SodaQuery) =>
    querySoda(source.upstream, {
      ...query,
      request: {
        ...accessOf(source),
        ...(source.secret !== undefined && { credentials: { 'x-app-token': source.secret } }),
      },
    });
  const prefix = `${readerVersion}-${digestOf([url, source.where, mapping, join])}-`;

  return {
    name,
    kind: 'socrata',
    delivers,
    licence,
    countsRows: true,
    async fetchPage(cursor, _watermark, knownEtag) {
      const place: Place = cursor === undefined ? { offset: 0, version: undefined } : (JSON.parse(cursor) as Place);
      // Of a joined table nothing says whether both parts are the same.
      const knownVersion =
        cursor === undefined && join === undefined && knownEtag?.startsWith(prefix) === true
          ? knownEtag.slice(prefix.length)
          : undefined;
      const { rows, version } = await ask({
        url,
        select: own,
        where: source.where,
        order: ':id',
        limit: pageRows,
        offset: place.offset,
        knownVersion,
      });
      if (cursor !== undefined && version !== place.version) throw changed(name);
      const etag = version === undefined || join !== undefined ? undefined : prefix + version;
      const base = { fetchedAt: now(), sourceUrl: url, ...(etag !== undefined && { etag }) };
      if (rows === undefined) return { ...base, rows: [], nextCursor: undefined };
      const joined = join === undefined ? rows : await joinParcels(rows, mapping, join, source.baseUrl, ask);
      const next: Place = { offset: place.offset + rows.length, version };
      return {
        ...base,
        rows: joined.map((row, index) => toRecordRow(row, `${source.dataset}:${place.offset + index}`, mapping)),
        nextCursor: rows.length < pageRows ? undefined : JSON.stringify(next),
      };
    },
    parse: recordParserOf(delivers, mapping),
  };
}

function changed(name: string): SourceError {
  return new SourceError(
    'delivery_changed',
    `The table of ${name} changed while it was being read. Nothing is retired; the next run reads it whole.`,
  );
}
