import { type Absent, absent, isKnown, type Maybe } from '../../../absence.js';
import { splitWritten } from '../../../places/addresses/parse/split-written.js';
import type { ObservedAuction, SaleStatus, SaleStatusEntry } from '../../../counties/auctions/auction.js';
import { parseMoney, unlessZero } from '../../values/figures.js';
import { parseZip } from '../../values/places.js';
import { notUnderstood } from '../../values/not-understood.js';
import { parseLine, parseParcelId, textOf } from '../../values/text.js';
import { parseLocalDate } from '../local-date.js';
import type { NoteValue, RowReject } from '../../source.js';
import { readListedStatus, readSaleStatus, type SaleList } from './sale-status.js';

/** The county of a page's sales. */
export interface SaleCounty {
  /** Five-digit FIPS code. */
  readonly countyFips: string;
  readonly state: string;
  /** As in `RecordMapping`. */
  readonly parcelLength?: number | undefined;
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
export function parseSale(
  page: SalePage,
  key: string,
  county: SaleCounty,
  note: NoteValue = () => {},
): ObservedAuction | RowReject {
  const read = <T>(field: keyof typeof labelsOf, parse: (text: string) => Maybe<T>): Maybe<T> => {
    const lines = linesAt(page, field);
    if (lines === undefined) return absent('not_published_by_source');
    const value = parseLines(lines, parse);
    note(field, value, lines.join(' '));
    return value;
  };
  const saleDate = read('saleDate', parseLocalDate);
  const day = isKnown(saleDate) || page.day === undefined ? saleDate : parseLocalDate(page.day);
  if (!isKnown(day)) return { reject: 'missing_date', key, detail: 'sale date: a day such as 12/14/2026 is expected.' };
  const history = readHistory(page);
  return {
    sourceKey: key,
    auctionType: 'sheriff_sale',
    countyFips: county.countyFips,
    state: county.state,
    saleDate: day.value,
    ...readPlace(page, county.state, note),
    parcelId: read('parcelId', (text) => parseParcelId(text, county.parcelLength)),
    appraisedValue: read('appraisedValue', parseAmount),
    openingBid: read('openingBid', parseAmount),
    judgmentAmount: read('judgmentAmount', parseAmount),
    depositRequirement: read('depositRequirement', parseAmount),
    plaintiff: read('plaintiff', (text) => parseLine(text, 300)),
    defendant: read('defendant', (text) => parseLine(text, 500)),
    attorney: read('attorney', (text) => parseLine(text, 300)),
    // The number in parentheses is the site's own, not the court's.
    caseNumber: read('caseNumber', (text) => parseLine(text.replace(/\s*\(\d+\)$/, ''), 80)),
    caseStatus: read('caseStatus', (text) => parseLine(text, 80)),
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

function parseLines<T>(lines: readonly string[], parse: (text: string) => Maybe<T>): Maybe<T> {
  const text = textOf(lines.join(' '));
  if (isKnown(text) && text.value.length > maxLength.value) return notUnderstood('not_plain_text');
  return isKnown(text) ? parse(text.value) : text;
}

/** A page's lines for a field, under any of its labels; undefined when it has none of them. */
export function linesAt({ labels }: SalePage, field: keyof typeof labelsOf): readonly string[] | undefined {
  const label = labelsOf[field].find((name) => Object.hasOwn(labels, name));
  return label === undefined ? undefined : labels[label];
}

/** Words on a page's address that say what is sold, not where. */
const soldThere = /\s*[(,-]?\s*\b(?:parcel \d{1,2}\)|vacant (?:land|lot)\b\)?)[\s,-]*/gi;

function readPlace(page: SalePage, state: string, note: NoteValue): Pick<ObservedAuction, 'address' | 'city' | 'zip'> {
  const lines = linesAt(page, 'address');
  if (lines === undefined) return noPlace(absent('not_published_by_source'));
  const place = placeOf(lines, state);
  note('address', place.address, lines.join(' '));
  return place;
}

function placeOf(lines: readonly string[], state: string): Pick<ObservedAuction, 'address' | 'city' | 'zip'> {
  if (lines.join(' ').length > maxLength.place) return noPlace(notUnderstood('not_plain_text'));
  const { street, city, zip5 } = splitWritten(
    lines.map((line) => line.replace(soldThere, ' ').trim()),
    state,
  );
  return {
    address: stated(street, 200),
    city: stated(city, 80),
    zip: zip5 === '' ? absent('not_stated_by_source') : parseZip(zip5),
  };
}

function noPlace(reason: Absent) {
  return { address: reason, city: reason, zip: reason };
}

function stated(text: string, max: number): Maybe<string> {
  const value = textOf(text);
  return isKnown(value) ? parseLine(value.value, max) : value;
}

/** Words behind an amount, such as `plus costs` or `as of 11/01/2026`; not those that make it another one. */
const wordsBehind = /^(\$? ?[\d,]+(?:\.\d+)?),? \(?(?!(?:to|or|and|million|thousand|[km])\b)[a-z][^$]*$/i;

/** Zero means that no amount is set yet. */
function parseAmount(text: string): Maybe<string> {
  const amount = text.replace(wordsBehind, '$1').replace(/\s*\*+$/, '');
  return unlessZero(amount, (figure) => parseMoney(figure, amounts));
}
