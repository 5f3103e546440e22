import { createCookieJar } from '../../upstream/cookie-jar.js';
import {
  type Area,
  type PreviewedArea,
  readLoaded,
  readPreview,
  type ShownSales,
  maxAsked,
  readStatuses,
  type SaidOfSale,
} from './realauction-pages.js';
import type { SalesSite } from './sales-site.js';

/** A site with more pages than this for one area of a day is not as expected. */
const maxPages = 100;

/** The sales read for a day, and the address of its preview. */
export interface DayRead {
  readonly url: string;
  /** By area, in the order read. */
  readonly areas: readonly (readonly [Area, ShownSales])[];
}

/**
 * Reads areas of a day (`MM/DD/YYYY`) in one session, page by page, and the status of each sale. The site returns
 * statuses in a separate reply, for the page last shown in the session. Undefined unless every page and status that the
 * site counts was read; an area may be empty.
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

  /** `page`: 0 is the first page, as the page of the day requests it, 2 the next. */
  async function load(area: Area, page: number): Promise<ShownSales> {
    const loader = `${index}?zaction=AUCTION&Zmethod=UPDATE&FNC=LOAD&AREA=${area}&PageDir=0&doR=1&bypassPage=${page}`;
    return readLoaded(await getPage(loader, cookies), name);
  }

  /** Adds the missing statuses. The running sale has a page of its own, which the site does not count. */
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
