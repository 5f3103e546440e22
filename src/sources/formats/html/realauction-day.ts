import { createCookieJar } from '../../upstream/cookie-jar.js';
import { type Area, type PreviewedArea, readLoaded, readPreview, type ShownSales } from './realauction-pages.js';
import { maxAsked, readStatuses, type SaidOfSale } from './realauction-statuses.js';
import type { SalesSite } from './sales-site.js';

/** A site with more pages for one area of a day than this is not what it was taken for. */
const maxPages = 100;

/** What was found of a day, and the address of its preview. */
export interface DayRead {
  readonly url: string;
  /** By area, in the order in which they were read. */
  readonly areas: readonly (readonly [Area, ShownSales])[];
}

/**
 * Reads some areas of a day (`MM/DD/YYYY`) in one session, page by page, and of each sale what has become of it, which
 * the site tells in a reply of its own and for the page that the session saw last. Undefined unless all came that the
 * site counts: each page, and a word on each sale. An area may well have none.
 */
export async function readDay(
  { baseUrl, name, getPage }: Pick<SalesSite, 'baseUrl' | 'name' | 'getPage'>,
  day: string,
  areas: readonly Area[],
): Promise<DayRead | undefined> {
  const cookies = createCookieJar(baseUrl);
  const index = `${baseUrl}/index.cfm`;
  const url = `${index}?zaction=AUCTION&zmethod=PREVIEW&AuctionDate=${encodeURIComponent(day)}`;
  const preview = readPreview(await getPage(url, cookies));
  const read: [Area, ShownSales][] = [];
  for (const area of areas) {
    const sales = await readArea(preview[area], area);
    if (sales === undefined) return undefined;
    read.push([area, sales]);
  }
  return { url, areas: read };

  async function readArea({ shown, pages: previewed }: PreviewedArea, area: Area): Promise<ShownSales | undefined> {
    const first = await tell(shown.size === 0 ? await load(area, 0) : shown, area);
    if (first === undefined) return undefined;
    const sales = new Map(first.sales);
    const pages = Math.min(maxPages, first.pages ?? previewed ?? 1);
    for (let page = 2; page <= pages; page += 1) {
      const before = sales.size;
      const next = await tell(await load(area, page), area);
      for (const [aid, sale] of next?.sales ?? []) if (!sales.has(aid)) sales.set(aid, sale);
      if (sales.size === before) return undefined;
    }
    return sales;
  }

  /** `page`: 0 is the first one, as the page of the day asks for it, 2 the next. */
  async function load(area: Area, page: number): Promise<ShownSales> {
    const loader = `${index}?zaction=AUCTION&Zmethod=UPDATE&FNC=LOAD&AREA=${area}&PageDir=0&doR=1&bypassPage=${page}`;
    return readLoaded(await getPage(loader, cookies), name);
  }

  /** Fills the empty boxes. The sale that runs is on a page of its own, which the site does not count. */
  async function tell(shown: ShownSales, area: Area) {
    const untold = [...shown].filter(([, { statusText }]) => statusText === '').map(([aid]) => aid);
    const said = new Map<string, SaidOfSale>();
    let pages: number | undefined;
    for (let start = 0; start < untold.length; start += maxAsked) {
      const asked = untold.slice(start, start + maxAsked);
      const reply = `${index}?zaction=AUCTION&ZMETHOD=UPDATE&FNC=UPDATE&ref=${asked.map((aid) => `${encodeURIComponent(aid)},`).join('')}`;
      const told = readStatuses(await getPage(reply, cookies), name);
      if (!asked.every((aid) => told.said.has(aid))) return undefined;
      for (const [aid, each] of told.said) said.set(aid, each);
      if (area !== 'R') pages = told.pages[area];
    }
    const sales = [...shown].map(([aid, sale]) => {
      const words = said.get(aid);
      return [aid, words ? { ...sale, ...words, labels: { ...sale.labels, ...words.labels } } : sale] as const;
    });
    return { sales: new Map(sales), pages };
  }
}
