import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { ProvenText } from '../../src/contract/prover.js';
import type { Database } from '../../src/db/database.js';
import { createFeedStore, type FeedStore } from '../../src/feeds/feed-store.js';
import { publishAll } from '../../src/feeds/publish.js';
import { signalKind, type SignalColumns } from '../../src/feeds/signal-kind.js';
import { openTestDatabase } from '../support/database.js';

const now = (): Date => new Date('2026-11-22T12:00:00.000Z');
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

describe('a publication', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  /** Publishes as many records, each of so much text; tells how many each statement brought. */
  async function publish(count: number, textLength: number): Promise<{ statements: number[]; stored: number }> {
    const store = createFeedStore(database.knex, { kind: signalKind });
    const statements: number[] = [];
    const watched: FeedStore<SignalColumns> = {
      ...store,
      write: (version, records) => {
        statements.push(records.length);
        return store.write(version, records);
      },
    };
    const items = Array.from({ length: count }, (_, number) => ({ id: idOf(number) }));
    async function* all() {
      yield await Promise.resolve(items);
    }
    const { version } = await publishAll(all(), {
      render: ({ id }) => ({
        columns: { id, amountCents: 1, county: 'cook', signalType: 'tax_delinquent', hasAddress: true, lastSeenMs: 1 },
        placeKeys: [],
        views: { full: JSON.stringify({ id, text: 'x'.repeat(textLength) }) as ProvenText<unknown> },
      }),
      store: watched,
      chunkSize: 10,
      now,
      log: pino({ level: 'silent' }),
    });
    const bodies = await store.readBodies(
      items.map(({ id }) => id),
      version,
    );
    return { statements, stored: bodies.size };
  }

  it('brings small records by the hundred', async () => {
    assert.deepEqual(await publish(250, 10), { statements: [100, 100, 50], stored: 250 });
  });

  it('brings large records a few at a time, so that the embedded database answers others in between', async () => {
    const { statements, stored } = await publish(100, 10_000);
    assert.equal(stored, 100);
    assert.ok(Math.max(...statements) <= 20, statements.join());
  });
});
