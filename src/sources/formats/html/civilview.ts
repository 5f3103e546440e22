import { createCookieJar } from '../../upstream/cookie-jar.js';
import { SourceError } from '../../source-error.js';
import type { RawRow, RowReject } from '../../source.js';
import { isOf, type ListedSale, readList, readSale } from './civilview-pages.js';
import { labelsOf } from './parse-sale.js';
import type { SalesSite } from './sales-site.js';

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
