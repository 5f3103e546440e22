import { createCookieJar } from '../../upstream/cookie-jar.js';
import { SourceError } from '../../source-error.js';
import type { RawRow, RowReject } from '../../source.js';
import { isOf, type ListedSale, readList, readSale } from './civilview-pages.js';
import { labelsOf } from './parse-sale.js';
import type { SalesSite } from './sales-site.js';

const salesPerPage = 20;

/** What every sale on the site has; not each county names the court's case beside the sheriff's. */
const required = [['sheriff', ...labelsOf.caseNumber], labelsOf.saleDate, labelsOf.address];

/** The sales that are still to be read, by their keys. */
interface Place {
  readonly keys: readonly string[];
}

export interface CivilView extends SalesSite {
  /** The county's number on the site, as in `SalesSearch?countyId=2`. */
  readonly countyId: string;
}

/**
 * CivilView's pages of one county: the list of all sales, then the page of each, which is shown only within the session
 * that the list began. The site numbers all its pages anew every few minutes, so a sale's key is the sheriff's number:
 * it stays when the sale is adjourned. A page that is not shown any more is looked for once more by a new list, and a
 * sale's address for people is that of the list, since a page's own is dead soon. Columns are found by their headers.
 * The list shortens what it shows and names no case, so a sale whose page is gone is refused, and what was read of it
 * before stays in force while the list names it.
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
    // A few links may be dead; where a full page of them is, the pages have moved.
    if (shown.length === 0 && rows.length === salesPerPage) throw unreadable(name);
    if (shown.length > 1 && shown.every((row) => 'reject' in row)) throw unreadable(name);
    const rest = keys.slice(now.length);
    return { rows, nextCursor: rest.length === 0 ? undefined : JSON.stringify({ keys: rest } satisfies Place) };
  }

  /** The list of all sales by key. Throws when the page is not the list, since an empty one would retire every sale. */
  async function beginSession(): Promise<ReadonlyMap<string, ListedSale>> {
    cookies.clear();
    listed = readList(await getPage(listUrl, cookies));
    if (listed === undefined) throw unreadable(name);
    return listed;
  }

  /**
   * Another page is shown where the session was lost, or where the site numbered its pages anew; then the list is read,
   * once. Of a sale that was taken off the list meanwhile there is nothing to tell.
   */
  async function fetchSale(key: string): Promise<RawRow | RowReject | undefined> {
    for (const list of [() => listed, beginSession]) {
      const sale = (await list())?.get(key);
      if (sale === undefined) return undefined;
      const html = await findPage(`${baseUrl}/Sales/SaleDetails?PropertyId=${sale.propertyId}`, cookies);
      if (html === undefined)
        return { reject: 'page_missing', key, detail: 'The list names the sale, but its page is not there.' };
      const page = readSale(html, listUrl);
      if (page !== undefined && isOf(page, sale)) return { key, payload: page };
    }
    return { reject: 'row_unreadable', key, detail: 'The page of the sale is not shown.' };
  }
}

function isMissing(row: RawRow | RowReject): boolean {
  return 'reject' in row && row.reject === 'page_missing';
}

function unreadable(name: string): SourceError {
  return new SourceError(
    'delivery_unreadable',
    `The pages of ${name} are not as they were: their columns or labels, or the pages themselves, are not found. Nothing is retired.`,
  );
}
