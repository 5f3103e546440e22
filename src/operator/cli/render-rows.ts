import { isFormula } from '../../wire/is-formula.js';

type Rows = readonly (readonly string[])[];

/** Rows as a table for a terminal. The first row has the column names; numbers are right-aligned. */
export function renderTable([names = [], ...rows]: Rows): string {
  const columns = names.map((name, column) => {
    const cells = rows.map((row) => row[column] ?? '');
    const isNumeric = cells.length > 0 && cells.every((cell) => /^-?\d+(\.\d+)?$/.test(cell));
    const width = Math.max(name.length, ...cells.map(({ length }) => length));
    const align = (cell: string): string => (isNumeric ? cell.padStart(width) : cell.padEnd(width));
    return [name.toUpperCase(), ...cells].map(align);
  });
  return [names, ...rows]
    .map(
      (_, line) =>
        `${columns
          .map((cells) => cells[line])
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** Rows with many columns, each as a block of lines `name  value`. Empty values are omitted. */
export function renderBlocks([names = [], ...rows]: Rows): string {
  const width = Math.max(0, ...names.map(({ length }) => length));
  const block = (row: readonly string[]): string =>
    names.map((name, column) => (row[column] ? `${name.padEnd(width)}  ${row[column]}\n` : '')).join('');
  return rows.map(block).join('\n');
}

/** Rows as CSV (RFC 4180). A text that a spreadsheet would run gets a leading `'`. */
export function renderCsv(rows: Rows): string {
  const guard = (cell: string): string => (isFormula(cell, cell) ? `'${cell}` : cell);
  const quote = (cell: string): string => {
    const text = guard(cell);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(quote).join(',')}\r\n`).join('');
}
