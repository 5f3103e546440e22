import { createCookieJar, type CookieJar } from '../upstream/cookie-jar.js';
import { SourceError } from '../source-error.js';
import type { RawRow } from '../source.js';
import { labelsOf, linesAt, type SalePage } from './parse-sale.js';
import { attributeOf, cellsOf, findAll, hasClass, isTag, labelOf, linesOf, readHtml, textOf } from './read-html.js';
import { addLabel, type SaleLabels } from './sale-labels.js';
import type { SalesSite } from './sales-site.js';

/** A site with more pages for one day than this is not what it was taken for. */
const maxPagesPerDay = 100;

/** What every sale on the site has; a sale's day is that of its page, and amounts differ from state to state. */
const required = [labelsOf.caseNumber, labelsOf.address];

/** One day with sales: `MM/DD/YYYY` as the site writes it, and how many are still to be held. */
interface SaleDay {
  readonly day: string;
  readonly active: number;
}

export interface RealAuction extends SalesSite {
  /** The county's own day, YYYY-MM-DD. */
  readonly today: () => string;
  /** How many months of the calendar are read, the current one first. */
  readonly months: number;
}

/**
 * RealAuction's public preview of one county: the calendar, then each day with sales from today on. A day's sales stand in
 * its preview page or come, abbreviated, from the loader that the page calls; the loader knows the day only from the
 * session, and answers an empty list without one. What became of a sale stands beside its details, not in them.
 */
export function createRealAuction(site: RealAuction) {
  const { baseUrl, name, getPage, today, months } = site;
  const index = `${baseUrl}/index.cfm`;
  const listUrl = `${index}?zaction=USER&zmethod=CALENDAR`;

  return { listUrl, required, fetchSales };

  async function fetchSales(cursor: string | undefined) {
    const days = cursor === undefined ? await fetchDays() : (JSON.parse(cursor) as readonly SaleDay[]);
    const [first, ...rest] = days;
    const sales = first === undefined ? [] : await fetchDay(first);
    return { rows: sales, nextCursor: rest.length === 0 ? undefined : JSON.stringify(rest) };
  }

  async function fetchDays(): Promise<readonly SaleDay[]> {
    const days: SaleDay[] = [];
    const [year = 0, month = 1] = today().split('-').map(Number);
    for (let ahead = 0; ahead < months; ahead += 1) {
      days.push(...(await fetchMonth(new Date(Date.UTC(year, month - 1 + ahead, 1)).toISOString().slice(0, 7))));
    }
    return days.filter(({ day }) => toIso(day) >= today());
  }

  /** `month`: YYYY-MM. */
  async function fetchMonth(month: string): Promise<readonly SaleDay[]> {
    const isCurrent = today().startsWith(month);
    const parameter = isCurrent ? '' : `&selCalDate=${encodeURIComponent(`{ts '${month}-01 00:00:00'}`)}`;
    return readCalendar(await getPage(`${listUrl}${parameter}`, createCookieJar(baseUrl)), name);
  }

  /** A day that comes short is read once more: a sale may have been taken off meanwhile, or the session was lost. */
  async function fetchDay({ day, active }: SaleDay): Promise<readonly RawRow[]> {
    const first = await readDay(day, active);
    if (first !== undefined) return first;
    const now = (await fetchMonth(toIso(day).slice(0, 7))).find((each) => each.day === day);
    const second = await readDay(day, now?.active ?? 0);
    if (second === undefined) throw incompleteDay(name);
    return second;
  }

  /** The sales of a day; undefined unless all its pages and no fewer sales than are to be held were read. */
  async function readDay(day: string, active: number): Promise<readonly RawRow[] | undefined> {
    const cookies = createCookieJar(baseUrl);
    const url = `${index}?zaction=AUCTION&zmethod=PREVIEW&AuctionDate=${encodeURIComponent(day)}`;
    const preview = readHtml(await getPage(url, cookies));
    const shown = findItems(preview);
    const sales = new Map<string, RawRow>();
    const add = (items: ReturnType<typeof findItems>): boolean => {
      const before = sales.size;
      for (const { aid, page } of items) if (!sales.has(aid)) sales.set(aid, toRow(aid, { ...page, day, url }));
      return sales.size > before;
    };
    add(shown.length === 0 ? await load(cookies, day, 0) : shown);
    // The page counts its own pages; where it does not, they end when nothing new comes.
    const counted = Number(textOfId(preview, 'maxWA') ?? 0) || 0;
    let pages = 1;
    while (pages < (counted || maxPagesPerDay) && sales.size > 0 && add(await load(cookies, day, 1))) pages += 1;
    // Those under the hammer today have left the list, while the calendar still counts them.
    const expected = toIso(day) === today() ? Math.min(active, 1) : active;
    return pages < counted || sales.size < expected ? undefined : [...sales.values()];
  }

  /** `direction` 0: the day's first page; 1: the page after the one that the session saw last. */
  async function load(cookies: CookieJar, day: string, direction: 0 | 1) {
    const reset = direction === 0 ? 1 : 0;
    const url = `${index}?zaction=AUCTION&zmethod=UPDATE&FNC=LOAD&AREA=W&PageDir=${direction}&doR=${reset}&AuctionDate=${encodeURIComponent(day)}`;
    return findItems(readHtml(unabbreviate(await getPage(url, cookies), name)));
  }
}

/** Days of a calendar page that have sales. */
function readCalendar(html: string, name: string): SaleDay[] {
  const boxes = findAll(readHtml(html), (element) => hasClass(element, 'CALBOX'));
  if (boxes.length === 0)
    throw new SourceError('delivery_unreadable', `The calendar of ${name} is not found. Correct the address.`);
  return boxes.flatMap((box) => {
    const day = attributeOf(box, 'dayid') ?? '';
    const [active = 0, scheduled = 0] = ['CALACT', 'CALSCH'].map((name) => Number(textOfClass(box, name) ?? 0));
    return /^\d{2}\/\d{2}\/\d{4}$/.test(day) && active + scheduled > 0 ? [{ day, active }] : [];
  });
}

function findItems(root: ReturnType<typeof readHtml>): { aid: string; page: Omit<SalePage, 'day' | 'url'> }[] {
  return findAll(root, (element) => hasClass(element, 'AUCTION_ITEM')).flatMap((item) => {
    const aid = attributeOf(item, 'aid');
    return aid === undefined ? [] : [{ aid, page: readItem(item) }];
  });
}

function readItem(item: Parameters<typeof textOf>[0]): Omit<SalePage, 'day' | 'url'> {
  const labels: SaleLabels = {};
  let before: string | undefined;
  for (const line of findAll(item, isTag('tr'))) {
    const [label, value] = cellsOf(line);
    if (label !== undefined && value !== undefined)
      before = addLabel(labels, labelOf(textOf(label)), linesOf(value), before);
  }
  const state = labelOf(textOfClass(item, 'ASTAT_MSGA') ?? '');
  const value = textOfClass(item, 'ASTAT_MSGB') ?? '';
  // "Auction Starts" goes with a time, "Auction Status" with a word such as "Canceled", "Auction Sold" with a time again.
  if (state === 'auction starts') labels[state] = [value];
  return { labels, history: [], statusText: state === 'auction status' ? value : state };
}

/**
 * The key is the court's case with its parcel: an adjourned sale gets a new number on the site, and stays the same sale. Of
 * a case that has two days set at once, the first one found is read: days come in their order.
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

/** The loader's abbreviations of its own markup. */
const abbreviations: Readonly<Record<string, string>> = {
  '@A': '<div class="',
  '@B': '</div>',
  '@C': ' class="',
  '@D': '<div>',
  '@E': 'AUCTION',
  '@F': '</td><td',
  '@G': '</td></tr>',
  '@H': '<tr><td ',
  '@I': 'table',
  '@J': 'p_back="NextCheck=',
  '@K': 'style="Display:none"',
  '@L': '/index.cfm?zaction=auction&zmethod=details&AID=',
};

function unabbreviate(reply: string, name: string): string {
  const json: unknown = parseJson(reply);
  const html = typeof json === 'object' && json !== null && 'retHTML' in json ? json.retHTML : undefined;
  if (typeof html !== 'string')
    throw new SourceError('delivery_unreadable', `The loader of ${name} answers no list of sales.`);
  const full = html.replace(/@[A-Z]/g, (token) => abbreviations[token] ?? token);
  if (/(^|[>"\s])@[A-Z](?=[\s<>"_]|$)/.test(full)) {
    throw new SourceError('delivery_unreadable', `The loader of ${name} uses an abbreviation that is not known.`);
  }
  return full;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOfClass(root: Parameters<typeof findAll>[0], name: string): string | undefined {
  const [element] = findAll(root, (each) => hasClass(each, name));
  return element === undefined ? undefined : textOf(element);
}

function textOfId(root: Parameters<typeof findAll>[0], id: string): string | undefined {
  const [element] = findAll(root, (each) => attributeOf(each, 'id') === id);
  return element === undefined ? undefined : textOf(element);
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
