import { createCookieJar } from '../../upstream/cookie-jar.js';
import { SourceError } from '../../source-error.js';
import type { RawRow } from '../../source.js';
import { labelsOf, linesAt, type SalePage } from './parse-sale.js';
import { readDay } from './realauction-day.js';
import { type Area, readCalendar, type SaleDay } from './realauction-pages.js';
import { readSaleStatus, type SaleList } from './sale-status.js';
import type { SalesSite } from './sales-site.js';

/** Days before the county's today that are read too: the outcome of a sale is known after its day. */
const daysBack = 3;
const dayMs = 24 * 3600 * 1000;

/** Labels of every sale on the site; a sale's day is its page's, and amounts vary by state. */
const required = [labelsOf.caseNumber, labelsOf.address];

/** Areas of a day that are read as one page. */
interface Reading extends SaleDay {
  readonly areas: readonly Area[];
  /** The calendar's count that they must reach. */
  readonly counted: 'active' | 'scheduled';
  /** With fewer sales the reading was incomplete. */
  readonly atLeast: number;
  /** False for a future day. On a day that has begun, only sold sales count at once; others wait for the other days. */
  readonly hasBegun: boolean;
}

/** Remaining readings, keys already returned, and closed sales kept until the end. */
interface Place {
  readonly left: readonly Reading[];
  readonly seen: readonly string[];
  readonly waiting: readonly SaleRow[];
}

type SaleRow = RawRow & { readonly payload: SalePage };

export interface RealAuction extends SalesSite {
  /** The county's current day, YYYY-MM-DD. */
  readonly today: () => string;
  /** Number of months of the calendar to read, current one first. */
  readonly months: number;
}

/**
 * RealAuction's public preview of one county: the calendar, then each day with sales from three days before today, so
 * that a sale is followed until it is sold or canceled.
 *
 * A day's sales are in its preview page, or come abbreviated from the page's loader, area by area. The loader takes the
 * day from the session and returns an empty list without one. Statuses come in a separate reply (`readDay`).
 */
export function createRealAuction(site: RealAuction) {
  const { baseUrl, name, getPage, today, months } = site;
  const listUrl = `${baseUrl}/index.cfm?zaction=USER&zmethod=CALENDAR`;

  return { listUrl, required, fetchSales };

  /** One reading. A case on several days is returned once, see `planReadings`. */
  async function fetchSales(cursor: string | undefined) {
    const place: Place =
      cursor === undefined ? { left: await plan(), seen: [], waiting: [] } : (JSON.parse(cursor) as Place);
    const [reading, ...rest] = place.left;
    if (reading === undefined) return { rows: [], nextCursor: undefined };
    const sales = await fetchDay(reading);
    const mayWait = ({ payload }: SaleRow) => reading.hasBegun && readSaleStatus(payload.statusText) !== 'sold';
    const waiting = [...place.waiting, ...sales.filter(mayWait)];
    const isLast = rest.length === 0;
    const seen = new Set(place.seen);
    const rows = [...sales.filter((row) => !mayWait(row)), ...(isLast ? waiting : [])].filter(
      ({ key }) => !seen.has(key) && seen.add(key),
    );
    const next: Place = { left: rest.map((each) => lessFound(each, reading, sales.length)), seen: [...seen], waiting };
    return { rows, nextCursor: isLast ? undefined : JSON.stringify(next) };
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

  /** Reads an incomplete day once more: a sale may have been removed meanwhile, or the session was lost. */
  async function fetchDay(reading: Reading): Promise<readonly SaleRow[]> {
    const first = await readRows(reading, reading.atLeast);
    if (first !== undefined) return first;
    const now = (await fetchMonth(toIso(reading.day).slice(0, 7))).find(({ day }) => day === reading.day);
    const { counted, atLeast } = reading;
    const second = await readRows(reading, atLeast - (reading[counted] - (now?.[counted] ?? 0)));
    if (second === undefined) throw incompleteDay(name);
    return second;
  }

  /** A sale that moves during the reading counts in the area read last. Undefined unless everything was read. */
  async function readRows({ day, areas }: Reading, atLeast: number): Promise<readonly SaleRow[] | undefined> {
    const read = await readDay(site, day, areas);
    const sales = new Map<string, SaleRow>();
    for (const [area, shown] of read?.areas ?? []) {
      const list = listOf(area, toIso(day) < today());
      for (const [aid, sale] of shown) sales.set(aid, toRow(aid, { ...sale, day, list, url: read?.url ?? '' }));
    }
    return read === undefined || sales.size < atLeast ? undefined : [...sales.values()];
  }
}

/** Months, YYYY-MM: the first day's, then `count` months from today's. */
function monthsFrom(first: string, today: string, count: number): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const ahead = Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, month - 1 + index, 1)).toISOString().slice(0, 7),
  );
  return [...new Set([first.slice(0, 7), ...ahead])];
}

/**
 * The readings in an order in which the first result for a case counts. So a rescheduled sale gets its new day, and a
 * canceled one, or one without a bid, does not hide it.
 * - Upcoming sales, soonest day first.
 * - Sold sales of days that have begun, even if other days show the case as canceled.
 * - Other closed sales, latest day first.
 *
 * The calendar counts waiting and running sales as active, on the day itself also some that have closed. Scheduled ones
 * are in any of the three areas, on past and future days.
 */
function planReadings(days: readonly SaleDay[], today: string): Reading[] {
  const isOver = ({ day }: SaleDay): boolean => toIso(day) < today;
  const open = days
    .filter((day) => !isOver(day))
    .map((day): Reading => {
      const atLeast = toIso(day.day) === today ? 0 : day.active;
      return { ...day, areas: ['W', 'R'], counted: 'active', atLeast, hasBegun: false };
    });
  const closed = days.map((day): Reading => {
    const areas: readonly Area[] = isOver(day) ? ['W', 'R', 'C'] : ['C'];
    return { ...day, areas, counted: 'scheduled', atLeast: day.scheduled, hasBegun: toIso(day.day) <= today };
  });
  const [begun, toCome] = [closed.filter(({ hasBegun }) => hasBegun), closed.filter(({ hasBegun }) => !hasBegun)];
  return [...open, ...begun.reverse(), ...toCome.reverse()];
}

/** A closed sale was sold or canceled; even before its day is over it must no longer be offered. */
function listOf(area: Area, isOver: boolean): SaleList {
  if (area !== 'C') return 'to_come';
  return isOver ? 'over' : 'closed_early';
}

/** Sales found in a day's other areas are not missing from this reading. */
function lessFound(reading: Reading, { day }: SaleDay, found: number): Reading {
  return reading.day === day ? { ...reading, atLeast: reading.atLeast - found } : reading;
}

/** The key is the court case with the parcel: an adjourned sale gets a new id on the site but stays the same sale. */
function toRow(aid: string, page: SalePage): SaleRow {
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
    `Fewer sales of a day were read than the calendar or the pages of ${name} count. Nothing is retired; the next run tries again.`,
  );
}
