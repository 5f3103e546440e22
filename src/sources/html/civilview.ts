import { createCookieJar } from '../upstream/cookie-jar.js';
import { SourceError } from '../source-error.js';
import type { RawRow, RowReject } from '../source.js';
import { labelsOf, type SalePage } from './parse-sale.js';
import { cellsOf, findAll, findTables, isTag, labelOf, linesOf, readHtml, textOf } from './read-html.js';
import { addLabel, type SaleLabels } from './sale-labels.js';
import type { SalesSite } from './sales-site.js';

const salesPerPage = 20;

/** What every sale on the site has; not each county names the court's case beside the sheriff's. */
const required = [['sheriff', ...labelsOf.caseNumber], labelsOf.saleDate, labelsOf.address];

/** The sales that are still to be read, by the site's own number. */
interface Place {
  readonly ids: readonly string[];
}

export interface CivilView extends SalesSite {
  /** The county's number on the site, as in `SalesSearch?countyId=2`. */
  readonly countyId: string;
}

/**
 * CivilView's pages of one county: the list of all sales, then the page of each. The page of a sale is shown only within
 * the session that the list began. A sale keeps its number when it is adjourned; that number is its key. Columns are
 * found by their headers. The list shortens what it shows and names no case, so a sale whose page is gone is refused, and
 * what was read of it before stays in force while the list names it.
 */
export function createCivilView(site: CivilView) {
  const { countyId, baseUrl, name, getPage, findPage } = site;
  const cookies = createCookieJar(baseUrl);
  const listUrl = `${baseUrl}/Sales/SalesSearch?countyId=${encodeURIComponent(countyId)}`;

  return { listUrl, required, fetchSales };

  async function fetchSales(cursor: string | undefined) {
    const { ids }: Place = cursor === undefined ? { ids: await beginSession() } : (JSON.parse(cursor) as Place);
    if (cursor !== undefined && cookies.isEmpty) await beginSession();
    const now = ids.slice(0, salesPerPage);
    const rows: (RawRow | RowReject)[] = [];
    for (const id of now) rows.push(await fetchSale(id));
    const shown = rows.filter((row) => !isMissing(row));
    // A few links may be dead; where a full page of them is, the pages have moved.
    if (shown.length === 0 && rows.length === salesPerPage) throw unreadable(name);
    if (shown.length > 1 && shown.every((row) => 'reject' in row)) throw unreadable(name);
    const rest = ids.slice(now.length);
    return { rows, nextCursor: rest.length === 0 ? undefined : JSON.stringify({ ids: rest } satisfies Place) };
  }

  /** The list of all sales. Throws when the page is not the list, since an empty one would retire every sale. */
  async function beginSession(): Promise<readonly string[]> {
    cookies.clear();
    const [table] = findTables(readHtml(await getPage(listUrl, cookies)), ['sheriff', 'sales date']);
    if (table === undefined) throw unreadable(name);
    const links = table.rows.flatMap((row) => row.links);
    return [...new Set(links.flatMap((link) => /[?&]PropertyId=(\d{1,20})\b/i.exec(link)?.[1] ?? []))];
  }

  /** Without a valid session another page is shown; then a new one is begun, once. */
  async function fetchSale(id: string): Promise<RawRow | RowReject> {
    const url = `${baseUrl}/Sales/SaleDetails?PropertyId=${id}`;
    for (const isRenewed of [false, true]) {
      if (isRenewed) await beginSession();
      const html = await findPage(url, cookies);
      if (html === undefined)
        return { reject: 'page_missing', key: id, detail: 'The list names the sale, but its page is not there.' };
      const sale = readSale(html, url);
      if (sale !== undefined) return { key: id, payload: sale };
    }
    return { reject: 'row_unreadable', key: id, detail: 'The page of the sale is not shown.' };
  }
}

function isMissing(row: RawRow | RowReject): boolean {
  return 'reject' in row && row.reject === 'page_missing';
}

function readSale(html: string, url: string): SalePage | undefined {
  const page = readHtml(html);
  const labels: SaleLabels = {};
  let before: string | undefined;
  for (const line of findAll(page, isTag('tr'))) {
    const [label, value, ...others] = cellsOf(line);
    // A label ends with a colon; lines of other tables do not.
    if (label === undefined || value === undefined || others.some((cell) => textOf(cell) !== '')) continue;
    if (/:\s*$/.test(textOf(label))) before = addLabel(labels, labelOf(textOf(label)), linesOf(value), before);
  }
  if (labels.sheriff === undefined && labels['sales date'] === undefined) return undefined;
  const [table] = findTables(page, ['status', 'date']);
  const [status, date] = ['status', 'date'].map((column) => table?.headers.indexOf(column) ?? -1);
  const history = (table?.rows ?? []).map(({ cells }) => ({
    text: cells[status ?? -1] ?? '',
    date: cells[date ?? -1] ?? '',
  }));
  return { labels, history: history.filter(({ text }) => text !== ''), statusText: '', url };
}

function unreadable(name: string): SourceError {
  return new SourceError(
    'delivery_unreadable',
    `The pages of ${name} are not as they were: their columns or labels, or the pages themselves, are not found. Nothing is retired.`,
  );
}
