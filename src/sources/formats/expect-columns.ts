import { unreadable } from '../source-error.js';

/** JSON rows omit columns without a value; this many rows in sequence do not all omit a column that still exists. */
const minRowsOfJson = 10;

/** Rows by column or label names, and the required columns. */
export interface ExpectedColumns {
  /** Name of the source. */
  readonly name: string;
  readonly rows: readonly object[];
  /** The possible names of each column; one is enough. */
  readonly columns: readonly (readonly string[])[];
  /** Fewer rows than this are not checked. Default 10. */
  readonly minRows?: number;
}

/**
 * Asserts that at least one row has each column. A column missing from all rows was renamed or moved, and its values
 * must not count as not stated. A column missing only from some rows is those rows' own matter.
 *
 * @throws SourceError `delivery_unreadable`
 */
export function expectColumns({ name, rows, columns, minRows = minRowsOfJson }: ExpectedColumns): void {
  if (rows.length < minRows) return;
  const missing = columns.find((names) => !rows.some((row) => names.some((column) => Object.hasOwn(row, column))));
  if (missing === undefined) return;
  const wanted = missing.map((column) => JSON.stringify(column)).join(' or ');
  throw unreadable(
    `None of the ${rows.length} rows on a page of ${name} has ${wanted}. It was probably renamed or moved; nothing is retired.`,
  );
}
