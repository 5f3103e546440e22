import { startMockServer } from '../../upstream/mock-server.js';

export interface Sale {
  readonly id: number;
  /** Default: F- and the id. */
  readonly sheriff?: string;
  readonly court?: string;
  readonly date?: string;
  readonly address?: string;
  readonly history?: string;
  /** The lines of a county that has others, behind the number and the day. */
  readonly lines?: readonly (readonly [label: string, value: string])[];
}

const homePage = '<html><body><h3>Select a county</h3><table><tr><td>Example:</td></tr></table></body></html>';
export const sheriffOf = ({ id, sheriff = `F-${id}` }: Sale): string => sheriff;

/**
 * A mock server for CivilView. A sale's page is available only within the session of its list, under a number that
 * holds until the site renumbers all pages; other requests are redirected home.
 */
export async function startCivilView(sales: Sale[]) {
  const state = {
    sales,
    headers: ['Sheriff #', 'Sales Date', 'Plaintiff', 'Defendant', 'Address'],
    renamed: {} as Record<string, string>,
    sessions: new Set<string>(),
    gone: new Set<number>(),
    dead: new Map<number, number>(),
    charset: 'utf-8',
    form: 'blocks' as 'blocks' | 'table',
    /** Added to each id; another value makes all earlier links dead. */
    numbering: 900_000_000,
    /** Page numbers of the site that show another sale. */
    astray: new Map<number, Sale>(),
    onPage: (): void => undefined,
  };
  const cell = (text: string) => `<td>${text}</td>`;
  const mockServer = await startMockServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://civilview');
    response.setHeader('content-type', `text/html; charset=${state.charset}`);
    if (url.pathname === '/Home/Index') return void response.end(homePage);
    if (url.pathname === '/robots.txt' || !url.pathname.startsWith('/Sales/'))
      return void response.writeHead(404).end();
    const session = /ASP\.NET_SessionId=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    if (url.pathname === '/Sales/SalesSearch') {
      const id = `s${state.sessions.size + 1}`;
      state.sessions.add(id);
      response.setHeader('set-cookie', `ASP.NET_SessionId=${id}; path=/; HttpOnly; SameSite=Lax`);
      const byHeader: Record<string, (sale: Sale) => string> = {
        'Sheriff #': sheriffOf,
        'Sales Date': ({ date = '12/14/2026' }) => date,
        Address: ({ address = '100 Example Avenue<br />Cleveland OH 44105' }) => address.replace(/<br ?\/?>/, ' '),
      };
      const row = (sale: Sale) =>
        `<tr><td class="hidden-print"><a href="/Sales/SaleDetails?PropertyId=${state.numbering + sale.id}">Details</a></td>${state.headers
          .map((header) => cell(byHeader[header]?.(sale) ?? 'Example Bank...'))
          .join('')}</tr>`;
      return void response.end(
        `<html><body><table><tr><td>layout</td></tr></table><h3>Sales Listing</h3><table class="table"><thead><tr><th></th>${state.headers
          .map((header) => `<th>${header}</th>`)
          .join('')}</tr></thead><tbody>${state.sales.map(row).join('')}</tbody></table></body></html>`,
      );
    }
    state.onPage();
    const number = Number(url.searchParams.get('PropertyId'));
    const status = state.dead.get(number - state.numbering);
    if (status !== undefined) return void response.writeHead(status).end('<html><body>Not found</body></html>');
    const sale = state.astray.get(number) ?? state.sales.find(({ id }) => state.numbering + id === number);
    if (!state.sessions.has(session) || sale === undefined || state.gone.has(sale.id))
      return void response.writeHead(302, { location: '/Home/Index' }).end();
    const line = (label: string, value: string) => {
      const shown = state.renamed[label] ?? label;
      return state.form === 'table'
        ? `<tr><td class="heading-bold">${shown}</td><td>${value}</td><td class="DetailImageAlign"></td></tr>`
        : `<div class="sale-detail-item"><div class="sale-detail-label">${shown.replace(':', '&colon;')}</div><div class="sale-detail-value">${value}</div><div class="sale-detail-image"></div></div>`;
    };
    const own = sale.lines?.map(([label, value]) => line(label, value));
    const head = [line('Sheriff #:', sheriffOf(sale)), line('Sales Date:', sale.date ?? '12/14/2026')];
    const lines = own
      ? [...head, ...own]
      : [
          line('Sheriff #:', sheriffOf(sale)),
          line('Court Case #:', sale.court ?? 'CV-26-000001'),
          line('Sales Date:', sale.date ?? '12/14/2026'),
          line('Plaintiff:', 'Example Bank, N.A.'),
          line('Defendant:', 'Example Holdings LLC, et al.'),
          line(
            'Address:',
            `<a href="https://maps.example/">${sale.address ?? '100 Example Avenue<br />Cleveland OH 44105'}</a>`,
          ),
          line('Attorney:', 'Example &amp; Law LLC'),
          line('Approx. Judgment*:', '$145,099.02'),
          line('Upset Amount:', ''),
        ];
    const history = sale.history ?? statusLine('Scheduled', '12/14/2026');
    const list =
      state.form === 'table'
        ? `<table><tbody>${lines.join('\n')}</tbody></table>`
        : `<div class="sale-details-list">${lines.join('\n')}</div>`;
    const html = `<html><body>${list}<h3>Status History</h3><table id="longTable"><thead><tr><th>Status</th><th>Date</th></tr></thead><tbody>${history}${statusLine('[Collapse All]', '')}</tbody></table></body></html>`;
    response.end(Buffer.from(html, 'latin1'));
  });
  return { ...mockServer, state };
}

/** A line of a history in the site's format. */
export function statusLine(text: string, date: string): string {
  return `<tr><td>${text}</td><td>${date}</td></tr>`;
}
