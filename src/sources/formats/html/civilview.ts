import { createCookieJar } from '../../upstream/cookie-jar.js';
import { SourceError } from '../../source-error.js';
import type { RawRow, RowReject } from '../../source.js';
import { labelsOf, type SalePage } from './parse-sale.js';
import type { SalesSite } from './sales-site.js';
import {
  cellsOf,
  findAll,
  findTables,
  hasClass,
  type HtmlElement,
  isTag,
  labelOf,
  linesOf,
  readHtml,
  textOf,
  addLabel,
  type SaleLabels,
} from './read-html.js';

const salesPerPage = 20;

/** Labels of every sale on the site; not every county states the court case beside the sheriff's number. */
const required = [['sheriff', ...labelsOf.caseNumber], labelsOf.saleDate, labelsOf.address];

/** Keys of the sales still to be read. */
interface Place {
  readonly keys: readonly string[];
}

export interface CivilView extends SalesSite {
  /** The county's id on the site, as in `SalesSearch?countyId=2`. */
  readonly countyId: string;
}

/**
 * CivilView's pages of one county: the list of all sales, then the page of each, which is visible only in the session
 * that loaded the list. Columns are found by their headers.
 *
 * - The site renumbers its pages every few minutes, so a sale's key is the sheriff's number, which survives
 *   adjournment. A page that is gone is looked up once more through a new list.
 * - The public address of a sale is the list's, since a page's own address soon expires.
 * - The list is abbreviated and names no case, so a sale whose page is gone is rejected. What was read before stays in
 *   force while the list names the sale.
 */
export function createCivilView(site: CivilView) {
  const { countyId, baseUrl, name, getPage, findPage } = site;
  const cookies = createCookieJar(baseUrl);
  const listUrl = `${baseUrl}/Sales/SalesSearch?countyId=${encodeURIComponent(countyId)}`;
  let listed: ReadonlyMap<string, ListedSale> | undefined;

  return { listUrl, required, fetchSales };

  async function fetchSales(cursor: string | undefined) {
    const list = cursor === undefined || listed === undefined ? await beginSession() : listed;
    const { keys }: Place = cursor === undefined ? { keys: [...list.keys()] } : (JSON.parse(cursor) as Place);
    const now = keys.slice(0, salesPerPage);
    const rows: (RawRow | RowReject)[] = [];
    for (const key of now) {
      const row = await fetchSale(key);
      if (row !== undefined) rows.push(row);
    }
    const shown = rows.filter((row) => !isMissing(row));
    // A few links may be dead; when a full page of them is, the site has changed.
    if (shown.length === 0 && rows.length === salesPerPage) throw unreadable(name);
    if (shown.length > 1 && shown.every((row) => 'reject' in row)) throw unreadable(name);
    const rest = keys.slice(now.length);
    return { rows, nextCursor: rest.length === 0 ? undefined : JSON.stringify({ keys: rest } satisfies Place) };
  }

  /**
   * The list of all sales by key.
   *
   * @throws SourceError when the page is not the list, since an empty list would retire every sale
   */
  async function beginSession(): Promise<ReadonlyMap<string, ListedSale>> {
    cookies.clear();
    listed = readList(await getPage(listUrl, cookies));
    if (listed === undefined) throw unreadable(name);
    return listed;
  }

  /**
   * Another page appears when the session was lost or the site renumbered its pages; then the list is read again, once.
   * A sale removed from the list meanwhile is skipped.
   */
  async function fetchSale(key: string): Promise<RawRow | RowReject | undefined> {
    for (const list of [() => listed, beginSession]) {
      const sale = (await list())?.get(key);
      if (sale === undefined) return undefined;
      const html = await findPage(`${baseUrl}/Sales/SaleDetails?PropertyId=${sale.propertyId}`, cookies);
      if (html === undefined)
        return { reject: 'page_missing', key, detail: 'The list names the sale, but its page does not exist.' };
      const page = readSale(html, listUrl);
      if (page !== undefined && isOf(page, sale)) return { key, payload: page };
    }
    return { reject: 'row_unreadable', key, detail: 'The site does not show the page of the sale.' };
  }
}

function isMissing(row: RawRow | RowReject): boolean {
  return 'reject' in row && row.reject === 'page_missing';
}

function unreadable(name: string): SourceError {
  return new SourceError(
    'delivery_unreadable',
    `The pages of ${name} have changed: their columns or labels, or the pages themselves, were not found. Nothing is retired.`,
  );
}

/** A page marks labels and values by class; older pages use table rows. */
const labelClass = 'sale-detail-label';
const valueClass = 'sale-detail-value';

/** A sale on the list: the sheriff's number, and the site's own id, valid for some minutes. */
interface ListedSale {
  readonly sheriff: string;
  readonly propertyId: string;
}

/**
 * The sales of a county's list by key, which is the sheriff's number. When several properties share a number, the key
 * also has the address, so that none becomes another when one leaves the list. Undefined when the page is not a list.
 */
export function readList(html: string): ReadonlyMap<string, ListedSale> | undefined {
  const [table] = findTables(readHtml(html), ['sheriff', 'sales date']);
  if (table === undefined) return undefined;
  const { headers, rows } = table;
  const [number = -1, place = -1] = ['sheriff', 'address'].map((column) => headers.indexOf(column));
  const sales = new Map<string, ListedSale>();
  const ids = new Set<string>();
  const isShared = findRepeated(rows.map(({ cells }) => cells[number] ?? ''));
  for (const { cells, links } of rows) {
    const [propertyId] = links.flatMap((link) => /[?&]PropertyId=(\d{1,20})\b/i.exec(link)?.[1] ?? []);
    if (propertyId === undefined || ids.has(propertyId)) continue;
    ids.add(propertyId);
    const sheriff = cells[number] ?? '';
    const named =
      sheriff === '' || isShared.has(sheriff) ? `${sheriff} / ${cells[place] ?? ''}`.slice(0, 190) : sheriff;
    let key = named;
    for (let nth = 2; sales.has(key); nth += 1) key = `${named} / ${nth}`;
    sales.set(key, { sheriff, propertyId });
  }
  return sales;
}

function findRepeated(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.filter((text, index) => texts.indexOf(text) !== index));
}

/**
 * Parses the page of a sale; `url` is the public address to state for it. Undefined for another page, which the site
 * shows instead of an error.
 */
export function readSale(html: string, url: string): SalePage | undefined {
  const page = readHtml(html);
  const labels: SaleLabels = {};
  let before: string | undefined;
  for (const [label, value] of labelled(page))
    before = addLabel(labels, labelOf(textOf(label)), linesOf(value), before);
  if (labels.sheriff === undefined && labels['sales date'] === undefined) return undefined;
  const [table] = findTables(page, ['status', 'date']);
  const [status, date] = ['status', 'date'].map((column) => table?.headers.indexOf(column) ?? -1);
  const history = (table?.rows ?? []).map(({ cells }) => ({
    text: cells[status ?? -1] ?? '',
    date: cells[date ?? -1] ?? '',
  }));
  // A line in brackets is a button.
  return { labels, history: history.filter(({ text }) => !/^(\[.*\])?$/.test(text)), statusText: '', url };
}

/** The page itself names its sale: an id of the site may later lead to another sale. */
function isOf({ labels }: SalePage, { sheriff }: ListedSale): boolean {
  return sheriff === '' || labels.sheriff === undefined || labelOf(labels.sheriff.join(' ')) === labelOf(sheriff);
}

/** Labels with their values in page order: adjacent blocks, or table rows. */
function labelled(page: ReturnType<typeof readHtml>): (readonly [HtmlElement, HtmlElement])[] {
  const parts = findAll(page, (element) => hasClass(element, labelClass) || hasClass(element, valueClass));
  const blocks = parts.flatMap((label, index) => {
    const value = parts[index + 1];
    const isPair = hasClass(label, labelClass) && value !== undefined && hasClass(value, valueClass);
    return isPair ? [[label, value] as const] : [];
  });
  const lines = findAll(page, isTag('tr')).flatMap((line) => {
    const [label, value, ...others] = cellsOf(line);
    if (label === undefined || value === undefined || others.some((cell) => textOf(cell) !== '')) return [];
    // A label ends with a colon; rows of other tables do not.
    return /:\s*$/.test(textOf(label)) ? [[label, value] as const] : [];
  });
  return [...blocks, ...lines];
}
