import { Decimal } from 'decimal.js';
import type { PathStatus } from '../../../generated/types.gen.js';
import type { Emphasis } from '../../terminal/style.js';
import { plainText } from '../plain-text.js';
import { dash, day, dollars, moment, percent, times } from '../../wire/figures.js';
import { eventNames, leadKinds, saleStatuses } from '../../wire/code-words.js';
import { wordsOf } from './words.js';
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
  /** Stays in every table, however narrow. */
  readonly isKept?: true;
  /** Reads the value, where it is not the field's. */
  readonly read?: (row: Row) => unknown;
  readonly emphasis?: (text: string) => Emphasis | undefined;
}

/** The number of a row, which `report` takes. */
export const rowNumber = '#';
const price: Column = { field: 'list_price', title: 'Price', format: dollars, isKept: true };
const address: Column = { field: 'address', title: 'Address', isText: true, isKept: true };
const city: Column = { field: 'city', title: 'City', isText: true };
const state: Column = { field: 'state', title: 'State', isText: true };
const id: Column = { field: 'id', title: 'Id', isText: true, isWhole: true, format: (text) => text.slice(0, 8) };
const source: Column = { field: 'source_url', title: 'Source', isText: true, isWhole: true };

const emphases: Readonly<Record<PathStatus, Emphasis>> = { Hot: 'boldGreen', Warm: 'yellow', Pass: 'dim' };

/** How a status stands out; undefined for any other text. */
export function statusEmphasis(text: string): Emphasis | undefined {
  return Object.hasOwn(emphases, text) ? emphases[text as PathStatus] : undefined;
}

const leadColumns: readonly Column[] = [
  { field: 'lead_score', title: 'Score', isKept: true },
  { field: 'lead_type', title: 'Kind', isText: true, format: wordsOf(leadKinds) },
  address,
  city,
  state,
  { field: 'sale_date', title: 'Sale', isText: true, isWhole: true, format: day },
  { field: 'opening_bid', title: 'Opening bid', format: dollars },
  { field: 'amount', title: 'Owed', format: dollars },
  { field: 'list_price', title: 'Price', format: dollars },
  id,
];

const dealColumns: readonly Column[] = [
  { field: rowNumber, title: rowNumber, isKept: true },
  price,
  { field: 'cap_rate', title: 'Cap', format: percent },
  { field: 'cap_rate_underwritten', title: 'HUD', format: percent },
  { field: 'dscr', title: 'DSCR', format: times },
  { field: 'deal_score', title: 'Score', isKept: true },
  { field: 'rental_status', title: 'Status', isText: true, emphasis: statusEmphasis },
  address,
  city,
  state,
  { field: 'units', title: 'Units' },
  { field: 'why_this_is_interesting', title: 'Why', isText: true },
  id,
];

/** Of a list that is sorted or filtered by it. A whole record states price and units alone. */
const perUnit: Column = {
  field: 'price_per_unit',
  title: 'Per unit',
  format: dollars,
  isKept: true,
  read: ({ price_per_unit: stated, list_price: asked, units }) =>
    stated ??
    (typeof asked === 'string' && typeof units === 'number' ? new Decimal(asked).div(units).toFixed(2) : null),
};

const signalColumns: readonly Column[] = [
  { field: 'amount', title: 'Owed', format: dollars, isKept: true },
  { field: 'county', title: 'County', isText: true },
  address,
  { field: 'owner_name', title: 'Owner', isText: true },
  { field: 'parcel_id', title: 'Parcel', isText: true, isWhole: true },
  source,
];

const auctionColumns: readonly Column[] = [
  { field: 'sale_date', title: 'Sale', isText: true, isWhole: true, isKept: true, format: day },
  { field: 'sale_status', title: 'Status', isText: true, format: wordsOf(saleStatuses) },
  { field: 'county', title: 'County', isText: true },
  { field: 'property_address', title: 'Address', isText: true, isKept: true },
  city,
  { field: 'appraised_value', title: 'Appraised', format: dollars },
  { field: 'opening_bid', title: 'Opening bid', format: dollars },
  { field: 'plaintiff', title: 'Plaintiff', isText: true },
  source,
];

const ofRecord = (column: Column, ...others: readonly string[]): Column => ({
  ...column,
  read: ({ record }) =>
    [column.field, ...others].map((field) => (isRow(record) ? record[field] : undefined)).find(Boolean),
});

const eventColumns: readonly Column[] = [
  { field: 'at', title: 'When', isText: true, isWhole: true, isKept: true, format: moment },
  { field: 'event', title: 'What', isText: true, isWhole: true, isKept: true, format: wordsOf(eventNames) },
  ofRecord(address, 'property_address'),
  ofRecord(city),
  ofRecord(state),
  { field: 'changes', title: 'Change', isText: true, read: describeChange },
  id,
];

/** What an event has changed: `list price $150,000 to $140,000`. */
function describeChange({ before, after }: Row): string {
  if (!isRow(before) || !isRow(after)) return '';
  const shown = (field: string, value: unknown): string =>
    typeof value !== 'string' ? plainCell(value) : field.includes('price') ? dollars(value) : wordsOf({})(value);
  return Object.keys(after)
    .filter((field) => field !== 'absent')
    .map((field) => `${wordsOf({})(field)} ${shown(field, before[field])} to ${shown(field, after[field])}`)
    .join(', ');
}

/** Kinds of records, each with the fields that identify it. The first match counts. */
const chosenColumns: readonly {
  readonly knownBy: readonly string[];
  readonly columns: readonly Column[];
}[] = [
  { knownBy: ['event_id'], columns: eventColumns },
  { knownBy: ['lead_score'], columns: leadColumns },
  { knownBy: ['deal_score', 'list_price'], columns: dealColumns },
  { knownBy: ['signal_type'], columns: signalColumns },
  { knownBy: ['auction_type'], columns: auctionColumns },
];

/**
 * The columns for the records: chosen ones for records of the feeds, every plain field for anything else.
 *
 * @param query what was asked
 */
export function chooseColumns(rows: readonly Row[], query = ''): readonly Column[] {
  const [first = {}] = rows;
  const kind = chosenColumns.find(({ knownBy }) => knownBy.every((field) => field in first));
  const asked = kind?.columns.flatMap((column) =>
    column === price && query.includes(perUnit.field) ? [column, perUnit] : [column],
  );
  if (asked !== undefined)
    return asked.filter(
      ({ field, read }) => field === rowNumber || read !== undefined || rows.some((row) => field in row),
    );
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return fields
    .filter((field) => rows.every((row) => !isNested(row[field])))
    .map((field) => ({
      field,
      title: plainText(field.replaceAll('_', ' ')),
      ...(!rows.every((row) => row[field] === null || typeof row[field] === 'number') && { isText: true }),
    }));
}

/** The text of a cell. */
export function cellText(row: Row, { field, format, read }: Column): string {
  const text = plainCell(read === undefined ? row[field] : read(row));
  return text === dash || format === undefined ? text : format(text);
}

/** True where the rows are deals, whose reports can be asked for. */
export function areDeals([first = {}]: readonly Row[]): boolean {
  return 'deal_score' in first && 'list_price' in first && !('lead_score' in first);
}

function plainCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return dash;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isNested(value: unknown): boolean {
  return isRow(value) || Array.isArray(value);
}
