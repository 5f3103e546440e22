import assert from 'node:assert/strict';
import { absent, known } from '../../../../src/absence.js';
import { createHtmlTableSource } from '../../../../src/sources/formats/html-table.js';
import { accessTo } from '../../access.js';
import { readSource } from '../../read-source.js';
import { createTestClock, rejects, type MockServer, startMockServer } from '../../upstream/mock-server.js';
import { type Item, startRealAuction, statsOf } from './mock-realauction.js';

const county = { countyFips: '39035', state: 'OH' };
const notPublished = absent('not_published_by_source');
const notStated = absent('not_stated_by_source');

describe('createHtmlTableSource, RealAuction', () => {
  let mockServer: MockServer | undefined;
  afterEach(() => mockServer?.close());

  async function start(days: Record<string, Item[]>, rendered = false, thisMonth = '2026-11') {
    const realAuction = await startRealAuction(days, rendered, thisMonth);
    mockServer = realAuction;
    return realAuction;
  }
  const source =
    (url: string, clock = createTestClock()) =>
    () =>
      createHtmlTableSource({ ...accessTo(url, {}, clock), ...county, site: 'realauction', months: 2 });
  const day = '12/14/2026';
  const readOne = async (item: Partial<Item>) => {
    const { url } = await start({ [day]: [{ aid: 700001, ...item }] });
    return (await readSource(source(url))).taken[0] ?? assert.fail();
  };

  it('reads a sale from the preview, without parties, which are not published there', async () => {
    const { url } = await start({ [day]: [{ aid: 700001 }] }, true);
    const { taken } = await readSource(source(url));
    assert.deepEqual(taken, [
      {
        sourceKey: 'CV700001 / 131-01-001',
        auctionType: 'sheriff_sale',
        countyFips: '39035',
        state: 'OH',
        saleDate: '2026-12-14',
        address: known('100 EXAMPLE AVE'),
        city: known('CLEVELAND'),
        zip: known('44105'),
        parcelId: known('131-01-001'),
        appraisedValue: known('90000'),
        openingBid: known('60000'),
        judgmentAmount: notPublished,
        depositRequirement: notStated,
        plaintiff: notPublished,
        defendant: notPublished,
        attorney: notPublished,
        caseNumber: known('CV700001'),
        caseStatus: known('ACTIVE'),
        saleStatus: 'scheduled',
        statusHistory: [],
        sourceUrl: `${url}/index.cfm?zaction=AUCTION&zmethod=PREVIEW&AuctionDate=12%2F14%2F2026`,
      },
    ]);
  });

  for (const rendered of [true, false]) {
    it(`reads every page of every day of the calendar, ${rendered ? 'rendered' : 'abbreviated by the loader'}`, async () => {
      const items = (from: number, count: number) =>
        Array.from({ length: count }, (_, index) => ({ aid: from + index }));
      const { url } = await start(
        { '11/30/2026': items(100, 3), [day]: items(200, 5), '11/02/2026': items(300, 1) },
        rendered,
      );
      const { taken, pages } = await readSource(source(url));
      const numbers = [100, 101, 102, 200, 201, 202, 203, 204];
      assert.deepEqual(
        taken.map(({ caseNumber }) => caseNumber),
        numbers.map((aid) => known(`CV${aid}`)),
      );
      assert.equal(pages.length, 4, 'each day once for its sales to come and once for those that are closed');
    });
  }

  it('reads the result of a sale from beside its details, when the case stays ACTIVE', async () => {
    const sale = await readOne({ stats: statsOf('Auction Status', 'Canceled per Bankruptcy') });
    assert.deepEqual([sale.saleStatus, sale.caseStatus, sale.saleDate], ['cancelled', known('ACTIVE'), '2026-12-14']);
    await mockServer?.close();
    const sold = statsOf('Auction Sold', '12/14/2026 10:07 AM ET');
    assert.equal((await readOne({ stats: sold })).saleStatus, 'sold');
  });

  it('keeps the key of a sale that returns on another day under another number of the site', async () => {
    const kase = '25CV3315 (19840)';
    const before = await readOne({ aid: 1, kase });
    await mockServer?.close();
    const { url } = await start({ '12/21/2026': [{ aid: 2, kase: '25CV3315 (2)' }] });
    const [after] = (await readSource(source(url))).taken;
    assert.deepEqual([after?.sourceKey, after?.saleDate], [before.sourceKey, '2026-12-21']);
  });

  for (const [label, to] of [
    ['Case #:', 'Matter #:'],
    ['Property Address:', 'Situs:'],
  ] as const) {
    it(`fails the run when none of a few sales has the label "${label}" any more`, async () => {
      const items = [1, 2, 3].map((aid) => ({ aid, renamed: { [label]: to } }));
      const { url } = await start({ [day]: items });
      const named = label
        .replace(/[^a-z ]/gi, '')
        .trim()
        .toLowerCase();
      await rejects(readSource(source(url)), 'delivery_unreadable', new RegExp(`"${named}"`));
    });
  }

  it('accepts a sale without a case number beside others that have one, under the number of the site', async () => {
    const { url } = await start({ [day]: [{ aid: 1 }, { aid: 2, renamed: { 'Case #:': 'Matter #:' } }, { aid: 3 }] });
    const { taken } = await readSource(source(url));
    assert.deepEqual(
      taken.map(({ sourceKey }) => sourceKey),
      ['CV1 / 131-01-001', 'aid 2', 'CV3 / 131-01-001'],
    );
  });

  it('keeps the key of a sale whose labels change to other known names', async () => {
    const before = await readOne({ aid: 1 });
    await mockServer?.close();
    const after = await readOne({ aid: 1, renamed: { 'Case #:': 'Case Number:', 'Parcel ID:': 'Parcel No.:' } });
    assert.equal(after.sourceKey, before.sourceKey);
  });

  it('parses a line whose cells, link and hidden parts are abbreviated by the loader', async () => {
    const link = '<a p_back="NextCheck=1" href="/index.cfm?zaction=auction&zmethod=details&AID=7">$1,000.00</a>';
    const more = `<tr><td class="AD_LBL">Judgment:</td><td class="AD_DTA"><div>${link}</div><i style="Display:none"></i></td></tr>`;
    assert.deepEqual((await readOne({ more })).judgmentAmount, known('1000'));
  });

  it('parses a sale whose labels and values are no table', async () => {
    const before = await readOne({ aid: 1 });
    await mockServer?.close();
    const { url, state } = await start({ [day]: [{ aid: 1 }] });
    state.markup = 'div';
    const [after] = (await readSource(source(url))).taken;
    assert.deepEqual({ ...after, sourceUrl: '' }, { ...before, sourceUrl: '' });
  });

  it('fails the run when the calendar has sales on a day without any', async () => {
    const { url, state } = await start({ [day]: [] });
    state.active = 3;
    await rejects(readSource(source(url)), 'delivery_incomplete');
  });

  for (const rendered of [true, false]) {
    const items = Array.from({ length: 5 }, (_, index) => ({ aid: index }));

    it(`fails the run when only some pages of a day arrive, ${rendered ? 'counted in the preview' : 'counted beside the statuses'}`, async () => {
      const { url, state } = await start({ [day]: items }, rendered);
      state.isLost = (_, page) => page > 0;
      await rejects(readSource(source(url)), 'delivery_incomplete');
    });

    it(`reads a day once more when its session is lost, ${rendered ? 'rendered' : 'abbreviated'}`, async () => {
      const { url, state } = await start({ [day]: items }, rendered);
      state.isLost = (session, page) => session === 'c1' && page > 0;
      assert.equal((await readSource(source(url))).taken.length, 5);
    });
  }

  it('accepts a day with fewer sales than the calendar had, when the calendar now agrees', async () => {
    const { url, state } = await start({ [day]: [{ aid: 1 }, { aid: 2 }] });
    state.activeBefore = [3];
    assert.equal((await readSource(source(url))).taken.length, 2);
    state.activeBefore = [3, 3];
    await rejects(readSource(source(url)), 'delivery_incomplete');
  });

  it('fails the run when the loader uses an unknown abbreviation', async () => {
    const { url, state } = await start({ [day]: [{ aid: 1 }] });
    state.token = '@Z<b>';
    await rejects(readSource(source(url)), 'delivery_unreadable', /abbreviation/);
  });

  it('fails the run when the calendar is invalid', async () => {
    const site = await startMockServer(
      (request, response) =>
        void (request.url === '/robots.txt' ? response.writeHead(404).end() : response.end('<html>')),
    );
    await rejects(readSource(source(site.url)), 'delivery_unreadable', /calendar/);
    await site.close();
  });
});
