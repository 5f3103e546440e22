import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pino } from 'pino';
import type { Prover } from '../../../src/contract/prover.js';
import { concatBytes, renderText } from '../../../src/contract/rendered.js';
import type { Database } from '../../../src/db/database.js';
import { createFeedPublisher } from '../../../src/feeds/feed-publisher.js';
import type { FeedKind } from '../../../src/feeds/query/feed-kind.js';
import { createFeedStore, type FeedStore } from '../../../src/feeds/store/feed-store.js';
import { createPageTokens } from '../../../src/feeds/page-token.js';
import {
  signalKind,
  type SignalColumns,
  type SignalFilter,
  type SignalRank,
} from '../../../src/feeds/query/signal-kind.js';
import { scriptTakedowns } from '../scripted-takedowns.js';
import { openTestDatabase } from '../../support/database.js';

const now = (): Date => new Date('2026-11-22T12:00:00.000Z');
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const { packing: _, ...heldKind } = signalKind;

type TestKind = FeedKind<SignalRank, SignalColumns, SignalFilter>;
/** A record is its number and its amount. */
type TestRecord = readonly [number, number];

const prover: Prover<TestRecord> = {
  prove: () => assert.fail('Nothing is proven here.'),
  render: () => assert.fail('Nothing is rendered here.'),
  sealOf: () => assert.fail('Nothing is sealed here.'),
  load: renderText,
};

interface Item {
  readonly id: string;
  readonly record: TestRecord;
}

describe('a version that is published', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  for (const [where, kind] of [
    ['whose texts stay in the database', signalKind],
    ['whose texts are held in memory', heldKind],
  ] as const) {
    describe(`of a feed ${where}`, () => {
      it('is in the memory of whoever publishes it when that is done, without a load', async () => {
        const { publish, read, loads } = await openPublisher(database, kind);
        await publish({ 1: 100, 2: 200, 3: 300 });
        assert.deepEqual(await read(), [
          [3, 300],
          [2, 200],
          [1, 100],
        ]);
        await publish({ 1: 400, 3: 300 });
        assert.deepEqual(await read(), [
          [1, 400],
          [3, 300],
        ]);
        assert.equal(loads(), 0);
      });

      it('is not sold before it is published, and the one before is sold whole meanwhile', async () => {
        const { publish, read, feed, textsRead } = await openPublisher(database, kind);
        await publish({ 1: 100, 2: 200, 3: 300 });
        const before = await read();
        const seen: unknown[] = [];
        await publish({ 1: 900, 3: 300, 4: 400 }, async () => void seen.push(await read(), feed.current().version));
        assert.deepEqual(seen, [before, 1, before, 1, before, 1]);
        if (kind === heldKind) assert.equal(textsRead(), 0, 'from memory');
        assert.deepEqual(await read(1), before);
        assert.deepEqual(await read(), [
          [1, 900],
          [4, 400],
          [3, 300],
        ]);
      });

      it('leaves nothing behind when it fails, and comes with the next publication', async () => {
        const { publish, read, feed, loads, textsRead } = await openPublisher(database, kind);
        await publish({ 1: 100, 2: 200 });
        const before = await read();
        const readSoFar = textsRead();
        const fail = () => Promise.reject(new Error('cut off'));
        await assert.rejects(publish({ 1: 900, 2: 800 }, fail), /cut off/);
        assert.deepEqual([await read(), feed.current().version], [before, 1]);
        assert.equal(textsRead(), readSoFar, 'from memory as before');
        await publish({ 1: 100, 2: 800 });
        assert.deepEqual(await read(), [
          [2, 800],
          [1, 100],
        ]);
        assert.equal(loads(), 0);
      });

      it('gives way to one that another has published meanwhile', async () => {
        const publisher = await openPublisher(database, kind);
        const other = await openPublisher(database, kind);
        await publisher.publish({ 1: 100, 2: 200 });
        await other.refresh();
        const overtaken = publisher.publish({ 1: 900, 2: 800, 3: 700 }, async (number) => {
          if (number !== 2) return;
          await other.publish({ 1: 150, 2: 200, 4: 400 });
          await publisher.refresh();
          assert.deepEqual(await publisher.read(), await other.read());
        });
        await assert.rejects(overtaken, /Another publication/);
        const fresh = await openPublisher(database, kind);
        await fresh.refresh();
        assert.deepEqual(await other.read(), await fresh.read(), 'in memory as in the database');
        assert.deepEqual(await publisher.read(), [
          [4, 400],
          [2, 200],
          [1, 150],
        ]);
        await publisher.publish({ 1: 900 });
        assert.deepEqual(await publisher.read(), [[1, 900]]);
      });

      it('is waited for by whoever asks for it while it is moved, and loaded by nobody', async () => {
        const waiting: Promise<void>[] = [];
        const publisher = await openPublisher(database, kind, async (commit) => {
          await commit();
          waiting.push(publisher.refresh());
          // The refresh has asked for the version by now, and found it moved.
          await publisher.store.currentVersion();
        });
        await publisher.publish({ 1: 100 });
        await Promise.all(waiting);
        assert.deepEqual(
          [await publisher.read(), publisher.feed.current().version, publisher.loads()],
          [[[1, 100]], 1, 0],
        );
      });

      it('is loaded where it replaces more than may be held twice', async () => {
        const { publish, read, loads } = await openPublisher(database, kind, undefined, 10);
        await publish({ 1: 100, 2: 200, 3: 300 });
        assert.equal(loads(), 0, 'nothing is replaced yet');
        await publish({ 1: 400, 2: 500, 3: 600 });
        assert.deepEqual(await read(), [
          [3, 600],
          [2, 500],
          [1, 400],
        ]);
        assert.equal(loads(), kind === heldKind ? 1 : 0);
      });

      it('is loaded where the same record came twice', async () => {
        const { publishItems, read, loads } = await openPublisher(database, kind);
        const item = (number: number, amount: number): Item => ({ id: idOf(number), record: [number, amount] });
        // So many that the first are written when it comes again.
        const others = Array.from({ length: 200 }, (_, index) => item(2 + index, 50));
        await publishItems([[item(1, 100)], others, [item(1, 200)]]);
        assert.deepEqual((await read()).slice(0, 2), [
          [1, 200],
          [2, 50],
        ]);
        assert.equal(loads(), 1);
      });

      it('is the same as a load gives, whatever was published, cut off and overtaken before', async () => {
        const amounts = fc.dictionary(fc.integer({ min: 1, max: 9 }).map(String), fc.integer({ min: 1, max: 5 }));
        const step = fc.record({ amounts, fate: fc.constantFrom('done', 'cut off', 'overtaken') });
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
            await database.knex.raw('truncate published_records, feed_versions');
            const publisher = await openPublisher(database, kind);
            for (const { amounts, fate } of steps)
              await publishTo(fate, publisher, amounts, () => openPublisher(database, kind));
            const fresh = await openPublisher(database, kind);
            await fresh.refresh();
            await publisher.refresh();
            assert.deepEqual(await publisher.read(), await fresh.read());
            assert.equal(publisher.feed.current().version, fresh.feed.current().version);
          }),
          { numRuns: 15 },
        );
      });
    });
  }
});

type TestPublisher = Awaited<ReturnType<typeof openPublisher>>;

async function publishTo(
  fate: 'done' | 'cut off' | 'overtaken',
  publisher: TestPublisher,
  amounts: Readonly<Record<string, number>>,
  openOther: () => Promise<TestPublisher>,
): Promise<void> {
  if (fate === 'done') return publisher.publish(amounts);
  const numbers = Object.keys(amounts);
  const last = Number(numbers.at(-1));
  const publishing = publisher.publish(amounts, async (number) => {
    if (number !== last) return;
    if (fate === 'cut off') throw new Error('cut off');
    const other = await openOther();
    await other.refresh();
    await other.publish({ 7: 7 });
  });
  // What is the same is not published, and nobody overtakes a publication of nothing.
  await publishing.catch((error: unknown) => assert.match(String(error), /cut off|Another publication/));
}

/** The line of a feed over a database. `commit` may do something around the moment at which a version is moved. */
async function openPublisher(
  { knex }: Database,
  kind: TestKind,
  commit: (move: () => Promise<void>) => Promise<void> = (move) => move(),
  mostReplacedBytes?: number,
) {
  const stored = createFeedStore(knex, kind);
  let loads = 0;
  let textsRead = 0;
  const store: FeedStore<SignalColumns> = {
    ...stored,
    readChanges(after, upTo) {
      loads += 1;
      return stored.readChanges(after, upTo);
    },
    readBodies(view, ids, version) {
      textsRead += ids.length;
      return stored.readBodies(view, ids, version);
    },
    commitVersion: (...parts) => commit(() => stored.commitVersion(...parts)),
  };
  const publisher = await createFeedPublisher<
    Item,
    SignalRank,
    SignalColumns,
    SignalFilter,
    { readonly full: TestRecord }
  >({
    store,
    kind,
    render: toRecord,
    provers: { full: prover },
    sliceSize: 2,
    takedowns: scriptTakedowns().takedowns,
    mostReplacedBytes,
    tokens: createPageTokens(['a secret of these tests, long enough']),
    now,
    log: pino({ level: 'silent' }),
  });

  async function publishItems(chunks: readonly (readonly Item[])[], between: Between = async () => {}): Promise<void> {
    await publisher.publishAll(
      (async function* () {
        for (const chunk of chunks) {
          yield chunk;
          for (const { record } of chunk) await between(record[0]);
        }
      })(),
    );
  }

  return {
    feed: publisher.feed,
    store,
    refresh: publisher.refresh,
    loads: () => loads,
    textsRead: () => textsRead,
    publishItems,
    /** Publishes amounts by number as the whole feed; `between` is awaited behind each. */
    async publish(amounts: Readonly<Record<number, number>>, between?: Between): Promise<void> {
      const items = Object.entries(amounts).map(([number, amount]): Item => {
        return { id: idOf(Number(number)), record: [Number(number), amount] };
      });
      await publishItems(
        items.map((item) => [item]),
        between,
      );
    },
    async read(version?: number): Promise<readonly TestRecord[]> {
      const page = { filter: {}, limit: 10, ...(version !== undefined && { version }) };
      const { body } = await publisher.feed.page('full', page);
      return JSON.parse(Buffer.from(concatBytes(body)).toString('utf8')) as TestRecord[];
    },
  };
}

type Between = (number: number) => Promise<void>;

function toRecord({ id, record }: Item) {
  const rest = { sources: '', county: 'cook', signalType: 'tax_delinquent', hasAddress: true, lastSeenMs: 1 };
  const text = JSON.stringify(record);
  const bodies = { full: { text }, basic: undefined };
  const hash = Buffer.from(text).toString('base64');
  return { id, columns: JSON.stringify({ id, amountCents: record[1], ...rest }), bodies, placeKeys: [], hash };
}
