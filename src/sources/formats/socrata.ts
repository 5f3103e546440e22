import { recordParserOf, toRecordRow, type RecordKind } from './parse-record-row.js';
import { digestOf } from '../read/digest-of.js';
import { columnsOf, type RecordMapping } from './record-mapping.js';
import { joinParcels, type ParcelJoin, type SodaQuery, querySoda } from './socrata/query-soda.js';
import { accessOf, type SourceAccess } from '../source-access.js';
import { changedWhileRead } from '../source-error.js';
import type { PagedSource } from '../source.js';

const pageRows = 1_000;
/** Increased when rows are parsed differently, so that an unchanged table is read again. */
const readerVersion = 1;

export interface SocrataSource<K extends RecordKind> extends SourceAccess {
  readonly delivers: K;
  /** The dataset's four-by-four id, such as `55ju-2fs9`. */
  readonly dataset: string;
  /** SoQL condition. Default: all rows. */
  readonly where?: string | undefined;
  readonly mapping: RecordMapping;
  /** A second dataset with the owner and address of a parcel. */
  readonly join?: ParcelJoin | undefined;
}

/** Start of the next page, and the table version of the previous pages. */
interface Place {
  readonly offset: number;
  readonly version: string | undefined;
}

/**
 * A dataset of the Socrata Open Data API as a source of signals or parcels. Pages are ordered by `:id`, the only stable
 * order. A table that changes during the reading fails the run. Columns are requested by name, so that a renamed column
 * is an error, not empty. A 202 is retried. Source: SODA 2.1.
 */
export function createSocrataSource<K extends RecordKind>(source: SocrataSource<K>): PagedSource<K> {
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
      // Nothing says whether both parts of a joined table are unchanged.
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
      if (cursor !== undefined && version !== place.version) throw changedWhileRead(`The table of ${name} changed`);
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
