import { createCookieJar } from '../../upstream/cookie-jar.js';
import { SourceError } from '../../source-error.js';
import type { RawRow } from '../../source.js';
import { labelsOf, linesAt, type SalePage } from './parse-sale.js';
import { readDay } from './realauction-day.js';
import { type Area, readCalendar, type SaleDay } from './realauction-pages.js';
import { readSaleStatus, type SaleList } from './sale-status.js';
import type { SalesSite } from './sales-site.js';

/** So many days before the county's own today are read, too: what became of a sale is known when its day is over. */
const daysBack = 3;
const dayMs = 24 * 3600 * 1000;

/** What every sale on the site has; a sale's day is that of its page, and amounts differ from state to state. */
const required = [labelsOf.caseNumber, labelsOf.address];

/** Some areas of a day, which are read as one page. */
interface Reading extends SaleDay {
  readonly areas: readonly Area[];
  /** Which number of the calendar they are held against. */
  readonly counted: 'active' | 'scheduled';
  /** With fewer sales they were read in part. */
  readonly atLeast: number;
  /** Not for a day to come: only what was sold counts at once, the rest waits for what other days say. */
  readonly hasBegun: boolean;
}

/** What is left to be read, the keys of what was given, and the closed sales that wait for the end. */
interface Place {
  readonly left: readonly Reading[];
  readonly seen: readonly string[];
  readonly waiting: readonly SaleRow[];
}

type SaleRow = RawRow & { readonly payload: SalePage };

export interface RealAuction extends SalesSite {
  /** The county's own day, YYYY-MM-DD. */
  readonly today: () => string;
  /** How many months of the calendar are read, the current one first. */
  readonly months: number;
}

/**
 * RealAuction's public preview of one county: the calendar, then each day with sales from three days before today on,
 * so that a sale is followed until it is sold or called off. A day's sales stand in its preview page or come,
 * abbreviated, from the loader that the page calls, area by area; the loader knows the day only from the session, and
 * answers an empty list without one. What became of a sale is told in a reply of its own, as the page fills its boxes
 * (`readDay`).
 */
export function createRealAuction(site: RealAuction) {
  const { baseUrl, name, getPage, today, months } = site;
  const listUrl = `${baseUrl}/index.cfm?zaction=USER&zmethod=CALENDAR`;

  return { listUrl, required, fetchSales };

  /** One reading. A case that stands on several days is given once, see `planReadings`. */
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

  /** A day that comes short is read once more: a sale may have been taken off meanwhile, or the session was lost. */
  async function fetchDay(reading: Reading): Promise<readonly SaleRow[]> {
    const first = await readRows(reading, reading.atLeast);
    if (first !== undefined) return first;
    const now = (await fetchMonth(toIso(reading.day).slice(0, 7))).find(({ day }) => day === reading.day);
    const { counted, atLeast } = reading;
    const second = await readRows(reading, atLeast - (reading[counted] - (now?.[counted] ?? 0)));
    if (second === undefined) throw incompleteDay(name);
    return second;
  }

  /** A sale that moves while its day is read stands in the area that was read last. Undefined unless all was read. */
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

/** Months, YYYY-MM: from that of the first day on, so many of them from that of today on. */
function monthsFrom(first: string, today: string, count: number): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const ahead = Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, month - 1 + index, 1)).toISOString().slice(0, 7),
  );
  return [...new Set([first.slice(0, 7), ...ahead])];
}

/**
 * What is read, in an order in which the first word on a case is the one that counts: where it is still to be held
 * comes first, the soonest day before others; then what was sold on a day that has begun, whatever other days say of
 * the case being called off; then where it was closed, the latest day before others. So a sale that is set again has
 * its new day, and the one that was called off, or had no bid, does not hide it.
 *
 * What the calendar counts as to be held is waiting or running, on the day itself also closed by now. What it counts as
 * scheduled stands in one of the three areas, be the day over or to come.
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

/**
 * What stands in the list of closed sales was sold or called off; before its day is over it must not be offered any
 * more.
 */
function listOf(area: Area, isOver: boolean): SaleList {
  if (area !== 'C') return 'to_come';
  return isOver ? 'over' : 'closed_early';
}

/** What was found of a day in its other areas is not missing in this reading of it. */
function lessFound(reading: Reading, { day }: SaleDay, found: number): Reading {
  return reading.day === day ? { ...reading, atLeast: reading.atLeast - found } : reading;
}

/**
 * The key is the court's case with its parcel: an adjourned sale gets a new number on the site, and stays the same
 * sale.
 */
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
    `Not all sales of a day were read that the calendar or the pages of ${name} count. Nothing is retired; the next run tries again.`,
  );
}
