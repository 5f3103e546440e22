import { plainText } from '../plain-text.js';
import { isRow, type Row } from '../wire/records.js';
import { chosenColumns, type ChosenColumn } from './chosen-columns.js';

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly isNumeric: boolean;
  /** True for a text that is never cut. */
  readonly isWhole?: boolean;
  /** Dropped first when the table is too wide. */
  readonly isOptional: boolean;
}

/** The columns for the records: chosen ones for records of the feeds, every plain field for anything else. */
export function chooseColumns(rows: readonly Row[]): readonly Column[] {
  const [first = {}] = rows;
  const kind = chosenColumns.find(({ knownBy }) => knownBy.every((field) => field in first));
  if (kind !== undefined) return kind.columns.filter(({ field }) => rows.some((row) => field in row)).map(toColumn);
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return fields
    .filter((field) => rows.every((row) => !isNested(row[field])))
    .map((field) => ({
      title: plainText(field),
      cell: (row) => plainCell(row[field]),
      isNumeric: rows.every((row) => row[field] === null || typeof row[field] === 'number'),
      isOptional: false,
    }));
}

function toColumn({ field, title, format, isText, isWhole, isOptional }: ChosenColumn): Column {
  return {
    title,
    cell: (row) => {
      const text = plainCell(row[field]);
      return text === absent || format === undefined ? text : format(text);
    },
    isNumeric: isText !== true,
    isWhole: isWhole === true,
    isOptional: isOptional === true,
  };
}

const absent = '-';

function plainCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return absent;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isNested(value: unknown): boolean {
  return isRow(value) || Array.isArray(value);
}
