import { plainText } from '../plain-text.js';
import { isRow, type Row } from '../wire/records.js';

/** One column of a table. */
export interface Column {
  readonly field: string;
  readonly title: string;
  readonly format?: (text: string) => string;
  /** Left-aligned and may be cut. All other columns are numbers. */
  readonly isText?: true;
  /** A text that is useless when cut. */
  readonly isWhole?: true;
  /** Dropped first when the table is too wide. */
  readonly isOptional?: true;
}

const percent = (text: string) => `${text}%`;
const dollars = (text: string) => `$${text.replace(/\.00$/, '').replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',')}`;

const place: readonly Column[] = [
  { field: 'address', title: 'Address', isText: true },
  { field: 'city', title: 'City', isText: true },
  { field: 'state', title: 'State', isText: true },
];
const id: Column = { field: 'id', title: 'Id', isText: true, isWhole: true, isOptional: true };

const leadColumns: readonly Column[] = [
  { field: 'lead_score', title: 'Score' },
  { field: 'lead_type', title: 'Kind', isText: true },
  ...place,
  { field: 'sale_date', title: 'Sale', isText: true, isWhole: true, isOptional: true },
  { field: 'opening_bid', title: 'Opening bid', format: dollars, isOptional: true },
  { field: 'amount', title: 'Owed', format: dollars, isOptional: true },
  { field: 'list_price', title: 'Price', format: dollars, isOptional: true },
  id,
];

const dealColumns: readonly Column[] = [
  ...place,
  { field: 'list_price', title: 'Price', format: dollars },
  { field: 'units', title: 'Units' },
  { field: 'cap_rate', title: 'Cap', format: percent },
  { field: 'cap_rate_underwritten', title: 'HUD cap', format: percent, isOptional: true },
  { field: 'dscr', title: 'DSCR', isOptional: true },
  { field: 'deal_score', title: 'Score' },
  { field: 'rental_status', title: 'Status', isText: true },
  { field: 'why_this_is_interesting', title: 'Why', isText: true, isOptional: true },
  id,
];

const signalColumns: readonly Column[] = [
  { field: 'amount', title: 'Owed', format: dollars },
  { field: 'county', title: 'County', isText: true },
  { field: 'address', title: 'Address', isText: true },
  { field: 'owner_name', title: 'Owner', isText: true },
  { field: 'parcel_id', title: 'Parcel', isText: true, isWhole: true },
  { field: 'source_url', title: 'Source', isText: true, isWhole: true, isOptional: true },
];

const auctionColumns: readonly Column[] = [
  { field: 'sale_date', title: 'Sale', isText: true, isWhole: true },
  { field: 'sale_status', title: 'Status', isText: true },
  { field: 'county', title: 'County', isText: true },
  { field: 'property_address', title: 'Address', isText: true },
  { field: 'city', title: 'City', isText: true },
  { field: 'appraised_value', title: 'Appraised', format: dollars },
  { field: 'opening_bid', title: 'Opening bid', format: dollars },
  { field: 'plaintiff', title: 'Plaintiff', isText: true, isOptional: true },
  { field: 'source_url', title: 'Source', isText: true, isWhole: true, isOptional: true },
];

/** Kinds of records, each with the fields that identify it. The first match counts. */
const chosenColumns: readonly {
  readonly knownBy: readonly string[];
  readonly columns: readonly Column[];
}[] = [
  { knownBy: ['lead_score'], columns: leadColumns },
  { knownBy: ['deal_score', 'list_price'], columns: dealColumns },
  { knownBy: ['signal_type'], columns: signalColumns },
  { knownBy: ['auction_type'], columns: auctionColumns },
];

/** The columns for the records: chosen ones for records of the feeds, every plain field for anything else. */
export function chooseColumns(rows: readonly Row[]): readonly Column[] {
  const [first = {}] = rows;
  const kind = chosenColumns.find(({ knownBy }) => knownBy.every((field) => field in first));
  if (kind !== undefined) return kind.columns.filter(({ field }) => rows.some((row) => field in row));
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return fields
    .filter((field) => rows.every((row) => !isNested(row[field])))
    .map((field) => ({
      field,
      title: plainText(field),
      ...(!rows.every((row) => row[field] === null || typeof row[field] === 'number') && { isText: true }),
    }));
}

/** The text of a cell. */
export function cellText(row: Row, { field, format }: Column): string {
  const text = plainCell(row[field]);
  return text === absent || format === undefined ? text : format(text);
}

const absent = '-';

function plainCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return absent;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isNested(value: unknown): boolean {
  return isRow(value) || Array.isArray(value);
}
