import { closest } from 'fastest-levenshtein';
import { unreadable } from '../source-error.js';

/** A header without its case and blanks: `List  Price` is the column `listprice`. */
function plainName(column: string): string {
  return column.toLowerCase().replace(/\s+/g, '');
}

/** The columns that are read, by the names that a mapping gives them. */
export interface WantedColumns {
  readonly mapped: readonly string[];
  /** Those without which nothing can be read. */
  readonly required: readonly string[];
}

/** How the columns of a file are called by the mapping: as they are, but for case and blanks. */
export type NamedColumns = ReadonlyMap<string, string>;

/** Finds the mapped columns among those of a file. Where one is spelled as mapped, none that is only like it counts. */
export function nameColumns(columns: Iterable<string>, mapped: readonly string[]): NamedColumns {
  const written = new Set(columns);
  const named = [...written].flatMap((column): [string, string][] => {
    const isMeant = (name: string) => !written.has(name) && plainName(name) === plainName(column);
    const name = mapped.includes(column) ? column : mapped.find(isMeant);
    return name === undefined ? [] : [[column, name]];
  });
  return new Map(named);
}

/** A row under the names of the mapping. Columns that it does not read stay as they are. */
export function renameColumns(row: Readonly<Record<string, unknown>>, names: NamedColumns) {
  const isNamed = Object.keys(row).every((column) => (names.get(column) ?? column) === column);
  if (isNamed) return row;
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [names.get(column) ?? column, value]));
}

/** A column in quotes, with the one of `columns` that is written most alike. */
export function withNearest(name: string, columns: readonly string[]): string {
  if (columns.length === 0) return JSON.stringify(name);
  return `${JSON.stringify(name)} (the nearest is ${JSON.stringify(closest(name, [...columns]))})`;
}

/** A header line that was found, and what comes before it. */
export interface FoundHeader {
  /** As the mapping names them; '' for one without a name. */
  readonly columns: readonly string[];
  /** The file's own names. */
  readonly written: readonly string[];
}

/** So many mapped columns make a line a header; above it may stand titles and `sep=`. */
const minMatches = 3;

/** How many mapped columns a line names. */
export function countMapped(fields: readonly string[], { mapped }: WantedColumns): number {
  return nameColumns(fields.map(trim), mapped).size;
}

/** True for a line that names three mapped columns, or all of them. */
export function isHeader(fields: readonly string[], wanted: WantedColumns): boolean {
  return countMapped(fields, wanted) >= Math.min(minMatches, new Set(wanted.mapped).size);
}

/**
 * Reads a header line. Empty columns at its end are dropped.
 *
 * @throws SourceError `delivery_unreadable` when it lacks a required column, or names a mapped one twice
 */
export function readHeader(fields: readonly string[], wanted: WantedColumns): FoundHeader {
  const all = fields.map(trim);
  const written = all.slice(0, all.findLastIndex((name) => name !== '') + 1);
  const names = nameColumns(written, wanted.mapped);
  const columns = written.map((column) => names.get(column) ?? column);
  const missing = wanted.required.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw lacksColumns(missing, written);
  const repeated = wanted.mapped.find((name) => columns.indexOf(name) !== columns.lastIndexOf(name));
  if (repeated === undefined) return { columns, written };
  throw unreadable(`The header line names ${JSON.stringify(repeated)} twice. Name each mapped column once.`);
}

function lacksColumns(missing: readonly string[], written: readonly string[]) {
  const names = missing.slice(0, 5).map((name) => withNearest(name, written));
  return unreadable(
    `The header line lacks ${names.join(', ')}. Deliver UTF-8 CSV with these columns, or correct the mapping.`,
  );
}

function trim(name: string): string {
  return name.trim();
}
