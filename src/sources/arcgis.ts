import { recordParserOf, toRecordRow, type RecordKind } from './county-table.js';
import { isObject, expectList, expectObject, getJson } from './upstream/get-json.js';
import { isKnown } from '../absence.js';
import { parseEpochDate } from './local-date.js';
import { columnsOf, type RecordMapping } from './record-mapping.js';
import { accessOf, type SourceAccess } from './source-access.js';
import { SourceError } from './source-error.js';
import type { Source } from './source.js';

const pageRows = 1_000;

export interface ArcgisSource<K extends RecordKind> extends SourceAccess {
  readonly delivers: K;
  /** Path of the layer below the base address, such as `services/x/FeatureServer/0`. */
  readonly layer: string;
  /** SQL condition of the service; `1=1` for all rows. */
  readonly where: string;
  /** The layer's unique column; the pages stand in its order. */
  readonly orderBy: string;
  readonly mapping: RecordMapping;
}

/**
 * A layer of an ArcGIS FeatureServer as a source of signals or parcels. Errors come inside status 200, and the service
 * decides how many rows it gives at once: a page is the last one when it does not say `exceededTransferLimit`. Dates in
 * epoch milliseconds become days of the county. Source: ArcGIS REST API, Query (Feature Service/Layer).
 */
export function createArcgisSource<K extends RecordKind>(source: ArcgisSource<K>): Source<K> {
  const { name, licence, delivers, mapping, upstream, now } = source;
  const url = `${source.baseUrl}/${source.layer}/query`;
  const columns = [...new Set([source.orderBy, ...columnsOf(mapping)])];

  return {
    name,
    kind: 'arcgis',
    delivers,
    licence,
    async fetchPage(cursor) {
      const offset = cursor === undefined ? 0 : Number(cursor);
      const parameters = new URLSearchParams({
        where: source.where,
        outFields: columns.join(','),
        orderByFields: `${source.orderBy} ASC`,
        returnGeometry: 'false',
        resultOffset: `${offset}`,
        resultRecordCount: `${pageRows}`,
        f: 'json',
      });
      const request = { ...accessOf(source), url: `${url}?${parameters.toString()}`, findPassingFault };
      const page = expectObject((await getJson(upstream, request)).body, `The page of ${name}`);
      refuseErrorBody(page, name);
      const features = expectList(page.features, `The rows of ${name}`);
      const dates = checkFields(page.fields, features[0], columns, name);
      if (page.exceededTransferLimit === true && features.length === 0) throw stuck(name);
      const rows = features.map((feature, index) => {
        const attributes = isObject(feature) ? feature.attributes : undefined;
        const row = isObject(attributes) ? withLocalDates(attributes, dates, mapping.timeZone) : undefined;
        return toRecordRow(row, `${source.layer}:${offset + index}`, mapping);
      });
      return {
        rows,
        nextCursor: page.exceededTransferLimit === true ? `${offset + features.length}` : undefined,
        fetchedAt: now(),
        sourceUrl: url,
      };
    },
    parse: recordParserOf(delivers, mapping),
  };
}

/** What passes by itself is asked again, like the same status on the outside. */
function findPassingFault(body: unknown): string | undefined {
  const code = errorCodeOf(body);
  return code !== undefined && (code === 429 || code >= 500) && code < 600 ? `it answers error ${code}` : undefined;
}

function refuseErrorBody(page: Readonly<Record<string, unknown>>, name: string): void {
  const code = errorCodeOf(page);
  if (code === undefined) return;
  const advice =
    code === 498 || code === 499
      ? 'The layer wants a token; it is not public.'
      : 'Correct the layer, the condition and the columns in the configuration.';
  throw new SourceError(
    'upstream_refused',
    `The service of ${name} answers error ${code} inside status 200. ${advice}`,
  );
}

function errorCodeOf(body: unknown): number | undefined {
  const error = isObject(body) ? body.error : undefined;
  return isObject(error) ? Number(error.code) : undefined;
}

/** The date columns of a page; refuses one that lacks a column, so that a renamed column is no column of nothing. */
function checkFields(fields: unknown, first: unknown, columns: readonly string[], name: string): ReadonlySet<string> {
  const described = expectList(fields, `The columns of ${name}`).filter(isObject);
  const attributes = isObject(first) && isObject(first.attributes) ? first.attributes : {};
  const present = new Set([...described.map((field) => field.name), ...Object.keys(attributes)]);
  const missing = columns.filter((column) => !present.has(column)).slice(0, 5);
  if (missing.length > 0) {
    const list = missing.map((column) => JSON.stringify(column)).join(', ');
    throw new SourceError('delivery_unreadable', `The layer of ${name} lacks ${list}. Correct the mapping.`);
  }
  return new Set(described.filter(({ type }) => type === 'esriFieldTypeDate').map((field) => String(field.name)));
}

function withLocalDates(row: Readonly<Record<string, unknown>>, dates: ReadonlySet<string>, timeZone: string) {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (!dates.has(column) || typeof value !== 'number') return [column, value];
      const day = parseEpochDate(value, timeZone);
      return [column, isKnown(day) ? day.value : value];
    }),
  );
}

function stuck(name: string): SourceError {
  return new SourceError(
    'delivery_unreadable',
    `The service of ${name} says there is more and gives nothing. The next run tries again.`,
  );
}
