import assert from 'node:assert/strict';
import { pino } from 'pino';
import { Rendered } from '../../src/contract/rendered.js';
import type { Database } from '../../src/db/database.js';
import { createFeed } from '../../src/feeds/feed.js';
import { createFeedStore } from '../../src/feeds/feed-store.js';
import { holdNothing } from '../../src/feeds/held-records.js';
import { createPageTokens } from '../../src/feeds/page-token.js';
import { refreshFeed } from '../../src/feeds/refresh-feed.js';
import { signalKind, type SignalColumns, type SignalFilter, type SignalRank } from '../../src/feeds/signal-kind.js';
import { createSnapshot } from '../../src/feeds/snapshot.js';
import { openTestDatabase } from '../support/database.js';

const now = (): Date => new Date('2026-11-22T12:00:00.000Z');
const idOf = (id: number): string => `00000000-0000-4000-8000-00000000000${id}`;

interface TestViews {
  readonly full: unknown;
}

describe('a feed that is brought to its published version', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  /** The signals feed over the database, whose contract has no signals of less than nothing. */
  async function openSignals() {
    const store = createFeedStore(database.knex, { kind: signalKind });
    const parts = {
      version: 0,
      publishedAt: new Date(0),
      records: holdNothing<SignalRank, SignalColumns, SignalColumns>(signalKind),
    };
    const feed = createFeed<SignalRank, SignalColumns, SignalFilter, TestViews>({
      kind: signalKind,
      empty: await createSnapshot(signalKind, parts, () => Promise.resolve()),
      readBodies: (_, records) => Promise.resolve(records.map(({ id }) => new Rendered([Buffer.from(`"${id}"`)], 38))),
      tokens: createPageTokens(['a secret of these tests, long enough']),
      now,
    });
    const load = (columns: SignalColumns): SignalColumns => {
      if (columns.amountCents < 0) throw new Error('below nothing');
      return columns;
    };

    async function publish(amounts: Readonly<Record<number, number>>, retired: readonly number[] = []): Promise<void> {
      const { version } = await store.currentVersion();
      const records = Object.entries(amounts).map(([number, amountCents]) => {
        const id = idOf(Number(number));
        const columns = {
          id,
          amountCents,
          county: 'cook',
          signalType: 'tax_delinquent',
          hasAddress: true,
          lastSeenMs: 1,
        };
        return {
          id,
          columns: JSON.stringify(columns),
          bodies: { full: '', basic: undefined },
          placeKeys: [],
          hash: '',
        };
      });
      await store.write(version + 1, records);
      await store.retire(version + 1, retired.map(idOf));
      assert.ok(await store.commitVersion(version, now(), now));
    }

    const refresh = () =>
      refreshFeed({ kind: signalKind, feed, store, load, sliceSize: 2, log: pino({ level: 'silent' }) });
    const idsOf = async (version?: number) => {
      const { ids } = await feed.page('full', { filter: {}, limit: 10, ...(version !== undefined && { version }) });
      return ids.map((id) => Number(id.slice(-1)));
    };
    return { feed, publish, refresh, idsOf };
  }

  it('shows what was published, in its order, then what has changed, came and went since', async () => {
    const { feed, publish, refresh, idsOf } = await openSignals();
    await publish({ 1: 100, 2: 200, 3: 300, 4: 200 });
    assert.equal(await refresh(), true);
    assert.deepEqual(await idsOf(), [3, 2, 4, 1]);
    assert.equal(await refresh(), false);
    await publish({ 1: 400, 5: 250 }, [3]);
    assert.equal(await refresh(), true);
    assert.deepEqual(await idsOf(), [1, 5, 2, 4]);
    assert.equal(feed.current().version, 2);
  });

  it('shows whoever pages through an older version what stood there', async () => {
    const { publish, refresh, idsOf } = await openSignals();
    await publish({ 1: 100, 2: 200 });
    await refresh();
    for (const amount of [300, 50, 300]) {
      await publish({ 1: amount });
      await refresh();
    }
    assert.deepEqual(
      [await idsOf(1), await idsOf(2), await idsOf(3), await idsOf()],
      [
        [2, 1],
        [1, 2],
        [2, 1],
        [1, 2],
      ],
    );
  });

  it('leaves out a record that breaks the contract, and what it was before', async () => {
    const { publish, refresh, idsOf } = await openSignals();
    await publish({ 1: 100, 2: -1, 3: 300 });
    await refresh();
    assert.deepEqual(await idsOf(), [3, 1]);
    await publish({ 2: 200, 3: -1 });
    await refresh();
    assert.deepEqual(await idsOf(), [2, 1]);
  });
});
