import { isRow, type Row } from './records.js';

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly isNumeric: boolean;
  /** Left out first when the table is too wide. */
  readonly isOptional: boolean;
}

/** The columns that suit the records: chosen ones for deals, every plain field for anything else. */
export function chooseColumns(rows: readonly Row[]): readonly Column[] {
  const [first] = rows;
  if (first !== undefined && 'deal_score' in first && 'list_price' in first) {
    return dealColumns.filter(({ field }) => field in first).map(toColumn);
  }
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return fields
    .filter((field) => rows.every((row) => !isNested(row[field])))
    .map((field) => ({
      title: field,
      cell: (row) => plainCell(row[field]),
      isNumeric: rows.every((row) => row[field] === null || typeof row[field] === 'number'),
      isOptional: false,
    }));
}

interface DealColumn {
  readonly field: string;
  readonly title: string;
  readonly format?: (text: string) => string;
  readonly isText?: true;
  readonly isOptional?: true;
}

const percent = (text: string) => `${text}%`;
const dollars = (text: string) => `$${text.replace(/\.00$/, '').replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',')}`;

const dealColumns: readonly DealColumn[] = [
  { field: 'address', title: 'Address', isText: true },
  { field: 'city', title: 'City', isText: true },
  { field: 'state', title: 'State', isText: true },
  { field: 'list_price', title: 'Price', format: dollars },
  { field: 'units', title: 'Units' },
  { field: 'cap_rate', title: 'Cap', format: percent },
  { field: 'cap_rate_underwritten', title: 'HUD cap', format: percent, isOptional: true },
  { field: 'dscr', title: 'DSCR', isOptional: true },
  { field: 'deal_score', title: 'Score' },
  { field: 'rental_status', title: 'Status', isText: true },
  { field: 'why_this_is_interesting', title: 'Why', isText: true, isOptional: true },
];

function toColumn({ field, title, format, isText, isOptional }: DealColumn): Column {
  return {
    title,
    cell: (row) => {
      const text = plainCell(row[field]);
      return text === absent || format === undefined ? text : format(text);
    },
    isNumeric: isText !== true,
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
