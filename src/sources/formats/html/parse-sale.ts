import { absent, isKnown, type Maybe } from '../../../absence.js';
import { splitWritten } from '../../../places/addresses/parse/split-written.js';
import type { ObservedAuction, SaleStatus, SaleStatusEntry } from '../../../counties/auctions/auction.js';
import { parseMoney, unlessZero } from '../../values/figures.js';
import { parseZip } from '../../values/places.js';
import { parseIdentifier, parseLine, textOf } from '../../values/text.js';
import { parseLocalDate } from '../local-date.js';
import type { RowReject } from '../../source.js';
import { readListedStatus, readSaleStatus, type SaleList } from './sale-status.js';

/** The county of a page's sales. */
export interface SaleCounty {
  /** Five-digit FIPS code. */
  readonly countyFips: string;
  readonly state: string;
}

/** A sale as its page shows it: normalized labels with their lines, and the history in page order. */
export interface SalePage {
  readonly labels: Readonly<Record<string, readonly string[]>>;
  readonly history: readonly { readonly text: string; readonly date: string }[];
  /** The day of the page, for pages whose labels state none. */
  readonly day?: string;
  /** The source's wording of the sale's status; '' without one. */
  readonly statusText: string;
  /** Only for sites with several lists. */
  readonly list?: SaleList;
  readonly url: string;
}

/** Labels of county sites by field; the first one on the page is read. */
export const labelsOf = {
  saleDate: ['sales date', 'sale date', 'auction starts', 'auction date'],
  address: ['address', 'property address'],
  parcelId: ['parcel id', 'parcel', 'parcel number', 'parcel no'],
  appraisedValue: ['appraised value', 'appraisal', 'appraised', 'appraised amount'],
  openingBid: ['opening bid', 'minimum bid', 'upset amount', 'approx upset', 'starting bid'],
  judgmentAmount: ['approx judgment', 'judgment amount', 'final judgment amount', 'judgment'],
  depositRequirement: ['deposit requirement', 'deposit amount', 'deposit'],
  plaintiff: ['plaintiff'],
  defendant: ['defendant'],
  attorney: ['attorney', 'attorney name'],
  caseNumber: ['court case', 'case', 'case number', 'docket number'],
  caseStatus: ['case status'],
} as const;

/** Longer values are rejected unparsed, since patterns that end in a city or an asterisk are slow on them. */
const maxLength = { value: 1000, place: 300 };

const amounts = { min: '0', max: '10000000000' };

/**
 * Normalizes one sale, or rejects it without a date. A label missing from the page is `not_published_by_source`, one
 * without a value `not_stated_by_source`. Dates are days of the county as written. Pure.
 */
export function parseSale(page: SalePage, key: string, county: SaleCounty): ObservedAuction | RowReject {
  const saleDate = read(page, 'saleDate', parseLocalDate);
  const day = isKnown(saleDate) || page.day === undefined ? saleDate : parseLocalDate(page.day);
  if (!isKnown(day)) return { reject: 'missing_date', key, detail: 'sale date: a day such as 12/14/2026 is expected.' };
  const history = readHistory(page);
  return {
    sourceKey: key,
    auctionType: 'sheriff_sale',
    countyFips: county.countyFips,
    state: county.state,
    saleDate: day.value,
    ...readPlace(page, county.state),
    parcelId: read(page, 'parcelId', (text) => parseIdentifier(text, 60)),
    appraisedValue: read(page, 'appraisedValue', parseAmount),
    openingBid: read(page, 'openingBid', parseAmount),
    judgmentAmount: read(page, 'judgmentAmount', parseAmount),
    depositRequirement: read(page, 'depositRequirement', parseAmount),
    plaintiff: read(page, 'plaintiff', (text) => parseLine(text, 300)),
    defendant: read(page, 'defendant', (text) => parseLine(text, 500)),
    attorney: read(page, 'attorney', (text) => parseLine(text, 300)),
    // The number in parentheses is the site's own, not the court's.
    caseNumber: read(page, 'caseNumber', (text) => parseLine(text.replace(/\s*\(\d+\)$/, ''), 80)),
    caseStatus: read(page, 'caseStatus', (text) => parseLine(text, 80)),
    saleStatus: statusOf(page, history),
    statusHistory: history.entries,
    sourceUrl: page.url,
  };
}

/** When the latest status is unknown, a status counts only if both ends of the history share it. */
function statusOf({ statusText, list }: SalePage, { entries, isOrdered }: History): SaleStatus {
  if (list !== undefined) return readListedStatus(statusText, list);
  if (statusText !== '') return readSaleStatus(statusText);
  const first = entries[0]?.status;
  return first !== undefined && (isOrdered || first === entries.at(-1)?.status) ? first : 'unknown';
}

interface History {
  /** Latest first when `isOrdered`, else in page order. */
  readonly entries: readonly SaleStatusEntry[];
  readonly isOrdered: boolean;
}

/**
 * Counties list the latest status first or last. The days are those of the sale, which move on with each adjournment,
 * so the later day is at the latest end. When both ends have the same day, "scheduled" is the earliest.
 */
function readHistory({ history }: SalePage): History {
  const entries = history.map(({ text, date }) => ({
    status: readSaleStatus(text),
    date: parseLocalDate(date),
    text: text.slice(0, 120).replaceAll('\ufffd', '?'),
  }));
  const days = entries.flatMap(({ date }) => (isKnown(date) ? [date.value] : []));
  const [firstDay = '', lastDay = ''] = [days[0], days.at(-1)];
  const [isScheduledFirst, isScheduledLast] = [entries[0], entries.at(-1)].map((entry) =>
    /^\s*scheduled\b/i.test(entry?.text ?? ''),
  );
  const isLatestLast =
    firstDay === lastDay ? isScheduledFirst === true && isScheduledLast === false : firstDay < lastDay;
  const isOrdered = entries.length < 2 || firstDay !== lastDay || isScheduledFirst !== isScheduledLast;
  return { entries: isLatestLast ? entries.reverse() : entries, isOrdered };
}

function read<T>(page: SalePage, field: keyof typeof labelsOf, parse: (text: string) => Maybe<T>): Maybe<T> {
  const lines = linesAt(page, field);
  if (lines === undefined) return absent('not_published_by_source');
  const text = textOf(lines.join(' '));
  if (isKnown(text) && text.value.length > maxLength.value) return absent('parse_failed');
  return isKnown(text) ? parse(text.value) : text;
}

/** A page's lines for a field, under any of its labels; undefined when it has none of them. */
export function linesAt({ labels }: SalePage, field: keyof typeof labelsOf): readonly string[] | undefined {
  const label = labelsOf[field].find((name) => Object.hasOwn(labels, name));
  return label === undefined ? undefined : labels[label];
}

function readPlace(page: SalePage, state: string): Pick<ObservedAuction, 'address' | 'city' | 'zip'> {
  const lines = linesAt(page, 'address');
  if (lines === undefined) return noPlace('not_published_by_source');
  if (lines.join(' ').length > maxLength.place) return noPlace('parse_failed');
  const { street, city, zip5 } = splitWritten(lines, state);
  return {
    address: stated(street, 200),
    city: stated(city, 80),
    zip: zip5 === '' ? absent('not_stated_by_source') : parseZip(zip5),
  };
}

function noPlace(reason: 'not_published_by_source' | 'parse_failed') {
  return { address: absent(reason), city: absent(reason), zip: absent(reason) };
}

function stated(text: string, max: number): Maybe<string> {
  const value = textOf(text);
  return isKnown(value) ? parseLine(value.value, max) : value;
}

/** Zero means that no amount is set yet. */
function parseAmount(text: string): Maybe<string> {
  return unlessZero(text.replace(/\s*\*+$/, ''), (amount) => parseMoney(amount, amounts));
}
