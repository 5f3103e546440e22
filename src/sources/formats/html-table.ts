import { expectColumns } from './expect-columns.js';
import { createCivilView } from './html/civilview.js';
import { decodePage } from './html/decode-page.js';
import { parseSale, type SaleCounty, type SalePage } from './html/parse-sale.js';
import { createRealAuction } from './html/realauction.js';
import type { SalesSite } from './html/sales-site.js';
import { localDateOf } from '../../places/metros/local-date-of.js';
import { accessOf, type SourceAccess } from '../source-access.js';
import type { RawRow, RowReject, PagedSource } from '../source.js';
import type { CookieJar } from '../upstream/cookie-jar.js';
import { isObject } from '../upstream/get-json.js';

const maxPageBytes = 8 * 1024 * 1024;
/** Pages show a label even without a value, so a few sales are enough to check. */
const minSales = 3;

/** The known site on which a county publishes its sales. */
export type SalesSiteName =
  { readonly site: 'civilview'; readonly countyId: string } | { readonly site: 'realauction'; readonly months: number };

export type HtmlTableSource = SourceAccess & SaleCounty & SalesSiteName;

/**
 * A county's sheriff sales as a source, read from web pages made for people, so robots.txt is obeyed. Fields are found
 * by headers and labels. A page without them fails the run instead of retiring every sale; so do sales that all lack a
 * label which the site gives to each.
 */
export function createHtmlTableSource(source: HtmlTableSource): PagedSource<'auctions'> {
  const { name, licence, upstream, now, baseUrl, countyFips, state } = source;
  const ask = (url: string, cookies: CookieJar, expects: readonly number[]) =>
    upstream.get({
      ...accessOf(source),
      url,
      cookies,
      expects,
      accept: 'text/html',
      obeysRobots: true,
      maxBytes: maxPageBytes,
    });
  const site: SalesSite = {
    name,
    baseUrl,
    getPage: async (url, cookies) => decodePage(await ask(url, cookies, [])),
    async findPage(url, cookies) {
      const reply = await ask(url, cookies, [404, 410]);
      return reply.status === 200 ? decodePage(reply) : undefined;
    },
  };
  const reader =
    source.site === 'civilview'
      ? createCivilView({ ...site, countyId: source.countyId })
      : createRealAuction({ ...site, months: source.months, today: () => localDateOf(countyFips, now()) });

  return {
    name,
    kind: 'html-table',
    delivers: 'auctions',
    licence,
    async fetchPage(cursor) {
      const sales = await reader.fetchSales(cursor);
      const rows = sales.rows.flatMap(labelsIn);
      expectColumns({ name, rows, columns: reader.required, minRows: minSales });
      return { ...sales, fetchedAt: now(), sourceUrl: reader.listUrl };
    },
    parse({ key, payload }, note) {
      return isSalePage(payload)
        ? parseSale(payload, key, { countyFips, state }, note)
        : { reject: 'row_unreadable', key, detail: 'The row is not the page of a sale.' };
    },
  };
}

function labelsIn(row: RawRow | RowReject): readonly object[] {
  return 'payload' in row && isSalePage(row.payload) ? [row.payload.labels] : [];
}

function isSalePage(payload: unknown): payload is SalePage {
  return isObject(payload) && isObject(payload.labels) && Array.isArray(payload.history);
}
