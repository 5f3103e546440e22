import assert from 'node:assert/strict';
import { createHtmlTableSource } from '../../../../src/sources/formats/html-table.js';
import { accessTo } from '../../access.js';
import { readSource } from '../../read-source.js';
import { createTestClock, rejects, type MockServer } from '../../upstream/mock-server.js';
import { type Item, startRealAuction, statsOf } from './mock-realauction.js';

const county = { countyFips: '39035', state: 'OH' };
const sold = statsOf('Auction Sold', '12/14/2026 10:07 AM ET');
const nothing = statsOf('', '');
const [lastSaturday, yesterday, today, nextWeek] = ['12/12/2026', '12/14/2026', '12/15/2026', '12/22/2026'] as const;

describe('the results of sales on RealAuction, whose lists have empty boxes', () => {
  let mockServer: MockServer | undefined;
  afterEach(() => mockServer?.close());

  async function start(days: Record<string, Item[]>) {
    const realAuction = await startRealAuction(days, false, '2026-12');
    mockServer = realAuction;
    return realAuction;
  }
  const read = (url: string) => {
    const clock = createTestClock('2026-12-15T05:30:00.000Z');
    const where = { ...accessTo(url, {}, clock), ...county, site: 'realauction', months: 2 } as const;
    return readSource(() => createHtmlTableSource(where));
  };
  const statuses = async (url: string) =>
    Object.fromEntries(
      (await read(url)).taken.map((sale) => [sale.sourceKey.split(' ')[0], `${sale.saleStatus} ${sale.saleDate}`]),
    );
  const closed = (aid: number, stats: Item['stats'] & object, kase = `CV${aid}`): Item => ({
    ...{ aid, kase, area: 'C', stats },
  });
  const asked = (seen: readonly string[]) =>
    seen.flatMap((line) => /ref=(.*),/.exec(line)?.[1]?.split(',').length ?? []);

  it('are requested page by page, for the page that the session saw last', async () => {
    const items = Array.from({ length: 23 }, (_, index) => closed(index, sold));
    const { url, state, seen } = await start({ [yesterday]: items });
    state.perPage = 10;
    const { taken } = await read(url);
    assert.deepEqual(new Set(taken.map(({ saleStatus }) => saleStatus)), new Set(['sold']));
    assert.equal(taken.length, 23);
    assert.deepEqual(asked(seen), [10, 10, 3]);
  });

  it('are requested for ten sales at a time, since the site returns none for more', async () => {
    const items = Array.from({ length: 12 }, (_, aid) => closed(aid, sold));
    const { url, state, seen } = await start({ [yesterday]: items });
    state.perPage = 12;
    assert.equal((await read(url)).taken.length, 12);
    assert.deepEqual(asked(seen), [10, 2]);
  });

  it('follow from the list without a word: waiting or running is scheduled, closed is never upcoming', async () => {
    const ofEach = (from: number): Item[] => [
      { aid: from, stats: nothing },
      { aid: from + 1, area: 'R', stats: nothing },
      closed(from + 2, nothing),
    ];
    const { url } = await start({ [yesterday]: ofEach(10), [today]: ofEach(20), [nextWeek]: ofEach(30) });
    assert.deepEqual(await statuses(url), {
      ...{ CV10: 'scheduled 2026-12-14', CV11: 'scheduled 2026-12-14', CV12: 'unknown 2026-12-14' },
      ...{ CV20: 'scheduled 2026-12-15', CV21: 'scheduled 2026-12-15', CV22: 'cancelled 2026-12-15' },
      ...{ CV30: 'scheduled 2026-12-22', CV31: 'scheduled 2026-12-22', CV32: 'cancelled 2026-12-22' },
    });
  });

  it('leave no closed sale upcoming by its word: an adjourned or unclear one counts as called off until its day ends', async () => {
    const words = ['Postponed', 'Concluded', 'Rescheduled'].map((word) => statsOf('Auction Status', word));
    const { url } = await start({
      [yesterday]: words.map((word, index) => closed(index, word)),
      [nextWeek]: words.map((word, index) => closed(10 + index, word)),
    });
    assert.deepEqual(await statuses(url), {
      ...{ CV0: 'adjourned 2026-12-14', CV1: 'unknown 2026-12-14', CV2: 'unknown 2026-12-14' },
      ...{ CV10: 'cancelled 2026-12-22', CV11: 'cancelled 2026-12-22', CV12: 'cancelled 2026-12-22' },
    });
  });

  it('accept the words of a single-letter label other than the known ones', async () => {
    const { url } = await start({ [yesterday]: [closed(1, statsOf('F', 'Redeemed'))] });
    assert.deepEqual(await statuses(url), { CV1: 'withdrawn 2026-12-14' });
  });

  it('count as sold despite cancellations of the case on other days, and as upcoming when it is rescheduled', async () => {
    const off = statsOf('Auction Status', 'Canceled');
    const { url } = await start({
      [lastSaturday]: [closed(1, sold, 'CV1'), closed(2, sold, 'CV2'), closed(3, sold, 'CV3')],
      [yesterday]: [closed(4, off, 'CV1'), closed(5, off, 'CV4')],
      [nextWeek]: [
        closed(6, off, 'CV2'),
        closed(7, statsOf('Auction Status', 'Redeemed'), 'CV4'),
        { aid: 8, kase: 'CV3' },
      ],
    });
    assert.deepEqual(await statuses(url), {
      ...{ CV1: 'sold 2026-12-12', CV2: 'sold 2026-12-12' },
      ...{ CV3: 'scheduled 2026-12-22', CV4: 'withdrawn 2026-12-22' },
    });
  });

  for (const [when, days] of [
    ['over', { [yesterday]: [closed(1, sold), closed(2, sold)] }],
    ['to come', { [nextWeek]: [{ aid: 1 }, closed(2, statsOf('Auction Status', 'Canceled'))] }],
  ] satisfies [string, Record<string, Item[]>][]) {
    it(`fail the run when the lists of a day that is ${when} have less than the calendar has scheduled`, async () => {
      const { url, state } = await start(days);
      state.scheduled = 3;
      await rejects(read(url), 'delivery_incomplete');
      state.scheduled = 2;
      assert.equal((await read(url)).taken.length, 2);
    });
  }

  it('fail the run when a requested sale has no result', async () => {
    const { url, state } = await start({ [yesterday]: [closed(1, sold), closed(2, sold)] });
    state.untold.add(2);
    await rejects(read(url), 'delivery_incomplete');
  });

  it('fail the run when the reply is invalid', async () => {
    const { url, state } = await start({ [yesterday]: [closed(1, sold)] });
    for (const reply of ['<html>Log in</html>', '[]', '{"retHTML":""}']) {
      state.statusReply = reply;
      await rejects(read(url), 'delivery_unreadable', /status of its sales/);
    }
  });

  it('are parsed from a reply with a single sale object, a numeric id, and markup', async () => {
    const { url, state } = await start({ [yesterday]: [closed(1, sold)] });
    state.statusReply = '{"CM":"1","ADATA":{"COUNT":1,"AITEM":{"AID":1,"A":"B","B":"<b>Canceled&nbsp;per Order</b>"}}}';
    assert.deepEqual(await statuses(url), { CV1: 'cancelled 2026-12-14' });
  });
});
