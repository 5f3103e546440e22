import { SourceError } from '../source-error.js';

/** Rows of JSON leave out what they do not state; so many in a row do not leave out a column that is still there. */
const minRowsOfJson = 10;

/** Rows by the names of their columns or labels, and what they must have. */
export interface ExpectedColumns {
  /** Of the source. */
  readonly name: string;
  readonly rows: readonly object[];
  /** Each by the names that it may have; one of them will do. */
  readonly columns: readonly (readonly string[])[];
  /** Fewer rows than this prove nothing. Default 10. */
  readonly minRows?: number;
}

/**
 * Asserts that each column is named by at least one of the rows: one that none of them names was renamed or moved, and
 * its values must not be taken for not stated. A row that lacks a column beside others that have it is that row's own
 * matter.
 */
export function expectColumns({ name, rows, columns, minRows = minRowsOfJson }: ExpectedColumns): void {
  if (rows.length < minRows) return;
  const missing = columns.find((names) => !rows.some((row) => names.some((column) => Object.hasOwn(row, column))));
  if (missing === undefined) return;
  const wanted = missing.map((column) => JSON.stringify(column)).join(' or ');
  throw new SourceError(
    'delivery_unreadable',
    `None of the ${rows.length} rows on a page of ${name} has ${wanted}. It was renamed or moved; nothing is retired.`,
  );
}
