import assert from 'node:assert/strict';
import { known } from '../../../../src/absence.js';
import { createHtmlTableSource } from '../../../../src/sources/formats/html-table.js';
import { accessTo } from '../../access.js';
import { readSource } from '../../read-source.js';
import { createTestClock, rejects, type MockServer } from '../../upstream/mock-server.js';
import { type Item, startRealAuction, statsOf } from './mock-realauction.js';

const county = { countyFips: '39035', state: 'OH' };
const sold = statsOf('Auction Sold', '12/14/2026 10:07 AM ET');
const cancelled = statsOf('Auction Status', 'Canceled per Order');

/** Half past midnight in Ohio, before the day's sales are held. */
const night = '2026-12-15T05:30:00.000Z';
const [yesterday, today, nextWeek] = ['12/14/2026', '12/15/2026', '12/22/2026'] as const;

describe('the areas of a day of RealAuction', () => {
  let mockServer: MockServer | undefined;
  afterEach(() => mockServer?.close());

  async function start(days: Record<string, Item[]>, rendered = false) {
    const realAuction = await startRealAuction(days, rendered, '2026-12');
    mockServer = realAuction;
    return realAuction;
  }
  const read = (url: string, instant = night) => {
    const clock = createTestClock(instant);
    const where = { ...accessTo(url, {}, clock), ...county, site: 'realauction', months: 2 } as const;
    return readSource(() => createHtmlTableSource(where));
  };
  const statuses = async (url: string, instant = night) =>
    Object.fromEntries(
      (await read(url, instant)).taken.map((sale) => [sale.sourceKey.split(' ')[0], [sale.saleStatus, sale.saleDate]]),
    );

  for (const rendered of [true, false]) {
    it(`are all read, page by page, ${rendered ? 'rendered' : 'abbreviated by the loader'}`, async () => {
      const items = (from: number, area: Item['area']) =>
        Array.from({ length: 5 }, (_, index) => ({ aid: from + index, ...(area && { area }) }));
      const { url } = await start({ [nextWeek]: [...items(10, 'W'), ...items(20, 'R'), ...items(30, 'C')] }, rendered);
      const { taken } = await read(url);
      assert.deepEqual(
        taken.map(({ caseNumber }) => caseNumber),
        [10, 20, 30].flatMap((from) => [0, 1, 2, 3, 4].map((index) => known(`CV${from + index}`))),
      );
    });
  }

  it("give a sale's result by their own words, and none for an unknown word", async () => {
    const words: readonly (readonly [string, string, string])[] = [
      ['Auction Sold', '12/14/2026 10:07 AM ET', 'sold'],
      ['Auction Status', 'Canceled per County', 'cancelled'],
      ['Auction Status', 'Redeemed', 'withdrawn'],
      ['Auction Status', 'No Bids', 'no_bid'],
      ['Auction Status', 'Postponed', 'adjourned'],
      ['Auction Status', 'Concluded', 'unknown'],
      ['', '', 'unknown'],
    ];
    const items = words.map(([label, value], aid) => ({ aid, area: 'C' as const, stats: statsOf(label, value) }));
    const { url } = await start({ [yesterday]: items });
    assert.deepEqual(
      (await read(url)).taken.map(({ saleStatus }) => saleStatus),
      words.map(([, , status]) => status),
    );
  });

  it("are also read of the three days before the county's today, and of none earlier", async () => {
    const days = ['12/10/2026', '12/11/2026', '12/13/2026', '12/14/2026'];
    const { url, seen } = await start(
      Object.fromEntries(days.map((day, aid) => [day, [{ aid, area: 'C' as const, stats: sold }]])),
    );
    // 03:00 UTC on 15 December is still the 14th in Ohio.
    const found = await statuses(url, '2026-12-15T03:00:00.000Z');
    assert.deepEqual(Object.keys(found), ['CV3', 'CV2', 'CV1']);
    assert.ok(
      seen.some((line) => line.includes('2027-01-01')),
      'the month after the current one is asked for',
    );
    assert.ok(!seen.some((line) => line.includes('2026-11-01')), 'the month before is not');
  });

  it('include the last days of the month before, when a month has just begun', async () => {
    const { url } = await start({ '11/30/2026': [{ aid: 1, area: 'C', stats: sold }], [today]: [{ aid: 2 }] });
    assert.deepEqual(await statuses(url, '2026-12-02T05:30:00.000Z'), {
      CV2: ['scheduled', '2026-12-15'],
      CV1: ['sold', '2026-11-30'],
    });
  });

  it('may be empty, even all of them on a past day', async () => {
    const { url } = await start({ [yesterday]: [], [nextWeek]: [{ aid: 1 }] });
    assert.deepEqual(await statuses(url), { CV1: ['scheduled', '2026-12-22'] });
  });

  it('show a sale that moved between them from one reading to the next as the same sale', async () => {
    const { url, state } = await start({ [yesterday]: [{ aid: 1 }, { aid: 2 }] });
    const before = await read(url, '2026-12-14T05:30:00.000Z');
    state.days[yesterday] = [
      { aid: 1, area: 'C', stats: sold },
      { aid: 2, area: 'C', stats: cancelled },
    ];
    const after = await read(url);
    assert.deepEqual(
      after.taken.map(({ sourceKey, saleStatus }) => [sourceKey, saleStatus]),
      before.taken.map(({ sourceKey }, index) => [sourceKey, index === 0 ? 'sold' : 'cancelled']),
    );
  });

  it('show a sale that is in several of them during a reading as one', async () => {
    const everywhere = (['W', 'R', 'C'] as const).map((area) => ({ aid: 1, area }));
    const { url, state } = await start({ [yesterday]: everywhere, [today]: everywhere, [nextWeek]: everywhere });
    state.active = 1;
    const { taken, refused } = await read(url);
    assert.deepEqual(
      [taken.map(({ sourceKey, saleDate }) => [sourceKey, saleDate]), refused],
      [[['CV1 / 131-01-001', '2026-12-15']], []],
    );
  });

  it('give a rescheduled sale its new day, not the day on which it was called off or had no bid', async () => {
    const closed = (aid: number, kase: string, words: string): Item => {
      return { aid, kase, area: 'C', stats: statsOf('Auction Status', words) };
    };
    const { url } = await start({
      [yesterday]: [closed(1, 'CV1 (1)', 'No Bids'), closed(2, 'CV2 (1)', 'Canceled')],
      [today]: [closed(3, 'CV3 (1)', 'Canceled')],
      [nextWeek]: [{ aid: 4, kase: 'CV1 (2)' }, closed(5, 'CV2 (2)', 'Redeemed'), { aid: 6, kase: 'CV3 (2)' }],
    });
    assert.deepEqual(await statuses(url), {
      CV1: ['scheduled', '2026-12-22'],
      CV3: ['scheduled', '2026-12-22'],
      CV2: ['withdrawn', '2026-12-22'],
    });
  });

  it("add up to the calendar's count on the day of the sales, while they are held", async () => {
    const items: Item[] = [{ aid: 1 }, { aid: 2, area: 'R' }, { aid: 3, area: 'C', stats: sold }];
    const { url, state } = await start({ [today]: items });
    state.active = 3;
    assert.equal((await read(url, '2026-12-15T17:00:00.000Z')).taken.length, 3);
    state.days[today] = items.map((item) => ({ ...item, area: 'C', stats: sold }));
    assert.equal((await read(url, '2026-12-15T21:00:00.000Z')).taken.length, 3);
    state.days[today] = items.slice(0, 2);
    await rejects(read(url, '2026-12-15T17:00:00.000Z'), 'delivery_incomplete');
  });

  it('do not count a closed sale as one to be held on a later day', async () => {
    const { url, state } = await start({ [nextWeek]: [{ aid: 1 }, { aid: 2, area: 'C', stats: cancelled }] });
    state.active = 2;
    await rejects(read(url), 'delivery_incomplete');
  });

  it("fail the run when only a part of a day's closed sales arrives", async () => {
    const items = Array.from({ length: 5 }, (_, aid): Item => ({ aid, area: 'C', stats: sold }));
    const { url, state } = await start({ [yesterday]: items }, true);
    state.isLost = (_, page, area) => area === 'C' && page > 0;
    await rejects(read(url), 'delivery_incomplete');
    state.isLost = (session, page, area) => session === 'c3' && area === 'C' && page > 0;
    assert.equal((await read(url)).taken.length, 5, 'they are read once more');
  });

  it('fail the run when none of a past day arrives and the calendar counts some', async () => {
    const { url, state } = await start({ [yesterday]: [{ aid: 1, area: 'C', stats: sold }] });
    state.active = 1;
    state.isLost = () => true;
    await rejects(read(url), 'delivery_incomplete');
  });

  it('are requested once each, with one session per page of a day', async () => {
    const { url, seen } = await start({ [yesterday]: [{ aid: 2, area: 'C', stats: sold }], [nextWeek]: [{ aid: 1 }] });
    await read(url);
    const asked = seen.flatMap((line) => /PREVIEW|AREA=\w.*|ref=.*/.exec(line)?.[0] ?? []);
    const firstOf = (area: string) => `AREA=${area}&PageDir=0&doR=1&bypassPage=0`;
    assert.deepEqual(asked, [
      ...['PREVIEW', firstOf('W'), 'ref=1,', firstOf('R')],
      ...['PREVIEW', firstOf('W'), firstOf('R'), firstOf('C'), 'ref=2,'],
      ...['PREVIEW', firstOf('C')],
    ]);
  });
});
