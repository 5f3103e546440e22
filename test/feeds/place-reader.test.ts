import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.js';
import type { DraftVersion } from '../../src/feeds/draft-store.js';
import { createFeedStore, type FeedStore } from '../../src/feeds/feed-store.js';
import { createReadPublished } from '../../src/feeds/place-reader.js';
import { signalKind, type SignalColumns } from '../../src/feeds/signal-kind.js';
import { openTestDatabase } from '../support/database.js';

const now = (): Date => new Date('2026-11-22T12:00:00.000Z');
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

describe('records at a place', () => {
  let database: Database;
  let store: FeedStore<SignalColumns>;
  before(async () => {
    database = await openTestDatabase();
    store = createFeedStore(database.knex, { kind: signalKind });
  });
  after(() => database.close());

  const write = (draft: DraftVersion, number: number, text: string, ...placeKeys: string[]) =>
    store.write(draft, [
      { id: idOf(number), columns: '{}', placeKeys, hash: '', bodies: { full: { text }, basic: undefined } },
    ]);
  /** The version that is read, and what is found in it; of a feed beside others. */
  async function readAt(...keys: readonly string[]) {
    const [none, ours] = await createReadPublished(database.knex, 'parcel %')(['deals', 'signals'], keys);
    assert.deepEqual(none, { version: 0, found: [] });
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
    await write(draft, 6, 'neighbour', 'n', 'parcel 1', 'parcel 2');
    await write(draft, 7, 'further', 'parcel 2');
    await write(draft, 8, 'elsewhere', 'n');
    await store.commitVersion(draft, { at: now() }, now);
    assert.deepEqual(await readAt('h'), [3, 'here h,parcel 1', 'no address parcel 1', 'neighbour n,parcel 1,parcel 2']);
  });
});
