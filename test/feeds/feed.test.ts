import assert from 'node:assert/strict';
import { dealKind, type DealColumns, type DealFilter, type DealRank } from '../../src/feeds/query/deal-kind.js';
import { createFeed } from '../../src/feeds/feed.js';
import { createPageTokens } from '../../src/feeds/page-token.js';
import { Rendered } from '../../src/contract/rendered.js';
import { makeDeal, snapshotOf } from './deals.js';

describe('a page of a feed', () => {
  const tokens = createPageTokens(['a secret of these tests, long enough']);
  const request = { filter: { state: 'OH' }, limit: 2 };

  /** Three deals, or some, under a version, seen at a time that the test moves. */
  async function openFeed(count = 3) {
    const clock = { ms: 0 };
    const withdrawal: { at?: Date; count?: number; state?: string; whileRead?: () => void; ids?: ReadonlySet<string> } =
      {};
    const feed = createFeed<DealRank, DealColumns, DealFilter, { readonly full: unknown }>({
      kind: dealKind,
      empty: await snapshotOf([], 0),
      async readBodies(_, ids) {
        withdrawal.whileRead?.();
        const bodies = ids.map((id) =>
          withdrawal.ids?.has(id) === true ? undefined : new Rendered([Buffer.from('{}')], 2),
        );
        return { bodies, ownBytes: 0, withheld: bodies.filter((body) => body === undefined).length };
      },
      withdrawals: {
        latest: () => withdrawal.at,
        count: () => withdrawal.count ?? 0,
        state: () => withdrawal.state ?? '',
      },
      tokens,
      now: () => new Date(clock.ms),
    });
    const deals = Array.from({ length: count }, (_, index) =>
      makeDeal({
        id: `00000000-0000-4000-8000-${String(count - index).padStart(12, '0')}`,
        dealScore: (count - index) % 101,
      }),
    );
    const publish = async (version: number) => feed.replace(await snapshotOf(deals, version));
    await publish(1);
    return { feed, clock, publish, withdrawal };
  }

  it('is one and the same body as long as its version is current, so that its digest is made once', async () => {
    const { feed, clock, publish } = await openFeed();
    const { body } = await feed.page('full', request);
    clock.ms = 3 * 3_600_000;
    assert.equal((await feed.page('full', request)).body, body);
    await publish(2);
    assert.notEqual((await feed.page('full', request)).body, body);
  });

  it('has a link that is good for 30 minutes, whenever it is sold', async () => {
    const { feed, clock } = await openFeed();
    for (const minutes of [0, 1, 29, 61]) {
      clock.ms = minutes * 60_000 + 59_999;
      const { next } = await feed.page('full', request);
      assert.ok(next);
      assert.equal(typeof tokens.redeem(next, new Date(clock.ms + 30 * 60_000)), 'object', `after ${minutes} minutes`);
      assert.equal(tokens.redeem(next, new Date(clock.ms + 31 * 60_000 + 1)), 'expired', `after ${minutes} minutes`);
    }
  });

  it('is followed by the rest of its version for as long as its link is good, however old that version is when it is replaced', async () => {
    const { feed, clock, publish } = await openFeed();
    clock.ms = 3 * 3_600_000;
    await publish(2);
    await publish(3);
    clock.ms += 31 * 60_000;
    assert.equal((await feed.page('full', { ...request, version: 1 })).version, 1);
    clock.ms += 1;
    assert.equal((await feed.page('full', { ...request, version: 1 })).version, 3);
  });

  it('is of the latest versions, however often an older one was read', async () => {
    const { feed, publish } = await openFeed();
    for (let version = 2; version <= 9; version++) {
      await feed.page('full', { ...request, version: 1 });
      await publish(version);
    }
    assert.equal((await feed.page('full', { ...request, version: 2 })).version, 2);
    assert.equal((await feed.page('full', { ...request, version: 1 })).version, 9);
  });

  it('is of the current version where something was taken back while an older one was read', async () => {
    const { feed, publish, withdrawal } = await openFeed();
    await publish(2);
    withdrawal.whileRead = () => (withdrawal.at = new Date(0));
    assert.equal((await feed.page('full', { ...request, version: 1 })).version, 2);
  });

  it('is the next one that has something where all of it was taken back, and none where nothing is left', async () => {
    const { feed, withdrawal } = await openFeed();
    const [best, second, last] = [...feed.current().records].map(({ id }) => id);
    withdrawal.at = new Date(1);
    withdrawal.ids = new Set([best ?? '', second ?? '']);
    const { ids, total, next } = await feed.page('full', request);
    assert.deepEqual([ids, total, next], [[last], 3, undefined]);
    // By a clock that is behind, so that the time of the last does not move.
    withdrawal.state = 'one more';
    withdrawal.ids = new Set([best ?? '', second ?? '', last ?? '']);
    const { ids: none, total: nothing } = await feed.page('full', request);
    assert.deepEqual([none, nothing], [[], 0]);
  });

  it('is found in a few steps where much was taken back, each record shown once, and not at all where too much was', async () => {
    const { feed, withdrawal } = await openFeed(2_500);
    const all = [...feed.current().records].map(({ id }) => id);
    const { ids: inOrder } = await feed.page('full', { filter: {}, limit: 2_500 });
    assert.equal(all.length, inOrder.length);
    let reads = 0;
    withdrawal.whileRead = () => void reads++;
    withdrawal.ids = new Set(inOrder.slice(0, 2_490));
    withdrawal.at = new Date(1);
    withdrawal.state = 'much';
    const first = await feed.page('full', { filter: {}, limit: 4 });
    assert.deepEqual([first.ids, reads <= 4], [inOrder.slice(2_490, 2_494), true]);
    const capability = tokens.redeem(first.next ?? '', new Date(0));
    assert.ok(typeof capability === 'object');
    const second = await feed.resume(capability);
    assert.deepEqual(second.ids, inOrder.slice(2_494, 2_498));
    const { feed: vast, withdrawal: allOfIt } = await openFeed(21_000);
    allOfIt.ids = { has: () => true } as unknown as ReadonlySet<string>;
    await assert.rejects(vast.page('full', { filter: {}, limit: 4 }), { reason: 'temporarily_unavailable' });
  });

  it('has no link when nothing comes after it', async () => {
    const { feed } = await openFeed();
    assert.equal((await feed.page('full', { ...request, limit: 3 })).next, undefined);
  });
});
