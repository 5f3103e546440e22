import { isKnown } from '../../absence.js';
import { askLayer, countRows, type LayerAccess, readLayerVersion } from './arcgis-layer.js';
import { recordParserOf, toRecordRow, type RecordKind } from './parse-record-row.js';
import { parseEpoch, parseEpochDate } from './local-date.js';
import { type Columns, columnsOf, type RecordMapping } from './record-mapping.js';
import { changedWhileRead, SourceError, unreadable } from '../source-error.js';
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

/** Start of the next page, and what was known of the layer before the first one. */
interface PageCursor {
  readonly offset: number;
  readonly version: string;
  /** Undefined where the service does not count. */
  readonly count: number | undefined;
  /** How many different rows came so far. */
  readonly distinct: number;
  /** The greatest object id of these, where ids are numbers. */
  readonly last: number | undefined;
}

/**
 * A layer of an ArcGIS FeatureServer as a source of signals or parcels. Source: ArcGIS REST API, Query (Feature
 * Service/Layer).
 *
 * - The layer's own count says how many different rows there are. Neither a short page nor `exceededTransferLimit` ends
 *   or prolongs the reading: servers cap pages, and set the flag, as they like.
 * - Where the service does not count, the last page is the one without that flag, and the operator is told.
 * - A layer that changes while its pages are read fails the run, and so does one with fewer rows than it counts.
 * - A column that is mapped to the location is the geometry of the feature, in degrees.
 * - Dates in epoch milliseconds become days of the county; the publication date stays an instant.
 */
export function createArcgisSource<K extends RecordKind>(source: ArcgisSource<K>): PagedSource<K> {
  const { name, licence, delivers, where, mapping, now } = source;
  const { location } = mapping.columns;
  const columns = [...new Set([source.orderBy, ...columnsOf(mapping)])].filter((column) => column !== location);

  async function begin(): Promise<PageCursor> {
    const version = await readLayerVersion(source, where);
    return { offset: 0, version, count: await countRows(source, where), distinct: 0, last: undefined };
  }

  function askPage(offset: number) {
    return askLayer(source, '/query', {
      where,
      outFields: columns.join(','),
      orderByFields: `${source.orderBy} ASC`,
      ...(location === undefined ? { returnGeometry: 'false' } : { returnGeometry: 'true', outSR: '4326' }),
      resultOffset: `${offset}`,
      resultRecordCount: `${pageRows}`,
    });
  }

  const featuresOf = (page: Readonly<Record<string, unknown>>) => expectList(page.features, `The rows of ${name}`);

  return {
    name,
    kind: 'arcgis',
    delivers,
    licence,
    countsRows: true,
    async fetchPage(cursor) {
      const place = cursor === undefined ? await begin() : (JSON.parse(cursor) as PageCursor);
      const { offset, version, count } = place;
      let page = await askPage(offset);
      const isShort = count !== undefined && place.distinct < count;
      if (isShort && featuresOf(page).length === 0) page = await askPage(offset);
      const features = featuresOf(page);
      const rows = features.map((feature) => {
        if (!isObject(feature) || !isObject(feature.attributes)) return undefined;
        return location === undefined ? feature.attributes : { ...feature.attributes, [location]: feature.geometry };
      });
      const dates = checkFields(page.fields, rows[0], columns, name);
      const next = placeAfter(place, rows, source.orderBy);
      const hasMore = count === undefined ? page.exceededTransferLimit === true : next.distinct < count;
      const isEnd = !hasMore || features.length === 0;
      // A single page has one version by definition.
      if (isEnd && (hasMore || cursor !== undefined) && version !== (await readLayerVersion(source, where)))
        throw changedWhileRead(`The layer of ${name} changed`);
      if (isEnd && hasMore) throw count === undefined ? stuck(name) : falseCount(name, next.distinct, count);
      return {
        rows: rows.map((row, index) => {
          const read = isObject(row) ? withDates(row, dates, mapping) : undefined;
          return toRecordRow(read, `${source.layer}:${offset + index}`, mapping);
        }),
        nextCursor: isEnd ? undefined : JSON.stringify(next),
        fetchedAt: now(),
        sourceUrl: `${source.baseUrl}/${source.layer}/query`,
        ...(count === undefined && { problem: uncounted }),
      };
    },
    parse: recordParserOf(delivers, mapping),
  };
}

/** In a page that is in the order of its ids, one that is not greater than the last came before. */
function placeAfter(place: PageCursor, rows: readonly unknown[], orderBy: string): PageCursor {
  const ids = [...new Set(rows.map((row) => (isObject(row) ? row[orderBy] : undefined)))];
  const numbers = ids.filter((id) => typeof id === 'number');
  const isOrdered =
    numbers.length === ids.length && numbers.every((id, at) => at === 0 || id > (numbers[at - 1] ?? id));
  const fresh = isOrdered ? numbers.filter((id) => id > (place.last ?? -Infinity)) : ids;
  return {
    ...place,
    offset: place.offset + rows.length,
    distinct: place.distinct + fresh.length,
    last: isOrdered ? (numbers.at(-1) ?? place.last) : undefined,
  };
}

/** The date columns of a page. Rejects a page that lacks a column, so that a renamed column is not read as empty. */
function checkFields(fields: unknown, first: unknown, columns: readonly string[], name: string): ReadonlySet<string> {
  const described = expectList(fields, `The columns of ${name}`).filter(isObject);
  const attributes = isObject(first) ? first : {};
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

const uncounted =
  'count_unverified: the service does not count its rows, so that nothing proves that all of them came.';

function falseCount(name: string, came: number, count: number): SourceError {
  return new SourceError(
    'count_mismatch',
    `Only ${came} of the ${count} rows that the service of ${name} counts came. Nothing is retired; the next run tries again.`,
  );
}
