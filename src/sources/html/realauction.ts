import { createCookieJar, type CookieJar } from '../upstream/cookie-jar.js';
import { SourceError } from '../source-error.js';
import type { RawRow } from '../source.js';
import { labelsOf, linesAt, type SalePage } from './parse-sale.js';
import {
  type Area,
  type PreviewedArea,
  readCalendar,
  readLoaded,
  readPreview,
  type SaleDay,
  type ShownSales,
} from './realauction-pages.js';
import type { SalesSite } from './sales-site.js';

/** A site with more pages for one area of a day than this is not what it was taken for. */
const maxPages = 100;

/** So many days before the county's own today are read, too: what became of a sale is known when its day is over. */
const daysBack = 3;
const dayMs = 24 * 3600 * 1000;

/** What every sale on the site has; a sale's day is that of its page, and amounts differ from state to state. */
const required = [labelsOf.caseNumber, labelsOf.address];

/** Some areas of a day, which are read as one page. */
interface Reading extends SaleDay {
  readonly areas: readonly Area[];
  /** With fewer sales they were read in part. */
  readonly atLeast: number;
}

/** What is left to be read, and the keys of what has been. */
interface Place {
  readonly left: readonly Reading[];
  readonly seen: readonly string[];
}

export interface RealAuction extends SalesSite {
  /** The county's own day, YYYY-MM-DD. */
  readonly today: () => string;
  /** How many months of the calendar are read, the current one first. */
  readonly months: number;
}

/**
 * RealAuction's public preview of one county: the calendar, then each day with sales from three days before today on, so
 * that a sale is followed until it is sold or called off. A day's sales stand in its preview page or come, abbreviated,
 * from the loader that the page calls, area by area; the loader knows the day only from the session, and answers an empty
 * list without one. What became of a sale stands beside its details, not in them.
 */
export function createRealAuction(site: RealAuction) {
  const { baseUrl, name, getPage, today, months } = site;
  const index = `${baseUrl}/index.cfm`;
  const listUrl = `${index}?zaction=USER&zmethod=CALENDAR`;

  return { listUrl, required, fetchSales };

  /** One reading. A case that stands on several days is given once, see `planReadings`. */
  async function fetchSales(cursor: string | undefined) {
    const { left, seen }: Place =
      cursor === undefined ? { left: await plan(), seen: [] } : (JSON.parse(cursor) as Place);
    const [reading, ...rest] = left;
    if (reading === undefined) return { rows: [], nextCursor: undefined };
    const sales = await fetchDay(reading);
    const known = new Set(seen);
    const rows = sales.filter(({ key }) => !known.has(key));
    for (const { key } of rows) known.add(key);
    const place: Place = { left: rest.map((each) => lessFound(each, reading, sales.length)), seen: [...known] };
    return { rows, nextCursor: rest.length === 0 ? undefined : JSON.stringify(place) };
  }

  async function plan(): Promise<readonly Reading[]> {
    const day = today();
    const first = new Date(Date.parse(day) - daysBack * dayMs).toISOString().slice(0, 10);
    const days = new Map<string, SaleDay>();
    for (const month of monthsFrom(first, day, months)) {
      for (const each of await fetchMonth(month)) days.set(each.day, each);
    }
    return planReadings(
      [...days.values()].filter((each) => toIso(each.day) >= first),
      day,
    );
  }

  /** `month`: YYYY-MM. */
  async function fetchMonth(month: string): Promise<readonly SaleDay[]> {
    const isCurrent = today().startsWith(month);
    const parameter = isCurrent ? '' : `&selCalDate=${encodeURIComponent(`{ts '${month}-01 00:00:00'}`)}`;
    return readCalendar(await getPage(`${listUrl}${parameter}`, createCookieJar(baseUrl)), name);
  }

  /** A day that comes short is read once more: a sale may have been taken off meanwhile, or the session was lost. */
  async function fetchDay(reading: Reading): Promise<readonly RawRow[]> {
    const first = await readDay(reading, reading.atLeast);
    if (first !== undefined) return first;
    const now = (await fetchMonth(toIso(reading.day).slice(0, 7))).find(({ day }) => day === reading.day);
    const second = await readDay(reading, reading.atLeast - (reading.active - (now?.active ?? 0)));
    if (second === undefined) throw incompleteDay(name);
    return second;
  }

  /** A sale that moves while its day is read stands in the area that was read last. Undefined unless all was read. */
  async function readDay({ day, areas }: Reading, atLeast: number): Promise<readonly RawRow[] | undefined> {
    const cookies = createCookieJar(baseUrl);
    const url = `${index}?zaction=AUCTION&zmethod=PREVIEW&AuctionDate=${encodeURIComponent(day)}`;
    const preview = readPreview(await getPage(url, cookies));
    const sales = new Map<string, RawRow>();
    for (const area of areas) {
      const shown = await readArea(preview[area], (direction) => load(cookies, day, area, direction));
      if (shown === undefined) return undefined;
      for (const [aid, page] of shown) sales.set(aid, toRow(aid, { ...page, day, url }));
    }
    return sales.size < atLeast ? undefined : [...sales.values()];
  }

  /** `direction` 0: the first page of an area; 1: the page after the one that the session saw last. */
  async function load(cookies: CookieJar, day: string, area: Area, direction: 0 | 1): Promise<ShownSales> {
    const reset = direction === 0 ? 1 : 0;
    const url = `${index}?zaction=AUCTION&zmethod=UPDATE&FNC=LOAD&AREA=${area}&PageDir=${direction}&doR=${reset}&AuctionDate=${encodeURIComponent(day)}`;
    return readLoaded(await getPage(url, cookies), name);
  }
}

/** The sales of an area; undefined unless all the pages that the preview counts were read. It may well have none. */
async function readArea(
  { shown, pages: counted }: PreviewedArea,
  load: (direction: 0 | 1) => Promise<ShownSales>,
): Promise<ShownSales | undefined> {
  const sales = new Map(shown.size === 0 ? await load(0) : shown);
  let pages = 1;
  // Where the page does not count its own pages, they end when nothing new comes.
  while (pages < (counted ?? maxPages) && sales.size > 0) {
    const before = sales.size;
    for (const [aid, sale] of await load(1)) if (!sales.has(aid)) sales.set(aid, sale);
    if (sales.size === before) break;
    pages += 1;
  }
  return pages < (counted ?? 0) ? undefined : sales;
}

/** Months, YYYY-MM: from that of the first day on, so many of them from that of today on. */
function monthsFrom(first: string, today: string, count: number): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const ahead = Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, month - 1 + index, 1)).toISOString().slice(0, 7),
  );
  return [...new Set([first.slice(0, 7), ...ahead])];
}

/**
 * What is read, in an order in which the first word on a case is the one that counts: where it is still to be held comes
 * first, the soonest day before others; then where it was closed, the latest day before others. So a sale that is set again
 * has its new day, and the one that was called off, or had no bid, does not hide it.
 *
 * What the calendar counts as to be held is waiting or running, on the day itself also closed by now. Of a day that is over
 * nothing is to be held; where it still counts sales, an empty list tells of a session that was lost.
 */
function planReadings(days: readonly SaleDay[], today: string): Reading[] {
  const isOver = ({ day }: SaleDay): boolean => toIso(day) < today;
  const open = days
    .filter((day) => !isOver(day))
    .map((day): Reading => ({ ...day, areas: ['W', 'R'], atLeast: toIso(day.day) === today ? 0 : day.active }));
  const closed = days.map((day): Reading =>
    isOver(day)
      ? { ...day, areas: ['W', 'R', 'C'], atLeast: Math.min(day.active, 1) }
      : { ...day, areas: ['C'], atLeast: day.active },
  );
  return [...open, ...closed.reverse()];
}

/** What was found of a day in its other areas is not missing in this reading of it. */
function lessFound(reading: Reading, { day }: SaleDay, found: number): Reading {
  return reading.day === day ? { ...reading, atLeast: reading.atLeast - found } : reading;
}

/**
 * The key is the court's case with its parcel: an adjourned sale gets a new number on the site, and stays the same sale.
 */
function toRow(aid: string, page: SalePage): RawRow {
  const [caseNumber, parcel] = (['caseNumber', 'parcelId'] as const).map((field) => courtsOwn(linesAt(page, field)));
  const key = caseNumber === '' ? `aid ${aid}` : [caseNumber, parcel].filter((part) => part !== '').join(' / ');
  return { key: key.slice(0, 200), payload: page };
}

/** Without the site's own number in parentheses, which changes with the day. */
function courtsOwn(lines: readonly string[] = []): string {
  return lines.join(' ').replace(/\s*\(\d+\)$/, '');
}

function toIso(day: string): string {
  return `${day.slice(6)}-${day.slice(0, 2)}-${day.slice(3, 5)}`;
}

function incompleteDay(name: string): SourceError {
  return new SourceError(
    'delivery_incomplete',
    `Not all sales of a day were read that the calendar or the pages of ${name} count. Nothing is retired; the next run tries again.`,
  );
}
