import { absent, isKnown, type Maybe } from '../../absence.js';
import type { Point } from '../../places/metros/zip-centroids.js';
import { parsePoint } from '../values/places.js';
import { parseFlag, parseIdentifier, parseLine, textOf } from '../values/text.js';
import type { NoteValue, RowReject } from '../source.js';

/** Degrees on the map in two columns, or a column with a point; of a layer of ArcGIS its geometry, by any name. */
const mapFields = ['latitude', 'longitude', 'location'] as const;

/** Fields of a public record to which a source's columns may be mapped. */
export const recordFields = [
  'parcelId',
  'ownerName',
  'amount',
  'address',
  'city',
  'zip',
  ...mapFields,
  'yearsOwed',
  'taxSaleDate',
  'assessedValue',
  'listYear',
  'publishedAt',
] as const;
export type RecordField = (typeof recordFields)[number];

/** The same of a sheriff's sale. */
export const saleFields = [
  ...(['saleDate', 'address', 'city', 'zip', 'parcelId', 'appraisedValue', 'openingBid', 'judgmentAmount'] as const),
  ...mapFields,
  ...(['depositRequirement', 'plaintiff', 'defendant', 'attorney', 'caseNumber', 'caseStatus', 'saleStatus'] as const),
] as const;
export type SaleField = (typeof saleFields)[number];
export type CountyField = RecordField | SaleField;

/** How to read the rows of a county's table: the county, the columns, and constants of all rows. */
export interface RecordMapping {
  /** Five-digit FIPS code. */
  readonly countyFips: string;
  readonly state: string;
  /** Letters and digits of the county's parcel numbers, where declared: a shorter one lost some. */
  readonly parcelLength?: number | undefined;
  /** Columns whose values together form the row's key. */
  readonly key: readonly string[];
  readonly columns: Readonly<Partial<Record<CountyField, string | undefined>>>;
  /** Values of every row, such as the city in a city's own table. */
  readonly constants: Readonly<Partial<Record<CountyField, string | undefined>>>;
  /** Columns that must say yes (true) or no (false); other rows are `not_relevant`. */
  readonly flags: Readonly<Record<string, boolean>>;
  /** URL of the public record; `{column}` is replaced by the row's value. */
  readonly recordUrl: string;
}

export type Columns = Readonly<Record<string, unknown>>;

/** Every column that the mapping reads, without repeats. */
export function columnsOf({ key, columns, flags, recordUrl }: RecordMapping): readonly string[] {
  const named = [...recordUrl.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  return [
    ...new Set([...key, ...Object.values(columns).flatMap((column) => column ?? []), ...Object.keys(flags), ...named]),
  ];
}

/** The row's key; undefined when a part of it is missing. */
export function readRecordKey(row: Columns, mapping: RecordMapping): string | undefined {
  const parts = mapping.key.map((column) => {
    const text = textOf(valueAt(row, column));
    return isKnown(text) ? parseIdentifier(text.value, 200) : text;
  });
  const text = parts.map((part) => (isKnown(part) ? part.value : '')).join('/');
  return parts.every(isKnown) && isKnown(parseLine(text, 200)) ? text : undefined;
}

/** Parses one field; `not_published_by_source` when neither a column nor a constant is mapped to it. */
export function readField<T>(
  row: Columns,
  { columns, constants }: RecordMapping,
  field: CountyField,
  parse: (text: string) => Maybe<T>,
  note: NoteValue = () => {},
): Maybe<T> {
  const [column, constant] = [columns[field], constants[field]];
  if (column === undefined) return constant === undefined ? absent('not_published_by_source') : parse(constant);
  const stated = valueAt(row, column);
  const text = textOf(stated);
  const value = isKnown(text) ? parse(text.value) : text;
  note(field, value, stated);
  return isKnown(text) || constant === undefined ? value : parse(constant);
}

/** Where a row says that it lies. */
export function readLocation(row: Columns, { columns }: RecordMapping): { readonly location?: Point } {
  const [north, east, point] = mapFields.map((field) => valueAt(row, columns[field] ?? ''));
  const location = parsePoint(point, [north, east]);
  return location === undefined ? {} : { location };
}

/** Rejects a row whose flags differ from the mapping, or are not yes or no. */
export function refuseByFlags(row: Columns, key: string, { flags }: RecordMapping): RowReject | undefined {
  for (const [column, wanted] of Object.entries(flags)) {
    const text = textOf(valueAt(row, column));
    const flag = isKnown(text) ? parseFlag(text.value) : undefined;
    if (flag === undefined) return { reject: 'invalid_value', key, detail: `${column}: yes or no is expected.` };
    if (flag !== wanted)
      return { reject: 'not_relevant', key, detail: `${column}: the row is not one of the requested ones.` };
  }
  return undefined;
}

/** URL of the row's public record. */
export function recordUrlOf(row: Columns, { recordUrl }: RecordMapping): string {
  return recordUrl.replace(/\{([^{}]+)\}/g, (_, column: string) => {
    const text = textOf(valueAt(row, column));
    return isKnown(text) ? encodeURIComponent(text.value) : '';
  });
}

function valueAt(row: Columns, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}
