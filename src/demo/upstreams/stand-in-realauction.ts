import type { DemoSale, DemoSaleStatus } from '../counties/create-sales.js';
import { dayNumberOf, writeAmericanDay } from '../counties/day-number.js';
import { escapeHtml, writeDollars } from './html-text.js';
import type { StandIn, StandInReply } from './stand-in.js';

const perPage = 3;
const maxSessions = 1_000;

/** The parts of a day's list: running, waiting and closed. No sale of the demonstration is seen while it is held. */
const areas = ['R', 'W', 'C'] as const;
type Area = (typeof areas)[number];

/** Where a session is: the day it looks at, and the page of each area that it saw last. */
interface Session {
  readonly day: string;
  readonly pages: Map<Area, number>;
}

/**
 * A stand-in for a county's RealAuction site: the calendar, the preview of a day, which holds no sales itself, and the
 * loader that the preview calls for each area. A sale that was sold or called off moves to the closed ones. The loader
 * abbreviates its markup and knows the day only from the session.
 */
export function createRealAuctionStandIn(readSales: (day: string) => readonly DemoSale[]): StandIn {
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
        body: renderPreview(sales, auctionDate),
      };
    }
    return load(sales, sessions.get(/cfid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''), url.searchParams);
  };
}

const html = { 'content-type': 'text/html; charset=utf-8' };

function renderCalendar(sales: readonly DemoSale[], asked: string | null, today: string): StandInReply {
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

function renderPreview(sales: readonly DemoSale[], day: string): string {
  const parts = areas.map((area) => {
    const pages = Math.ceil(salesIn(sales, day, area).length / perPage);
    return `<div class="Head_${area}"><span id="curP${area}A">1</span> of <span id="max${area}A">${pages}</span><div id="Area_${area}" arid="${area}"></div></div>`;
  });
  return `<!DOCTYPE html><html><body>${parts.join('')}</body></html>`;
}

function load(sales: readonly DemoSale[], session: Session | undefined, asked: URLSearchParams): StandInReply {
  if (session === undefined) return { headers: html, body: JSON.stringify({ retHTML: '', rlist: '' }) };
  const area = areas.find((each) => each === asked.get('AREA')) ?? 'W';
  const listed = salesIn(sales, session.day, area);
  const last = Math.max(0, Math.ceil(listed.length / perPage) - 1);
  const shown = asked.get('doR') === '1' ? 0 : Math.min((session.pages.get(area) ?? 0) + 1, last);
  session.pages.set(area, shown);
  const page = listed.slice(shown * perPage, (shown + 1) * perPage);
  const retHTML = abbreviate(page.map(renderItem).join(''));
  return {
    headers: html,
    body: JSON.stringify({ retHTML, rlist: page.map(({ number }) => number).join(',') }),
  };
}

/** What the site says of a sale that was not held, or not sold. */
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
  const [state, text] = stateOf(sale);
  const stats = `<div class="ASTAT_MSGA">${state}</div><div class="ASTAT_MSGB">${text}</div>`;
  const rows = lines.map(
    ([label, value]) => `<tr><th class="AD_LBL">${label}</th><td class="AD_DTA">${value}</td></tr>`,
  );
  return `<div class="AUCTION_ITEM PREVIEW" aid="${sale.number}"><div class="AUCTION_STATS">${stats}</div><div class="AUCTION_DETAILS"><table class="ad_tab"><tbody>${rows.join('')}</tbody></table></div></div>`;
}

function stateOf({ saleDate, status }: DemoSale): readonly [label: string, value: string] {
  const day = writeAmericanDay(saleDate);
  if (status === 'sold') return ['Auction Sold', `${day} 10:07 AM ET`];
  const words = closedWords[status];
  return words === undefined ? ['Auction Starts', `${day} 10:00 AM ET`] : ['Auction Status', words];
}

function salesIn(sales: readonly DemoSale[], american: string, area: Area): readonly DemoSale[] {
  return sales.filter((sale) => writeAmericanDay(sale.saleDate) === american && area === (isStillOn(sale) ? 'W' : 'C'));
}

function isStillOn({ status }: DemoSale): boolean {
  return status === 'scheduled' || status === 'adjourned';
}

function abbreviate(markup: string): string {
  return markup
    .replaceAll('<div class="', '@A')
    .replaceAll('</div>', '@B')
    .replaceAll('</td></tr>', '@G')
    .replaceAll(' class="', '@C')
    .replaceAll('AUCTION', '@E')
    .replaceAll('table', '@I');
}
