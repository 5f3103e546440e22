import assert from 'node:assert/strict';
import { dealKind, type DealColumns, type DealFilter, type DealRank } from '../../src/feeds/query/deal-kind.js';
import { createFeed } from '../../src/feeds/feed.js';
import { createPageTokens } from '../../src/feeds/page-token.js';
import { Rendered } from '../../src/contract/rendered.js';
import { makeDeal, snapshotOf } from './deals.js';
import { inForce, scriptTakedowns } from './scripted-takedowns.js';

describe('a page of a feed', () => {
  const tokens = createPageTokens(['a secret of these tests, long enough']);
  const request = { filter: { state: ['OH'] }, limit: 2 };

  /** Three deals, or some, under a version, seen at a time that the test moves. */
  async function openFeed(count = 3, columns: Partial<DealColumns> = {}) {
    const clock = { ms: 0 };
    const now = () => new Date(clock.ms);
    const set = scriptTakedowns(now);
    const reading: { meanwhile?: (() => Promise<void>) | undefined } = {};
    const feed = createFeed<DealRank, DealColumns, DealFilter, { readonly full: unknown }>({
      kind: dealKind,
      empty: await snapshotOf([], 0),
      async readBodies(_, ids) {
        const { meanwhile } = reading;
        delete reading.meanwhile;
        await meanwhile?.();
        return { bodies: ids.map(() => new Rendered([Buffer.from('{}')], 2)), ownBytes: 0 };
      },
      takedowns: set.takedowns,
      tokens,
      now,
    });
    const deals = Array.from({ length: count }, (_, index) =>
      makeDeal({
        id: `00000000-0000-4000-8000-${String(count - index).padStart(12, '0')}`,
        dealScore: (count - index) % 101,
        ...columns,
      }),
    );
    const publish = async (version: number, takedownNumber?: number) =>
      feed.replace({ ...(await snapshotOf(deals, version)), takedownNumber });
    await publish(1);
    const idsOf = async (version?: number) =>
      (await feed.page('full', { filter: {}, limit: count, ...(version !== undefined && { version }) })).ids;
    return { feed, clock, publish, reading, idsOf, ...set };
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

  it('is without what was taken down, and its total and its link are those of what is left', async () => {
    const { feed, suppress, idsOf } = await openFeed();
    const [best = '', second = '', last = ''] = await idsOf();
    await suppress(best, second);
    const { ids, total, next } = await feed.page('full', request);
    assert.deepEqual([ids, total, next], [[last], 1, undefined]);
    await suppress(last);
    const { ids: none, total: nothing } = await feed.page('full', request);
    assert.deepEqual([none, nothing], [[], 0]);
  });

  it('is without what was taken down while it was read', async () => {
    const { feed, suppress, reading, idsOf } = await openFeed();
    const [best = '', ...others] = await idsOf();
    reading.meanwhile = () => suppress(best);
    assert.deepEqual((await feed.page('full', { filter: {}, limit: 2 })).ids, others);
  });

  it('shows a suppressed record again in a version that is published after the takedown, which stands in for older ones', async () => {
    const { feed, suppress, publish, idsOf } = await openFeed();
    const [best = '', ...others] = await idsOf();
    await suppress(best);
    assert.deepEqual(await idsOf(), others);
    await publish(2, 1);
    assert.deepEqual(await idsOf(), [best, ...others]);
    assert.equal((await feed.page('full', { ...request, version: 1 })).version, 2);
    feed.confirm({ at: new Date(0), takedownNumber: 1 });
    assert.equal(feed.hasTakedowns(), false);
  });

  it('is without what tells of a suppressed county record', async () => {
    const { feed, suppress, idsOf } = await openFeed(3, { matched: 'a-debt a-sale' });
    assert.equal((await idsOf()).length, 3);
    await suppress('a-sale');
    assert.deepEqual(await idsOf(), []);
    assert.equal(feed.first({}), undefined);
    assert.deepEqual(feed.last(3), []);
  });

  it('is without what a source has a word in from the end of its licence on, by its date as well', async () => {
    const { clock, license, idsOf } = await openFeed(3, { sources: 'broker hud' });
    assert.deepEqual(await idsOf(), [], 'no source is known');
    await license(inForce('broker'), inForce('hud', { endsAtMs: 60_000 }));
    assert.equal((await idsOf()).length, 3);
    clock.ms = 60_000;
    assert.deepEqual(await idsOf(), []);
    await license(inForce('broker'), inForce('hud', { endsAtMs: 120_000 }));
    assert.equal((await idsOf()).length, 3, 'it was prolonged');
    await license(inForce('broker', { granted: false }), inForce('hud'));
    assert.deepEqual(await idsOf(), []);
  });

  it('is without what has a field that its licence shows no more, until it is published without it', async () => {
    const { publish, suppress, license, idsOf } = await openFeed(3, { sources: 'broker' });
    await suppress();
    await license(inForce('broker', { narrowedBy: 1 }));
    assert.deepEqual(await idsOf(), []);
    await publish(2, 1);
    assert.equal((await idsOf()).length, 3);
  });

  it('has no link when nothing comes after it', async () => {
    const { feed } = await openFeed();
    assert.equal((await feed.page('full', { ...request, limit: 3 })).next, undefined);
  });
});
