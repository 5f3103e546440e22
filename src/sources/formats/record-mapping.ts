import { absent, isKnown, type Maybe } from '../../absence.js';
import { parseFlag, parseIdentifier, parseLine, textOf } from './field-values.js';
import type { RowReject } from '../source.js';

/** Every field of a public record that a source's columns may be mapped to. */
export const recordFields = [
  'parcelId',
  'ownerName',
  'amount',
  'address',
  'city',
  'zip',
  'yearsOwed',
  'taxSaleDate',
  'assessedValue',
  'listYear',
  'publishedAt',
] as const;
export type RecordField = (typeof recordFields)[number];

/** How the rows of a county's table are read: which county, which columns, what is the same for all rows. */
export interface RecordMapping {
  /** Five-digit FIPS code. */
  readonly countyFips: string;
  readonly state: string;
  /** Columns whose values together are the row's own key. */
  readonly key: readonly string[];
  readonly columns: Readonly<Partial<Record<RecordField, string>>>;
  /** Values that hold for every row, such as the city of a city's own table. */
  readonly constants: Readonly<Partial<Record<RecordField, string>>>;
  /** Columns that must say yes (true) or no (false); other rows are not relevant. */
  readonly flags: Readonly<Record<string, boolean>>;
  /** The public record's own address; `{column}` is replaced by the row's value. */
  readonly recordUrl: string;
}

export type Columns = Readonly<Record<string, unknown>>;

/** Every column that the mapping reads, each once. */
export function columnsOf({ key, columns, flags, recordUrl }: RecordMapping): readonly string[] {
  const named = [...recordUrl.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  return [...new Set([...key, ...Object.values(columns), ...Object.keys(flags), ...named])];
}

/** The row's own key; undefined when a part of it is missing. */
export function readRecordKey(row: Columns, mapping: RecordMapping): string | undefined {
  const parts = mapping.key.map((column) => {
    const text = textOf(valueAt(row, column));
    return isKnown(text) ? parseIdentifier(text.value, 200) : text;
  });
  const text = parts.map((part) => (isKnown(part) ? part.value : '')).join('/');
  return parts.every(isKnown) && isKnown(parseLine(text, 200)) ? text : undefined;
}

/**
 * Reads one field by `parse`: absent `not_published_by_source` where neither a column nor a constant is mapped to it.
 */
export function readField<T>(
  row: Columns,
  { columns, constants }: RecordMapping,
  field: RecordField,
  parse: (text: string) => Maybe<T>,
): Maybe<T> {
  const [column, constant] = [columns[field], constants[field]];
  if (column === undefined) return constant === undefined ? absent('not_published_by_source') : parse(constant);
  const text = textOf(valueAt(row, column));
  if (isKnown(text)) return parse(text.value);
  return constant === undefined ? text : parse(constant);
}

/** Refuses a row whose flags are not as the mapping wants them, or cannot be read as yes or no. */
export function refuseByFlags(row: Columns, key: string, { flags }: RecordMapping): RowReject | undefined {
  for (const [column, wanted] of Object.entries(flags)) {
    const text = textOf(valueAt(row, column));
    const flag = isKnown(text) ? parseFlag(text.value) : undefined;
    if (flag === undefined) return { reject: 'invalid_value', key, detail: `${column}: yes or no is expected.` };
    if (flag !== wanted)
      return { reject: 'not_relevant', key, detail: `${column}: the row is not of those asked for.` };
  }
  return undefined;
}

/** The address of the row's public record. */
export function recordUrlOf(row: Columns, { recordUrl }: RecordMapping): string {
  return recordUrl.replace(/\{([^{}]+)\}/g, (_, column: string) => {
    const text = textOf(valueAt(row, column));
    return isKnown(text) ? encodeURIComponent(text.value) : '';
  });
}

function valueAt(row: Columns, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}
