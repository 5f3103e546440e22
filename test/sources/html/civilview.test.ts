import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import { createHtmlTableSource } from '../../../src/sources/html-table.js';
import { accessTo } from '../access.js';
import { readSource } from '../read-source.js';
import { rejects, type StandIn, startStandIn } from '../upstream/stand-in.js';

const county = { countyFips: '39035', state: 'OH', timeZone: 'America/New_York' };
const notPublished = absent('not_published_by_source');
const notStated = absent('not_stated_by_source');

interface Sale {
  readonly id: number;
  readonly date?: string;
  readonly address?: string;
  readonly history?: string;
  readonly extra?: string;
}

/** A stand-in for CivilView: the page of a sale is shown only within the session that the list began. */
async function startCivilView(sales: Sale[]) {
  const state = {
    sales,
    headers: ['Sheriff #', 'Sales Date', 'Plaintiff', 'Defendant', 'Address'],
    renamed: {} as Record<string, string>,
    sessions: new Set<string>(),
    gone: new Set<number>(),
    dead: new Map<number, number>(),
    charset: 'utf-8',
  };
  const cell = (text: string) => `<td>${text}</td>`;
  const standIn = await startStandIn((request, response) => {
    const url = new URL(request.url ?? '', 'http://civilview');
    if (url.pathname === '/robots.txt' || !url.pathname.startsWith('/Sales/'))
      return void response.writeHead(404).end();
    response.setHeader('content-type', `text/html; charset=${state.charset}`);
    const session = /ASP\.NET_SessionId=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    if (url.pathname === '/Sales/SalesSearch') {
      const id = `s${state.sessions.size + 1}`;
      state.sessions.add(id);
      response.setHeader('set-cookie', `ASP.NET_SessionId=${id}; path=/; HttpOnly; SameSite=Lax`);
      const byHeader: Record<string, (sale: Sale) => string> = {
        'Sheriff #': ({ id }) => `F-${id}`,
        'Sales Date': ({ date = '12/14/2026' }) => date,
      };
      const row = (sale: Sale) =>
        `<tr><td class="hidden-print"><a href="/Sales/SaleDetails?PropertyId=${sale.id}">Details</a></td>${state.headers
          .map((header) => cell(byHeader[header]?.(sale) ?? 'Example Bank...'))
          .join('')}</tr>`;
      return void response.end(
        `<html><body><table><tr><td>layout</td></tr></table><h3>Sales Listing</h3><table class="table"><thead><tr><th></th>${state.headers
          .map((header) => `<th>${header}</th>`)
          .join('')}</tr></thead><tbody>${state.sales.map(row).join('')}</tbody></table></body></html>`,
      );
    }
    const status = state.dead.get(Number(url.searchParams.get('PropertyId')));
    if (status !== undefined) return void response.writeHead(status).end('<html><body>Not found</body></html>');
    const sale = state.sales.find(({ id }) => `${id}` === url.searchParams.get('PropertyId'));
    if (!state.sessions.has(session) || sale === undefined || state.gone.has(sale.id)) {
      return void response.end(
        '<html><body><h3>Select a county</h3><table><tr><td>Example:</td></tr></table></body></html>',
      );
    }
    const line = (label: string, value: string) =>
      `<tr><td class="heading-bold">${state.renamed[label] ?? label}</td><td>${value}</td><td class="DetailImageAlign"></td></tr>`;
    const lines = [
      line('Sheriff #:', `F-${sale.id}`),
      line('Court Case #:', 'CV-26-000001'),
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
      sale.extra ?? '',
    ];
    const history = sale.history ?? '<tr><td>Scheduled</td><td>12/14/2026</td></tr>';
    const html = `<html><body><table><tbody>${lines.join('\n')}</tbody></table><h3>Status History</h3><table id="longTable"><thead><tr><th>Status</th><th>Date</th></tr></thead><tbody>${history}</tbody></table></body></html>`;
    response.end(Buffer.from(html, 'latin1'));
  });
  return { ...standIn, state };
}

describe('createHtmlTableSource, CivilView', () => {
  let standIn: StandIn | undefined;
  afterEach(() => standIn?.close());

  async function start(sales: Sale[]) {
    const civilView = await startCivilView(sales);
    standIn = civilView;
    return civilView;
  }
  const source = (url: string) => () =>
    createHtmlTableSource({ ...accessTo(url), ...county, site: 'civilview', countyId: '2' });
  const readOne = async (sale: Partial<Sale>) => {
    const { url } = await start([{ id: 900000001, ...sale }]);
    const { taken, refused } = await readSource(source(url));
    return taken[0] ?? assert.fail(JSON.stringify(refused));
  };

  it('reads a sale from the list and its own page', async () => {
    const { url } = await start([{ id: 900000001 }]);
    const { taken } = await readSource(source(url));
    assert.deepEqual(taken, [
      {
        sourceKey: '900000001',
        auctionType: 'sheriff_sale',
        countyFips: '39035',
        state: 'OH',
        saleDate: '2026-12-14',
        address: known('100 Example Avenue'),
        city: known('Cleveland'),
        zip: known('44105'),
        parcelId: notPublished,
        appraisedValue: notPublished,
        openingBid: notStated,
        judgmentAmount: known('145099.02'),
        depositRequirement: notPublished,
        plaintiff: known('Example Bank, N.A.'),
        defendant: known('Example Holdings LLC, et al.'),
        attorney: known('Example & Law LLC'),
        caseNumber: known('CV-26-000001'),
        caseStatus: notPublished,
        saleStatus: 'scheduled',
        statusHistory: [{ status: 'scheduled', date: known('2026-12-14'), text: 'Scheduled' }],
        sourceUrl: `${url}/Sales/SaleDetails?PropertyId=900000001`,
      },
    ]);
  });

  it('keeps the key of a sale that is adjourned, and its history, latest first whatever the order of the page', async () => {
    const adjourned = '<tr><td>Defendant Adjourned to</td><td>12/14/2026</td></tr>';
    const scheduled = '<tr><td>Scheduled</td><td>11/16/2026</td></tr>';
    for (const history of [adjourned + scheduled, scheduled + adjourned]) {
      const sale = await readOne({ history });
      assert.deepEqual([sale.sourceKey, sale.saleStatus], ['900000001', 'adjourned']);
      assert.deepEqual(sale.statusHistory, [
        { status: 'adjourned', date: known('2026-12-14'), text: 'Defendant Adjourned to' },
        { status: 'scheduled', date: known('2026-11-16'), text: 'Scheduled' },
      ]);
      await standIn?.close();
    }
  });

  it('finds columns by their headers when they have moved', async () => {
    const { url, state } = await start([{ id: 1 }, { id: 2 }]);
    state.headers = ['Address', 'Attorney Name', 'Sales Date', 'Parcel #', 'Sheriff #'];
    assert.deepEqual(
      (await readSource(source(url))).taken.map(({ sourceKey }) => sourceKey),
      ['1', '2'],
    );
  });

  it('fails the run when the headers are gone, instead of reading an empty list', async () => {
    const { url, state } = await start([{ id: 1 }]);
    state.headers = ['Case', 'Day'];
    await rejects(readSource(source(url)), 'delivery_unreadable', /columns or labels/);
  });

  for (const [label, renamed] of [
    ['address', { 'Address:': 'Situs:' }],
    ['sales date', { 'Sales Date:': 'When:' }],
    ['sheriff', { 'Sheriff #:': 'File #:', 'Court Case #:': 'Matter #:' }],
  ] as const) {
    it(`fails the run when none of a few sales has the label "${label}" any more`, async () => {
      const { url, state } = await start([{ id: 1 }, { id: 2 }, { id: 3 }]);
      state.renamed = renamed;
      await rejects(readSource(source(url)), 'delivery_unreadable', new RegExp(`"${label}"`));
    });
  }

  it('takes sales that go without the label of the court, where the sheriff numbers them', async () => {
    const { url, state } = await start([{ id: 1 }, { id: 2 }, { id: 3 }]);
    state.renamed = { 'Court Case #:': 'Matter #:' };
    const { taken } = await readSource(source(url));
    assert.deepEqual(
      taken.map(({ caseNumber }) => caseNumber),
      [notPublished, notPublished, notPublished],
    );
  });

  it('takes a sale or two without an address for what they are', async () => {
    const { url, state } = await start([{ id: 1 }, { id: 2 }]);
    state.renamed = { 'Address:': 'Situs:' };
    const { taken } = await readSource(source(url));
    assert.deepEqual(
      taken.map(({ address }) => address),
      [notPublished, notPublished],
    );
  });

  it('reads sale after sale over many pages, in a session of its own, and begins a new one when it is lost', async () => {
    const { url, state, seen } = await start(Array.from({ length: 45 }, (_, index) => ({ id: index + 1 })));
    const one = source(url)();
    const first = await one.fetchPage(undefined);
    assert.equal(seen.filter((line) => line.includes('SalesSearch')).length, 1);
    state.sessions.clear();
    const second = await one.fetchPage(first.nextCursor);
    const third = await source(url)().fetchPage(second.nextCursor);
    assert.deepEqual(
      [first.rows.length, second.rows.length, third.rows.length, third.nextCursor],
      [20, 20, 5, undefined],
    );
    assert.ok([...first.rows, ...second.rows, ...third.rows].every((row) => 'payload' in row));
  });

  it('refuses a sale whose page is gone and keeps those beside it', async () => {
    const { url, state } = await start([{ id: 1 }, { id: 2 }]);
    state.gone.add(1);
    const { taken, refused } = await readSource(source(url));
    assert.deepEqual([taken.map(({ sourceKey }) => sourceKey), refused.map(({ key }) => key)], [['2'], ['1']]);
  });

  it('refuses a sale whose link is dead, without asking for the list again, and keeps those beside it', async () => {
    for (const status of [404, 410]) {
      const { url, state, seen } = await start([{ id: 1 }, { id: 2 }, { id: 3 }]);
      state.dead.set(2, status);
      const { taken, refused } = await readSource(source(url));
      assert.deepEqual(
        [taken.map(({ sourceKey }) => sourceKey), refused.map(({ key, reject }) => [key, reject])],
        [['1', '3'], [['2', 'page_missing']]],
      );
      assert.equal(seen.filter((line) => line.includes('SalesSearch')).length, 1);
      await standIn?.close();
    }
  });

  it('reads the others when all that is left at the end are dead links', async () => {
    const { url, state } = await start(Array.from({ length: 22 }, (_, index) => ({ id: index + 1 })));
    for (const id of [21, 22]) state.dead.set(id, 404);
    const { taken, refused } = await readSource(source(url));
    assert.deepEqual([taken.length, refused.map(({ key }) => key)], [20, ['21', '22']]);
  });

  it('fails the run when the pages of all sales are gone, or the list itself', async () => {
    const { url, state } = await start(Array.from({ length: 45 }, (_, index) => ({ id: index + 1 })));
    for (const { id } of state.sales) state.dead.set(id, 404);
    await rejects(readSource(source(url)), 'delivery_unreadable', /pages themselves/);
    await rejects(readSource(source(`${url}/elsewhere`)), 'upstream_refused', /404/);
  });

  it('refuses a sale without a date, and takes dates as the county writes them, never through UTC', async () => {
    const { url } = await start([
      { id: 1, date: 'TBD' },
      { id: 2, date: '12/31/2026' },
      { id: 3, date: '2/30/2026' },
      { id: 4, date: '1/5/2027' },
    ]);
    const { taken, refused } = await readSource(source(url));
    assert.deepEqual(
      taken.map(({ saleDate }) => saleDate),
      ['2026-12-31', '2027-01-05'],
    );
    assert.deepEqual(
      refused.map(({ reject }) => reject),
      ['missing_date', 'missing_date'],
    );
  });

  it('keeps an address in one line whole, and tells an empty one from none', async () => {
    const one = await readOne({ address: '3456-58 East 93rd Street Cleveland OH 44105-1234' });
    assert.deepEqual(
      [one.address, one.city, one.zip],
      [known('3456-58 East 93rd Street Cleveland'), notStated, known('44105')],
    );
    await standIn?.close();
    const none = await readOne({ address: ' ' });
    assert.deepEqual([none.address, none.city, none.zip], [notStated, notStated, notStated]);
  });

  it('reads pages in their own encoding, and sells no text of which a part is lost', async () => {
    const { url, state } = await start([{ id: 1, address: '1 PEÑA ST<br>Cleveland OH 44105' }]);
    state.charset = 'windows-1252';
    const readAddress = async () => (await readSource(source(url))).taken[0]?.address;
    assert.deepEqual(await readAddress(), known('1 PEÑA ST'));
    state.charset = 'utf-8';
    assert.deepEqual(await readAddress(), absent('parse_failed'));
  });

  it('asks robots.txt before it reads a page', async () => {
    const site = await startStandIn((_, response) => response.end('User-agent: *\nDisallow: /Sales/\n'));
    await rejects(readSource(source(site.url)), 'robots_disallowed');
    assert.deepEqual(site.seen, ['GET /robots.txt']);
    await site.close();
  });
});
