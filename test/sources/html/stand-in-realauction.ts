import type { ServerResponse } from 'node:http';
import { startStandIn } from '../upstream/stand-in.js';

/** Waiting, running, closed. */
export type Area = 'W' | 'R' | 'C';

export interface Item {
  readonly aid: number;
  /** Default W. */
  readonly area?: Area;
  readonly kase?: string;
  readonly stats?: string;
  readonly more?: string;
  /** Labels that are not called as they were. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** How the lines of a sale are marked up. */
type Markup = 'td' | 'th' | 'div';

const perPage = 2;
const areas: readonly Area[] = ['R', 'W', 'C'];

/** What stands beside a sale's details. */
export const statsOf = (label: string, value: string) =>
  `<div class="ASTAT_MSGA ASTAT_LBL">${label}</div><div class="ASTAT_MSGB Astat_DATA">${value}</div>`;
export const startsOn = (day: string) => statsOf('Auction Starts', `${day} 10:00 AM ET`);

const itemHtml = ({ aid, kase = `CV${aid} (1)`, stats = '', more = '', renamed = {} }: Item, markup: Markup = 'td') => {
  const lines = [
    ['Case Status:', 'ACTIVE'],
    ['Case #:', `<a href="#">${kase}</a>`],
    ['Parcel ID:', '<a href="#">131-01-001</a>'],
    ['Property Address:', '100 EXAMPLE AVE'],
    ['', 'CLEVELAND , 441050000'],
    ['Appraised Value:', '$90,000.00'],
    ['Opening Bid:', '$60,000.00'],
    ['Deposit Requirement:', '$0.00'],
  ].map(([label = '', value = '']) => lineHtml(renamed[label] ?? label, value, markup));
  const details =
    markup === 'div' ? lines.join('') : `<table class="ad_tab"><tbody>${lines.join('')}${more}</tbody></table>`;
  return `<div class="AUCTION_ITEM PREVIEW" aid="${aid}"><div class="AUCTION_STATS">${stats}</div><div class="AUCTION_DETAILS">${details}</div></div>`;
};
const lineHtml = (label: string, value: string, markup: Markup) =>
  markup === 'div'
    ? `<div class="AD_LBL">${label}</div><div class="AD_DTA">${value}</div>`
    : `<tr><${markup} class="AD_LBL">${label}</${markup}><td class="AD_DTA">${value}</td></tr>`;

const abbreviate = (html: string) =>
  html
    .replaceAll('<tr><td ', '@H')
    .replaceAll('</td><td', '@F')
    .replaceAll('<div>', '@D')
    .replaceAll('p_back="NextCheck=', '@J')
    .replaceAll('style="Display:none"', '@K')
    .replaceAll('/index.cfm?zaction=auction&zmethod=details&AID=', '@L')
    .replaceAll('<div class="', '@A')
    .replaceAll('</div>', '@B')
    .replaceAll('</td></tr>', '@G')
    .replaceAll(' class="', '@C')
    .replaceAll('AUCTION', '@E')
    .replaceAll('table', '@I');

/** A stand-in for RealAuction: calendar, preview, and a loader that knows the day only from the session. */
export async function startRealAuction(days: Record<string, Item[]>, rendered: boolean, thisMonth: string) {
  const state = {
    days,
    active: undefined as number | undefined,
    /** What the calendar says the first times it is asked, before that. */
    activeBefore: [] as number[],
    isLost: (_session: string, _page: number, _area: Area) => false,
    at: new Map<string, { day: string; pages: Record<Area, number> }>(),
    token: '',
    markup: 'th' as Markup,
  };
  const itemsOf = (day: string, area: Area) =>
    (state.days[day] ?? [])
      .filter((item) => (item.area ?? 'W') === area)
      .map((item) => ({ ...item, stats: item.stats ?? startsOn(day) }));
  const calendar = (asked: URLSearchParams) => {
    const month = /'(\d{4})-(\d{2})/.exec(asked.get('selCalDate') ?? `'${thisMonth}`) ?? [];
    const activeOn = (day: string) =>
      state.activeBefore.shift() ?? state.active ?? itemsOf(day, 'W').length + itemsOf(day, 'R').length;
    const box = (day: string) =>
      `<div tabindex='0' class='CALBOX CALW5 CALSELF' dayid='${day}'><span class="CALACT">${activeOn(day)}</span> / <span class="CALSCH">9</span> FC</div>`;
    const boxes = Object.keys(state.days).filter(
      (day) => day.startsWith(`${month[2]}/`) && day.endsWith(`${month[1]}`),
    );
    return `<html><div class="CALBOX" dayid="11/01/2026"></div>${boxes.map(box).join('')}</html>`;
  };
  const preview = (day: string) => {
    const parts = areas.map((area) => {
      const items = itemsOf(day, area);
      const shown = rendered ? items.slice(0, perPage).map((item) => itemHtml(item)) : [];
      const max = rendered ? Math.ceil(items.length / perPage) : '';
      return `<div class="Head_${area}"><span id="curP${area}A">1</span> of <span id="max${area}A">${max}</span><div id="Area_${area}" arid="${area}">${shown.join('')}</div></div>`;
    });
    return `<html>${parts.join('')}</html>`;
  };
  const load = (asked: URLSearchParams, session: string) => {
    const id = /cfid=(\w+)/.exec(session)?.[1] ?? '';
    const area = asked.get('AREA') as Area;
    const place = state.at.get(id);
    if (place === undefined || state.isLost(id, place.pages[area], area)) return { retHTML: '', rlist: '' };
    const all = itemsOf(place.day, area);
    const last = Math.max(0, Math.ceil(all.length / perPage) - 1);
    const page = asked.get('doR') === '1' ? 0 : Math.min(place.pages[area] + 1, last);
    place.pages[area] = page;
    const items = all.slice(page * perPage, page * perPage + perPage);
    const retHTML = abbreviate(items.map((item) => itemHtml(item, state.markup)).join('')) + state.token;
    return { retHTML, rlist: items.map(({ aid }) => aid).join(',') };
  };
  const answer = (asked: URLSearchParams, session: string, response: ServerResponse) => {
    if (asked.get('zmethod') === 'CALENDAR') return response.end(calendar(asked));
    if (asked.get('zmethod') !== 'PREVIEW') return response.end(JSON.stringify(load(asked, session)));
    const day = asked.get('AuctionDate') ?? '';
    const id = `c${state.at.size + 1}`;
    state.at.set(id, { day, pages: { W: 0, R: 0, C: 0 } });
    response.setHeader('set-cookie', [`cfid=${id}; Path=/`, 'cftoken=0; Path=/']);
    return response.end(preview(day));
  };
  const standIn = await startStandIn((request, response) => {
    const url = new URL(request.url ?? '', 'http://realauction');
    if (url.pathname === '/robots.txt') response.writeHead(404).end();
    else answer(url.searchParams, request.headers.cookie ?? '', response);
  });
  return { ...standIn, state };
}
