import type { DemoSale, DemoSaleStatus } from '../../../src/demo/counties/create-sales.js';
import { dayNumberOf } from '../../../src/demo/counties/day-number.js';
import { escapeHtml, type MockReply, type MockServer, writeAmericanDay, writeDollars } from './mock-server.js';
import { abbreviate } from '../formats/html/mock-realauction.js';

const perPage = 3;
/** For more sales at once the site returns nothing. */
const maxAsked = 10;
const maxSessions = 1_000;

/** The areas of a day's list: running, waiting and closed. No demonstration sale is ever running. */
const areas = ['R', 'W', 'C'] as const;
type Area = (typeof areas)[number];

/** The state of a session: its day, and the page last shown of each area. */
interface Session {
  readonly day: string;
  readonly pages: Map<Area, number>;
}

/**
 * A mock server for a county's RealAuction site: the calendar, the preview of a day without sales, the loader of each
 * page of an area, and the reply with statuses. A sold or canceled sale moves to the closed area.
 *
 * The loader abbreviates its markup, leaves statuses empty and takes the day from the session. Statuses are returned
 * only for the sales last shown in the session, ten at most.
 */
export function createMockRealAuction(readSales: (day: string) => readonly DemoSale[]): MockServer {
  const sessions = new Map<string, Session>();
  return ({ url, headers, day }) => {
    const sales = readSales(day);
    const method = url.searchParams.get('zmethod');
    if (url.pathname !== '/index.cfm') return { status: 404, body: '' };
    if (method === 'CALENDAR') return renderCalendar(sales, url.searchParams.get('selCalDate'), day);
    if (method === 'PREVIEW') {
      if (sessions.size >= maxSessions) sessions.clear();
      const id = `d${sessions.size + 1}`;
      const auctionDate = url.searchParams.get('AuctionDate') ?? '';
      sessions.set(id, { day: auctionDate, pages: new Map() });
      return {
        headers: { ...html, 'set-cookie': [`cfid=${id}; Path=/`, 'cftoken=0; Path=/'] },
        body: preview,
      };
    }
    const session = sessions.get(/cfid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? '');
    const answer = url.searchParams.get('FNC') === 'UPDATE' ? tell : load;
    return { headers: html, body: JSON.stringify(answer(sales, session, url.searchParams)) };
  };
}

const html = { 'content-type': 'text/html; charset=utf-8' };

function renderCalendar(sales: readonly DemoSale[], asked: string | null, today: string): MockReply {
  const month = /\{ts '(\d{4}-\d{2})/.exec(asked ?? '')?.[1] ?? today.slice(0, 7);
  const first = dayNumberOf(`${month}-01`);
  const days = [...new Set(sales.map(({ saleDate }) => saleDate))].filter((day) => day.startsWith(month)).sort();
  const boxes = days.map((day) => {
    const onDay = sales.filter(({ saleDate }) => saleDate === day);
    const active = onDay.filter((sale) => isStillOn(sale) && day >= today).length;
    return `<div tabindex="0" class="CALBOX CALW${Math.floor((dayNumberOf(day) - first) / 7) + 1} CALSELF" dayid="${writeAmericanDay(day)}"><span class="CALACT">${active}</span> / <span class="CALSCH">${onDay.length}</span> FC</div>`;
  });
  return {
    headers: html,
    body: `<!DOCTYPE html><html><body><div class="CALBOX CALEMPTY"></div>${boxes.join('')}</body></html>`,
  };
}

/** A script of the page counts the pages too. */
const preview = `<!DOCTYPE html><html><body>${areas
  .map(
    (area) =>
      `<div class="Head_${area}"><span id="curP${area}A"></span> of <span id="max${area}A"></span><div id="Area_${area}" area="${area}"></div></div>`,
  )
  .join('')}</body></html>`;

function load(sales: readonly DemoSale[], session: Session | undefined, asked: URLSearchParams): object {
  if (session === undefined) return { retHTML: '', rlist: '' };
  const area = areas.find((each) => each === asked.get('AREA')) ?? 'W';
  session.pages.set(area, Math.max(1, Number(asked.get('bypassPage'))));
  const page = pageOf(sales, session, area);
  return { retHTML: abbreviate(page.map(renderItem).join('')), rlist: page.map(({ number }) => number).join(',') };
}

function tell(sales: readonly DemoSale[], session: Session | undefined, asked: URLSearchParams): object {
  const wanted = new Set((asked.get('ref') ?? '').split(',').filter((number) => number !== ''));
  const seen = session === undefined ? [] : areas.flatMap((area) => pageOf(sales, session, area));
  const told = wanted.size > maxAsked ? [] : seen.filter(({ number }) => wanted.has(String(number)));
  const AITEM = told.map((sale) => {
    const [A, B] = stateOf(sale);
    return { AID: String(sale.number), A, B };
  });
  const pages = (area: Area) => Math.ceil(salesIn(sales, session?.day ?? '', area).length / perPage);
  return { WM: pages('W'), CM: pages('C'), ADATA: { COUNT: AITEM.length, AITEM } };
}

/** The page of an area last shown in the session. */
function pageOf(sales: readonly DemoSale[], { day, pages }: Session, area: Area): readonly DemoSale[] {
  const page = pages.get(area) ?? 0;
  return page === 0 ? [] : salesIn(sales, day, area).slice((page - 1) * perPage, page * perPage);
}

/** The site's wording for a sale that was not held or not sold. */
const closedWords: Readonly<Partial<Record<DemoSaleStatus, string>>> = {
  withdrawn: 'Redeemed',
  cancelled: 'Canceled per Order',
  no_bid: 'No Bids',
};

function renderItem(sale: DemoSale): string {
  const { address, city, zip, parcelId } = sale.property;
  const lines: readonly (readonly [string, string])[] = [
    ['Case Status:', isStillOn(sale) ? 'ACTIVE' : 'CLOSED'],
    ['Case #:', `<a href="#">${sale.caseNumber} (${(sale.number % 3) + 1})</a>`],
    ['Parcel ID:', `<a href="#">${parcelId}</a>`],
    ['Property Address:', escapeHtml(address)],
    ['', `${escapeHtml(city)} , ${zip}0000`],
    ['Appraised Value:', writeDollars(sale.appraised)],
    ['Opening Bid:', writeDollars(sale.openingBid)],
    ['Deposit Requirement:', sale.appraised > 200_000 ? '$10,000.00' : '$5,000.00'],
  ];
  const stats = '<div class="ASTAT_MSGA ASTAT_LBL"></div><div class="ASTAT_MSGB Astat_DATA"></div>';
  const rows = lines.map(
    ([label, value]) => `<tr><th class="AD_LBL">${label}</th><td class="AD_DTA">${value}</td></tr>`,
  );
  return `<div class="AUCTION_ITEM PREVIEW" aid="${sale.number}"><div class="AUCTION_STATS">${stats}</div><div class="AUCTION_DETAILS"><table class="ad_tab"><tbody>${rows.join('')}</tbody></table></div></div>`;
}

/** "Auction Starts" and "Auction Status" are abbreviated to letters. */
function stateOf({ saleDate, status }: DemoSale): readonly [label: string, value: string] {
  const day = writeAmericanDay(saleDate);
  if (status === 'sold') return ['Auction Sold', `${day} 10:07 AM ET`];
  const words = closedWords[status];
  return words === undefined ? ['A', `${day} 10:00 AM ET`] : ['B', words];
}

function salesIn(sales: readonly DemoSale[], american: string, area: Area): readonly DemoSale[] {
  return sales.filter((sale) => writeAmericanDay(sale.saleDate) === american && area === (isStillOn(sale) ? 'W' : 'C'));
}

function isStillOn({ status }: DemoSale): boolean {
  return status === 'scheduled' || status === 'adjourned';
}
