import { isKnown } from '../../absence.js';
import { askLayer, type LayerAccess, readLayerVersion } from './arcgis-layer.js';
import { recordParserOf, toRecordRow, type RecordKind } from './parse-record-row.js';
import { parseEpoch, parseEpochDate } from './local-date.js';
import { type Columns, columnsOf, type RecordMapping } from './record-mapping.js';
import { type SourceError, changedWhileRead, unreadable } from '../source-error.js';
import type { PagedSource } from '../source.js';
import { expectList, isObject } from '../upstream/get-json.js';

const pageRows = 1_000;

export interface ArcgisSource<K extends RecordKind> extends LayerAccess {
  readonly delivers: K;
  /** The service's SQL condition; `1=1` for all rows. */
  readonly where: string;
  /** The layer's unique column; pages are ordered by it. */
  readonly orderBy: string;
  readonly mapping: RecordMapping;
}

/** Start of the next page, and the layer's version before the first page. */
interface PageCursor {
  readonly offset: number;
  readonly version: string;
}

/**
 * A layer of an ArcGIS FeatureServer as a source of signals or parcels. Source: ArcGIS REST API, Query (Feature
 * Service/Layer).
 *
 * - The service limits the page size: the last page is the one without `exceededTransferLimit`.
 * - A layer that changes while its pages are read fails the run.
 * - Dates in epoch milliseconds become days of the county; the publication date stays an instant.
 */
export function createArcgisSource<K extends RecordKind>(source: ArcgisSource<K>): PagedSource<K> {
  const { name, licence, delivers, where, mapping, now } = source;
  const columns = [...new Set([source.orderBy, ...columnsOf(mapping)])];

  return {
    name,
    kind: 'arcgis',
    delivers,
    licence,
    countsRows: true,
    async fetchPage(cursor) {
      const { offset, version }: PageCursor =
        cursor === undefined
          ? { offset: 0, version: await readLayerVersion(source, where) }
          : (JSON.parse(cursor) as PageCursor);
      const page = await askLayer(source, '/query', {
        where,
        outFields: columns.join(','),
        orderByFields: `${source.orderBy} ASC`,
        returnGeometry: 'false',
        resultOffset: `${offset}`,
        resultRecordCount: `${pageRows}`,
      });
      const features = expectList(page.features, `The rows of ${name}`);
      const dates = checkFields(page.fields, features[0], columns, name);
      const isLast = page.exceededTransferLimit !== true;
      if (!isLast && features.length === 0) throw stuck(name);
      // A single page has one version by definition.
      if (isLast && cursor !== undefined && version !== (await readLayerVersion(source, where)))
        throw changedWhileRead(`The layer of ${name} changed`);
      const rows = features.map((feature, index) => {
        const attributes = isObject(feature) ? feature.attributes : undefined;
        const row = isObject(attributes) ? withDates(attributes, dates, mapping) : undefined;
        return toRecordRow(row, `${source.layer}:${offset + index}`, mapping);
      });
      return {
        rows,
        nextCursor: isLast
          ? undefined
          : JSON.stringify({ offset: offset + features.length, version } satisfies PageCursor),
        fetchedAt: now(),
        sourceUrl: `${source.baseUrl}/${source.layer}/query`,
      };
    },
    parse: recordParserOf(delivers, mapping),
  };
}

/** The date columns of a page. Rejects a page that lacks a column, so that a renamed column is not read as empty. */
function checkFields(fields: unknown, first: unknown, columns: readonly string[], name: string): ReadonlySet<string> {
  const described = expectList(fields, `The columns of ${name}`).filter(isObject);
  const attributes = isObject(first) && isObject(first.attributes) ? first.attributes : {};
  const present = new Set([...described.map((field) => field.name), ...Object.keys(attributes)]);
  const missing = columns.filter((column) => !present.has(column)).slice(0, 5);
  if (missing.length > 0) {
    const list = missing.map((column) => JSON.stringify(column)).join(', ');
    throw unreadable(`The layer of ${name} lacks ${list}. Correct the mapping.`);
  }
  return new Set(described.filter(({ type }) => type === 'esriFieldTypeDate').map((field) => String(field.name)));
}

function withDates(row: Columns, dates: ReadonlySet<string>, { columns, countyFips }: RecordMapping): Columns {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (!dates.has(column) || typeof value !== 'number') return [column, value];
      const date = column === columns.publishedAt ? parseEpoch(value) : parseEpochDate(value, countyFips);
      return [column, isKnown(date) ? date.value : value];
    }),
  );
}

function stuck(name: string): SourceError {
  return unreadable(`The service of ${name} announces more rows but returns none. The next run tries again.`);
}
