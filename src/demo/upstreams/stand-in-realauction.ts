import type { DemoSale } from '../counties/create-sales.js';
import { dayNumberOf, writeAmericanDay } from '../counties/day-number.js';
import { escapeHtml, writeDollars } from './html-text.js';
import type { StandIn, StandInReply } from './stand-in.js';

const perPage = 3;
const maxSessions = 1_000;

/** Where a session is: the day it looks at, and the page it saw last. */
interface Session {
  day: string;
  page: number;
}

/**
 * A stand-in for a county's RealAuction site: the calendar, the preview of a day, which holds no sales itself, and the
 * loader that the preview calls. The loader abbreviates its markup and knows the day only from the session.
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
      sessions.set(id, { day: auctionDate, page: 0 });
      const pages = Math.ceil(salesOn(sales, auctionDate).length / perPage);
      return {
        headers: { ...html, 'set-cookie': [`cfid=${id}; Path=/`, 'cftoken=0; Path=/'] },
        body: `<!DOCTYPE html><html><body><div class="Head_W"><span id="curPWA">1</span> of <span id="maxWA">${pages}</span><div id="Area_W"></div></div></body></html>`,
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

function load(sales: readonly DemoSale[], session: Session | undefined, asked: URLSearchParams): StandInReply {
  if (session === undefined) return { headers: html, body: JSON.stringify({ retHTML: '', rlist: '' }) };
  const onDay = salesOn(sales, session.day);
  const last = Math.max(0, Math.ceil(onDay.length / perPage) - 1);
  session.page = asked.get('doR') === '1' ? 0 : Math.min(session.page + 1, last);
  const page = onDay.slice(session.page * perPage, (session.page + 1) * perPage);
  const retHTML = abbreviate(page.map(renderItem).join(''));
  return {
    headers: html,
    body: JSON.stringify({ retHTML, rlist: page.map(({ number }) => number).join(',') }),
  };
}

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
  const [state, text] = isStillOn(sale)
    ? ['Auction Starts', `${writeAmericanDay(sale.saleDate)} 10:00 AM ET`]
    : ['Auction Status', sale.status === 'withdrawn' ? 'Redeemed' : 'Canceled'];
  const stats = `<div class="ASTAT_MSGA">${state}</div><div class="ASTAT_MSGB">${text}</div>`;
  const rows = lines.map(
    ([label, value]) => `<tr><th class="AD_LBL">${label}</th><td class="AD_DTA">${value}</td></tr>`,
  );
  return `<div class="AUCTION_ITEM PREVIEW" aid="${sale.number}"><div class="AUCTION_STATS">${stats}</div><div class="AUCTION_DETAILS"><table class="ad_tab"><tbody>${rows.join('')}</tbody></table></div></div>`;
}

function salesOn(sales: readonly DemoSale[], american: string): readonly DemoSale[] {
  return sales.filter(({ saleDate }) => writeAmericanDay(saleDate) === american);
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
