import assert from 'node:assert/strict';
import type { Database } from '../../../src/db/database.js';
import type { DraftVersion } from '../../../src/feeds/store/draft-store.js';
import { createFeedStore, type FeedStore } from '../../../src/feeds/store/feed-store.js';
import { createReadPublished } from '../../../src/feeds/store/place-reader.js';
import type { RecordToStore } from '../../../src/feeds/store/published-record.js';
import { signalKind, type SignalColumns } from '../../../src/feeds/query/signal-kind.js';
import { countPages } from '../../support/count-pages.js';
import { openTestDatabase } from '../../support/database.js';

const now = (): Date => new Date('2026-11-22T12:00:00.000Z');
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

describe('records at a place', () => {
  let database: Database;
  let store: FeedStore<SignalColumns>;
  before(async () => {
    database = await openTestDatabase();
    store = createFeedStore(database.knex, signalKind);
  });
  after(() => database.close());

  const write = (draft: DraftVersion, number: number, text: string, ...placeKeys: string[]) =>
    store.write(draft, [
      { id: idOf(number), columns: '{}', placeKeys, hash: '', bodies: { full: { text }, basic: undefined } },
    ]);
  /** The version that is read, and what is found in it; of a feed beside others. */
  async function readAt(...keys: readonly string[]) {
    const [none, ours] = await createReadPublished(database.knex, 'parcel %')(['deals', 'signals'], keys);
    assert.deepEqual(none, { version: 0, takedownNumber: 0, found: [] });
    return [ours?.version, ...(ours?.found ?? []).map(({ full, placeKeys }) => `${full} ${placeKeys.join()}`)];
  }

  it('are none while nothing is published', async () => {
    assert.deepEqual(await readAt('a'), [0]);
  });

  it('are those of the current version, with all their keys', async () => {
    const first = await store.begin();
    await write(first, 1, 'first', 'a', 'b');
    await write(first, 2, 'moves', 'a');
    await write(first, 3, 'goes', 'a');
    await store.commitVersion(first, { at: now() }, now);
    const second = await store.begin();
    await write(second, 1, 'second', 'a', 'c');
    await write(second, 2, 'moved', 'd');
    await store.retire(second, [idOf(3)]);
    await write(second, 9, 'comes', 'a');
    assert.deepEqual(
      await readAt('a', 'b'),
      [1, 'first a,b', 'moves a', 'goes a'],
      'what is being written is not read',
    );
    await store.commitVersion(second, { at: now() }, now);
    assert.deepEqual(await readAt('a', 'b'), [2, 'second a,c', 'comes a']);
    assert.deepEqual(await readAt('b'), [2]);
  });

  it('are also those of the same parcel as any of them, and no further', async () => {
    const draft = await store.begin();
    await write(draft, 4, 'here', 'h', 'parcel 1');
    await write(draft, 5, 'no address', 'parcel 1');
    await write(draft, 6, 'neighbor', 'n', 'parcel 1', 'parcel 2');
    await write(draft, 7, 'further', 'parcel 2');
    await write(draft, 8, 'elsewhere', 'n');
    await store.commitVersion(draft, { at: now() }, now);
    assert.deepEqual(await readAt('h'), [3, 'here h,parcel 1', 'no address parcel 1', 'neighbor n,parcel 1,parcel 2']);
  });

  it('are found without a look at the others, also where they were asked for before there were any', async () => {
    const empty = await openTestDatabase();
    await empty.knex.transaction(async (session) => {
      const read = () => createReadPublished(session, 'parcel %')(['signals'], [placeOf(3), placeOf(997)]);
      assert.deepEqual(await read(), [{ version: 0, takedownNumber: 0, found: [] }]);
      const signals = createFeedStore(session, signalKind);
      const draft = await signals.begin();
      await signals.write(draft, Array.from({ length: 1_000 }, recordAtPlace));
      await session('feed_versions').where({ feed: 'signals' }).update({ version: draft.version });
      const { found, pages } = await countPages(session, 'published_records', read);
      assert.deepEqual(
        found[0]?.found.map(({ id }) => id),
        [idOf(3), idOf(997)],
      );
      assert.ok(pages <= 20, `${pages} pages were looked at`);
    });
    await empty.close();
  });
});

const placeOf = (number: number): string => `place ${number}`;

function recordAtPlace(_: unknown, number: number): RecordToStore {
  const bodies = { full: { text: 'x'.repeat(200) }, basic: undefined };
  return { id: idOf(number), columns: '{}', placeKeys: [placeOf(number)], hash: '', bodies };
}
