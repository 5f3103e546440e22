import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { Database } from '../../src/db/database.js';
import { Overtaken } from '../../src/feeds/store/draft-store.js';
import { createFeedStore, type FeedStore } from '../../src/feeds/store/feed-store.js';
import { publishAll } from '../../src/feeds/publish.js';
import { signalKind, type SignalColumns } from '../../src/feeds/query/signal-kind.js';
import { openTestDatabase } from '../support/database.js';

const now = (): Date => new Date('2026-11-22T12:00:00.000Z');
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Renders records of so much text. */
const portsOf = (textLength: number) => ({
  render: ({ id }: { readonly id: string }) => ({
    id,
    columns: '{}',
    placeKeys: [],
    bodies: { full: { text: JSON.stringify({ id, text: 'x'.repeat(textLength) }) }, basic: undefined },
    hash: '',
  }),
  chunkSize: 10,
  now,
  log: pino({ level: 'silent' }),
});

describe('a publication', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  /** Publishes as many records, each of so much text; tells how many each statement brought. */
  async function publish(count: number, textLength: number): Promise<{ statements: number[]; stored: number }> {
    const store = createFeedStore(database.knex, signalKind);
    const statements: number[] = [];
    const watched: FeedStore<SignalColumns> = {
      ...store,
      write: (draft, records) => {
        statements.push(records.length);
        return store.write(draft, records);
      },
    };
    const items = Array.from({ length: count }, (_, number) => ({ id: idOf(number) }));
    async function* all() {
      yield await Promise.resolve(items);
    }
    const { version } = await publishAll(all(), { ...portsOf(textLength), store: watched });
    const bodies = await store.readBodies(
      'full',
      items.map(({ id }) => id),
      version,
    );
    return { statements, stored: bodies.size };
  }

  const insertVersion = (version: number, records: number) =>
    database.knex.raw(
      `INSERT INTO published_records (feed, id, version, retired, content_hash, columns, full_json)
       SELECT 'signals', gen_random_uuid(), :version, false, '', '{}', '' FROM generate_series(1, :records)`,
      { version, records },
    );

  /** How the database would read what a server loads first. */
  async function planOfLoad(store: FeedStore<SignalColumns>, after: number, upTo: number): Promise<string> {
    const asked: { sql: string; bindings: readonly unknown[] }[] = [];
    database.knex.once('query', (query: (typeof asked)[number]) => void asked.push(query));
    await store.readChanges(after, upTo)[Symbol.asyncIterator]().next();
    const [{ sql, bindings } = { sql: '', bindings: [] }] = asked;
    const { rows } = await database.knex.raw<{ rows: Record<string, string>[] }>(
      `EXPLAIN ${sql.replaceAll(/\$\d+/g, '?')}`,
      [...bindings] as string[],
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  function assertUnsorted(plan: string): void {
    assert.match(plan, /Index Scan Backward/);
    assert.doesNotMatch(plan, /Sort/);
  }

  it('writes nothing any more once another has begun, nor moves the version, before that is published or after', async () => {
    const store = createFeedStore(database.knex, signalKind);
    const record = (id: string, text: string) => ({
      ...{ id, columns: '{}', placeKeys: [], hash: '', bodies: { full: { text }, basic: undefined } },
    });
    const ours = await store.begin();
    await store.write(ours, [record(idOf(3), 'ours')]);
    const theirs = await store.begin();
    assert.equal(theirs.version, ours.version);
    await store.write(theirs, [record(idOf(1), 'theirs'), record(idOf(2), 'theirs')]);
    for (const step of ['before', 'after']) {
      await assert.rejects(store.write(ours, [record(idOf(1), 'ours'), record(idOf(4), 'ours')]), Overtaken, step);
      await store.retire(ours, [idOf(2)]);
      await assert.rejects(store.commitVersion(ours, { at: now() }, now), Overtaken, step);
      if (step === 'before') await store.commitVersion(theirs, { at: now() }, now);
    }
    const texts = await store.readBodies('full', [1, 2, 3, 4].map(idOf), 1);
    const found = [...texts].map(([id, { text }]) => [id, text]).sort();
    assert.deepEqual(found, [
      [idOf(1), 'theirs'],
      [idOf(2), 'theirs'],
    ]);
  });

  it('that fails has ended all that it had begun to write', async () => {
    const store = createFeedStore(database.knex, signalKind);
    let underway = 0;
    const watched: FeedStore<SignalColumns> = {
      ...store,
      async write(...parts) {
        underway += 1;
        await store.write(...parts);
        underway -= 1;
      },
    };
    async function* all() {
      yield Array.from({ length: 100 }, (_, number) => ({ id: idOf(number) }));
      throw new Error('the source is gone');
    }
    await assert.rejects(publishAll(all(), { ...portsOf(10), store: watched }), /the source is gone/);
    assert.equal(underway, 0);
  });

  it('is rechecked for takedowns when all of it is written, and moved after that', async () => {
    const store = createFeedStore(database.knex, signalKind);
    const seen: unknown[] = [];
    const recheck = async (without: number) => {
      const { rows } = await database.knex.raw<{ rows: object[] }>('select from published_records');
      seen.push([without, rows.length, (await store.currentVersion()).version]);
    };
    async function* all() {
      yield await Promise.resolve([{ id: idOf(1) }, { id: idOf(2) }]);
    }
    await publishAll(all(), { ...portsOf(10), store, recheck, cutoff: { at: now(), takedownNumber: 7 } });
    assert.deepEqual(seen, [[7, 2, 0]]);
    assert.equal((await store.currentVersion()).takedownNumber, 7);
  });

  it('is loaded without any sorting, also when no statistics know of it yet', async () => {
    const store = createFeedStore(database.knex, signalKind);
    await insertVersion(1, 5_000);
    await database.knex.raw('ANALYZE published_records');
    await insertVersion(2, 5_000);
    for (const after of [0, 1]) assertUnsorted(await planOfLoad(store, after, 2));
  });

  it('is loaded without any sorting, also when it is the first and many records large', async () => {
    const store = createFeedStore(database.knex, signalKind);
    await insertVersion(1, 20_000);
    await store.commitVersion(await store.begin(), { at: now() }, now);
    assertUnsorted(await planOfLoad(store, 0, 1));
  });

  it('brings small records by the hundred', async () => {
    assert.deepEqual(await publish(250, 10), { statements: [100, 100, 50], stored: 250 });
  });

  it('brings large records a few at a time, so that the embedded database answers others in between', async () => {
    const { statements, stored } = await publish(100, 10_000);
    assert.equal(stored, 100);
    assert.ok(Math.max(...statements) <= 20, statements.join());
  });
});
