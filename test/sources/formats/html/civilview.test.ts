import assert from 'node:assert/strict';
import { absent, known } from '../../../../src/absence.js';
import { createHtmlTableSource } from '../../../../src/sources/formats/html-table.js';
import { accessTo } from '../../access.js';
import { readSource } from '../../read-source.js';
import { rejects, type MockServer, startMockServer } from '../../upstream/mock-server.js';
import { type Sale, sheriffOf, startCivilView } from './mock-civilview.js';

const county = { countyFips: '39035', state: 'OH' };
const notPublished = absent('not_published_by_source');
const notStated = absent('not_stated_by_source');

describe('createHtmlTableSource, CivilView', () => {
  let mockServer: MockServer | undefined;
  afterEach(() => mockServer?.close());

  async function start(sales: Sale[]) {
    const civilView = await startCivilView(sales);
    mockServer = civilView;
    return civilView;
  }
  const source = (url: string) => () =>
    createHtmlTableSource({ ...accessTo(url), ...county, site: 'civilview', countyId: '2' });
  const readOne = async (sale: Partial<Sale>) => {
    const { url } = await start([{ id: 26000101, ...sale }]);
    const { taken, refused } = await readSource(source(url));
    return taken[0] ?? assert.fail(JSON.stringify(refused));
  };

  for (const form of ['blocks', 'table'] as const)
    it(`reads a sale from the list and its own page, with ${form === 'blocks' ? form : 'a table'}`, async () => {
      const { url, state } = await start([{ id: 26000101 }]);
      state.form = form;
      const { taken } = await readSource(source(url));
      assert.deepEqual(taken, [
        {
          sourceKey: 'F-26000101',
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
          sourceUrl: `${url}/Sales/SalesSearch?countyId=2`,
        },
      ]);
    });

  it("identifies a sale by its sheriff's number, for any page number on the site", async () => {
    const { url, state } = await start([{ id: 1 }, { id: 2 }]);
    const before = await readSource(source(url));
    state.numbering += 100_000;
    const after = await readSource(source(url));
    assert.deepEqual(after.taken, before.taken);
    assert.deepEqual(
      after.taken.map(({ sourceKey }) => sourceKey),
      ['F-1', 'F-2'],
    );
  });

  it('continues after the site renumbers its pages, with one new list', async () => {
    const { url, state, seen } = await start(Array.from({ length: 30 }, (_, index) => ({ id: index + 1 })));
    let pages = 0;
    state.onPage = () => void ((pages += 1) === 10 && (state.numbering += 100_000));
    const one = source(url)();
    const first = await one.fetchPage(undefined);
    const second = await one.fetchPage(first.nextCursor);
    assert.deepEqual(
      [...first.rows, ...second.rows].map((row) => ('payload' in row ? row.key : row.reject)),
      state.sales.map(sheriffOf),
    );
    assert.equal(seen.filter((line) => line.includes('SalesSearch')).length, 2);
  });

  it('reports nothing of a sale that left the list during the reading', async () => {
    const { url, state } = await start([{ id: 1 }, { id: 2 }, { id: 3 }]);
    state.onPage = () => {
      state.numbering += 100_000;
      state.sales = state.sales.filter(({ id }) => id !== 1);
      state.onPage = () => undefined;
    };
    const { taken, refused } = await readSource(source(url));
    assert.deepEqual([taken.map(({ sourceKey }) => sourceKey), refused], [['F-2', 'F-3'], []]);
  });

  it('never confuses the pages of two sales', async () => {
    const { url, state } = await start([{ id: 1 }, { id: 2 }, { id: 3 }]);
    state.astray.set(state.numbering + 2, { id: 77, court: 'CV-26-000077' });
    const { taken, refused } = await readSource(source(url));
    assert.deepEqual(
      [taken.map(({ sourceKey }) => sourceKey), refused.map(({ key, reject }) => [key, reject])],
      [['F-1', 'F-3'], [['F-2', 'row_unreadable']]],
    );
  });

  it("reads each property sold under one sheriff's number", async () => {
    const sheriff = 'F-9';
    const { url } = await start([
      { id: 1, sheriff },
      { id: 2, sheriff, address: '102 Example Avenue<br />Cleveland OH 44105' },
      { id: 3, sheriff, address: '102 Example Avenue<br />Cleveland OH 44105' },
    ]);
    const { taken } = await readSource(source(url));
    const [first, place] = [100, 102].map((house) => `${house} Example Avenue Cleveland OH 44105`);
    assert.deepEqual(
      taken.map(({ sourceKey }) => sourceKey),
      [`F-9 / ${first}`, `F-9 / ${place}`, `F-9 / ${place} / 2`],
    );
  });

  it('finds columns by their headers in any order', async () => {
    const { url, state } = await start([{ id: 1 }, { id: 2 }]);
    state.headers = ['Address', 'Attorney Name', 'Sales Date', 'Parcel #', 'Sheriff #'];
    assert.deepEqual(
      (await readSource(source(url))).taken.map(({ sourceKey }) => sourceKey),
      ['F-1', 'F-2'],
    );
  });

  it('fails the run when the headers are missing, instead of reading an empty list', async () => {
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

  it("accepts sales without the court's label when the sheriff numbers them", async () => {
    const { url, state } = await start([{ id: 1 }, { id: 2 }, { id: 3 }]);
    state.renamed = { 'Court Case #:': 'Matter #:' };
    const { taken } = await readSource(source(url));
    assert.deepEqual(
      taken.map(({ caseNumber }) => caseNumber),
      [notPublished, notPublished, notPublished],
    );
  });

  it('accepts a sale or two without an address', async () => {
    const { url, state } = await start([{ id: 1 }, { id: 2 }]);
    state.renamed = { 'Address:': 'Situs:' };
    const { taken } = await readSource(source(url));
    assert.deepEqual(
      taken.map(({ address }) => address),
      [notPublished, notPublished],
    );
  });

  it('reads sale after sale over many pages, in one session, and starts a new one when it is lost', async () => {
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

  it('rejects a sale whose page is gone and keeps those beside it', async () => {
    const { url, state } = await start([{ id: 1 }, { id: 2 }]);
    state.gone.add(1);
    const { taken, refused } = await readSource(source(url));
    assert.deepEqual([taken.map(({ sourceKey }) => sourceKey), refused.map(({ key }) => key)], [['F-2'], ['F-1']]);
  });

  it('rejects a sale whose link is dead, without another request for the list, and keeps those beside it', async () => {
    for (const status of [404, 410]) {
      const { url, state, seen } = await start([{ id: 1 }, { id: 2 }, { id: 3 }]);
      state.dead.set(2, status);
      const { taken, refused } = await readSource(source(url));
      assert.deepEqual(
        [taken.map(({ sourceKey }) => sourceKey), refused.map(({ key, reject }) => [key, reject])],
        [['F-1', 'F-3'], [['F-2', 'page_missing']]],
      );
      assert.equal(seen.filter((line) => line.includes('SalesSearch')).length, 1);
      await mockServer?.close();
    }
  });

  it('reads the others when only dead links are left at the end', async () => {
    const { url, state } = await start(Array.from({ length: 22 }, (_, index) => ({ id: index + 1 })));
    for (const id of [21, 22]) state.dead.set(id, 404);
    const { taken, refused } = await readSource(source(url));
    assert.deepEqual([taken.length, refused.map(({ key }) => key)], [20, ['F-21', 'F-22']]);
  });

  it('fails the run when the pages of all sales are gone, or the list itself', async () => {
    const { url, state } = await start(Array.from({ length: 45 }, (_, index) => ({ id: index + 1 })));
    for (const { id } of state.sales) state.dead.set(id, 404);
    await rejects(readSource(source(url)), 'delivery_unreadable', /pages themselves/);
    await rejects(readSource(source(`${url}/elsewhere`)), 'upstream_refused', /404/);
  });

  it('rejects a sale without a date, and reads dates as the county writes them, never through UTC', async () => {
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

  it('splits an address in one line at its city, and distinguishes an empty one from none', async () => {
    const one = await readOne({ address: '3456-58 East 93rd Street Cleveland OH 44105-1234' });
    assert.deepEqual(
      [one.address, one.city, one.zip],
      [known('3456-58 East 93rd Street'), known('Cleveland'), known('44105')],
    );
    await mockServer?.close();
    const none = await readOne({ address: ' ' });
    assert.deepEqual([none.address, none.city, none.zip], [notStated, notStated, notStated]);
  });

  it('reads pages in their own encoding, and sells no damaged text', async () => {
    const { url, state } = await start([{ id: 1, address: '1 PEÑA ST<br>Cleveland OH 44105' }]);
    state.charset = 'windows-1252';
    const readAddress = async () => (await readSource(source(url))).taken[0]?.address;
    assert.deepEqual(await readAddress(), known('1 PEÑA ST'));
    state.charset = 'utf-8';
    assert.deepEqual(await readAddress(), absent('parse_failed'));
  });

  it('reads robots.txt before a page', async () => {
    const site = await startMockServer((_, response) => response.end('User-agent: *\nDisallow: /Sales/\n'));
    await rejects(readSource(source(site.url)), 'robots_disallowed');
    assert.deepEqual(site.seen, ['GET /robots.txt']);
    await site.close();
  });
});
