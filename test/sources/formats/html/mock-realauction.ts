import type { ServerResponse } from 'node:http';
import { startMockServer } from '../../upstream/mock-server.js';

/** Waiting, running, closed. */
export type Area = 'W' | 'R' | 'C';

export interface Item {
  readonly aid: number;
  /** Default W. */
  readonly area?: Area;
  readonly kase?: string;
  /** Default: the hour of a waiting or running sale, and "called off" for a closed one. */
  readonly stats?: Stats;
  readonly more?: string;
  /** The lines of a county that has others. */
  readonly lines?: readonly (readonly [label: string, value: string])[];
  /** Labels with other names than before. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** The markup of a sale's lines. */
type Markup = 'td' | 'th' | 'div';

/** The box beside a sale: a label and its value. */
type Stats = readonly [label: string, value: string];

const areas: readonly Area[] = ['R', 'W', 'C'];

export const statsOf = (label: string, value: string): Stats => [label, value];
const startsOn = (day: string) => statsOf('Auction Starts', `${day} 10:00 AM ET`);
const calledOff = statsOf('Auction Status', 'Canceled per County');

/** The box of a sale, empty until the page's own script fills it. */
const boxOf = ([label, value]: Stats) =>
  `<div class="ASTAT_MSGA ASTAT_LBL">${label}</div><div class="ASTAT_MSGB Astat_DATA">${value}</div><div class="ASTAT_MSGC ASTAT_LBL"></div><div class="ASTAT_MSGD Astat_DATA"></div>`;
/** The same as sent to the script: two labels are letters. */
const statusOf = (aid: number, [label, value]: Stats) => {
  const sold = label === 'Auction Sold' ? { C: 'Amount', D: '$61,000.00', SL: 'Sold To', ST: '3rd Party Bidder' } : {};
  const code = { 'Auction Starts': 'A', 'Auction Status': 'B' }[label] ?? label;
  return { AID: String(aid), A: code, B: value, C: '', D: '', SL: '', ST: '', ...sold };
};

const itemHtml = (
  { aid, kase = `CV${aid} (1)`, more = '', renamed = {}, lines: own }: Item,
  markup: Markup = 'td',
  box: Stats = ['', ''],
) => {
  const lines = (
    own ?? [
      ['Case Status:', 'ACTIVE'],
      ['Case #:', `<a href="#">${kase}</a>`],
      ['Parcel ID:', '<a href="#">131-01-001</a>'],
      ['Property Address:', '100 EXAMPLE AVE'],
      ['', 'CLEVELAND , 441050000'],
      ['Appraised Value:', '$90,000.00'],
      ['Opening Bid:', '$60,000.00'],
      ['Deposit Requirement:', '$0.00'],
    ]
  ).map(([label = '', value = '']) => lineHtml(renamed[label] ?? label, value, markup));
  const details =
    markup === 'div' ? lines.join('') : `<table class="ad_tab"><tbody>${lines.join('')}${more}</tbody></table>`;
  return `<div class="AUCTION_ITEM PREVIEW" aid="${aid}"><div class="AUCTION_STATS">${boxOf(box)}</div><div class="AUCTION_DETAILS">${details}</div></div>`;
};
const lineHtml = (label: string, value: string, markup: Markup) =>
  markup === 'div'
    ? `<div class="AD_LBL">${label}</div><div class="AD_DTA">${value}</div>`
    : `<tr><${markup} class="AD_LBL">${label}</${markup}><td class="AD_DTA">${value}</td></tr>`;

/** As the site shortens its markup. */
export const abbreviate = (html: string) =>
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

/** A session's state: its day, and its last page of each area. */
interface Session {
  readonly day: string;
  readonly pages: Map<Area, number>;
}

/**
 * A mock server for RealAuction: calendar, preview, a loader that takes the day from the session, and results of the
 * session's last sales, at most ten. `rendered`: the preview as a browser has it.
 */
export async function startRealAuction(days: Record<string, Item[]>, rendered: boolean, thisMonth: string) {
  const state = {
    days,
    perPage: 2,
    active: undefined as number | undefined,
    scheduled: undefined as number | undefined,
    /** The calendar's earlier answers, in order. */
    activeBefore: [] as number[],
    isLost: (_session: string, _page: number, _area: Area) => false,
    /** Sales without a result. */
    untold: new Set<number>(),
    statusReply: undefined as string | undefined,
    at: new Map<string, Session>(),
    token: '',
    markup: 'th' as Markup,
  };
  const itemsOf = (day: string, area: Area) =>
    (state.days[day] ?? [])
      .filter((item) => (item.area ?? 'W') === area)
      .map((item) => ({ ...item, stats: item.stats ?? (area === 'C' ? calledOff : startsOn(day)) }));
  /** Running sales are not paged. */
  const pagesOf = (day: string, area: Area) =>
    area === 'R' ? 1 : Math.ceil(itemsOf(day, area).length / state.perPage);
  const pageOf = (day: string, area: Area, page: number) =>
    area === 'R' ? itemsOf(day, area) : itemsOf(day, area).slice((page - 1) * state.perPage, page * state.perPage);

  const calendar = (asked: URLSearchParams) => {
    const month = /'(\d{4})-(\d{2})/.exec(asked.get('selCalDate') ?? `'${thisMonth}`) ?? [];
    const box = (day: string) => {
      const toBeHeld = itemsOf(day, 'W').length + itemsOf(day, 'R').length;
      const active = state.activeBefore.shift() ?? state.active ?? toBeHeld;
      const scheduled = state.scheduled ?? new Set(state.days[day]?.map(({ aid }) => aid)).size;
      return `<div tabindex='0' class='CALBOX CALW5 CALSELF' dayid='${day}'><span class="CALACT">${active}</span> / <span class="CALSCH">${scheduled}</span> FC</div>`;
    };
    const boxes = Object.keys(state.days).filter(
      (day) => day.startsWith(`${month[2]}/`) && day.endsWith(`${month[1]}`),
    );
    return `<html><div class="CALBOX" dayid="11/01/2026"></div>${boxes.map(box).join('')}</html>`;
  };
  const preview = (day: string) => {
    const parts = areas.map((area) => {
      const shown = rendered ? pageOf(day, area, 1).map((item) => itemHtml(item, 'td', item.stats)) : [];
      const max = rendered ? pagesOf(day, area) : '';
      return `<div class="Head_${area}"><span id="curP${area}A">1</span> of <span id="max${area}A">${max}</span><div id="Area_${area}" arid="${area}">${shown.join('')}</div></div>`;
    });
    return `<html>${parts.join('')}</html>`;
  };
  const load = (asked: URLSearchParams, id: string) => {
    const area = asked.get('AREA') as Area;
    // The site turns to a page only this way; PageDir is relative to the session.
    const page = asked.get('doR') === '1' ? Math.max(1, Number(asked.get('bypassPage'))) : 1;
    const session = state.at.get(id);
    if (session === undefined || state.isLost(id, page - 1, area)) return { retHTML: '', rlist: '' };
    session.pages.set(area, page);
    const items = pageOf(session.day, area, page);
    const retHTML = abbreviate(items.map((item) => itemHtml(item, state.markup)).join('')) + state.token;
    return { retHTML, rlist: items.map(({ aid }) => aid).join(',') };
  };
  const tell = (asked: URLSearchParams, id: string) => {
    const { day, pages } = state.at.get(id) ?? { day: '', pages: new Map<Area, number>() };
    const wanted = new Set((asked.get('ref') ?? '').split(',').filter((aid) => aid !== ''));
    const seen = [...pages].flatMap(([area, page]) => pageOf(day, area, page));
    const told = wanted.size > 10 ? [] : seen.filter(({ aid }) => wanted.has(String(aid)) && !state.untold.has(aid));
    const AITEM = told.map(({ aid, stats }) => statusOf(aid, stats));
    return { PC: 0, WM: pagesOf(day, 'W'), CM: pagesOf(day, 'C'), ADATA: { COUNT: AITEM.length, AITEM } };
  };
  const answer = (asked: URLSearchParams, cookie: string, response: ServerResponse) => {
    const session = /cfid=(\w+)/.exec(cookie)?.[1] ?? '';
    if (asked.get('zmethod') === 'CALENDAR') return response.end(calendar(asked));
    if (asked.get('FNC') === 'LOAD') return response.end(JSON.stringify(load(asked, session)));
    if (asked.get('FNC') === 'UPDATE') return response.end(state.statusReply ?? JSON.stringify(tell(asked, session)));
    const day = asked.get('AuctionDate') ?? '';
    const id = `c${state.at.size + 1}`;
    state.at.set(id, { day, pages: new Map() });
    response.setHeader('set-cookie', [`cfid=${id}; Path=/`, 'cftoken=0; Path=/']);
    return response.end(preview(day));
  };
  const mockServer = await startMockServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://realauction');
    if (url.pathname === '/robots.txt') response.writeHead(404).end();
    else answer(url.searchParams, request.headers.cookie ?? '', response);
  });
  return { ...mockServer, state };
}
