import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import type { Database } from '../../../src/db/database.js';
import { createChangesReader } from '../../../src/feeds/store/changes-reader.js';
import { dealKind } from '../../../src/feeds/query/deal-kind.js';
import { Overtaken } from '../../../src/feeds/store/draft-store.js';
import { createFeedStore } from '../../../src/feeds/store/feed-store.js';
import { openTestDatabase } from '../../support/database.js';

const epoch = new Date(0);
const noon = Date.parse('2026-11-22T12:00:00.000Z');
const minute = (minutes: number): Date => new Date(noon + minutes * 60_000);

describe('what a version of the deals feed has changed', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());
  const knex = (): Knex => database.knex;
  const store = () => createFeedStore(knex(), dealKind);
  const read = (since: Date) => createChangesReader(knex(), 'deals')(since);

  interface Written {
    readonly offered?: readonly { readonly id: number; readonly state: string; readonly priceCents?: number }[];
    readonly retired?: readonly number[];
  }

  /** Writes the version after `from` and moves the feed to it. `meanwhile` is done before that. */
  async function publish(
    from: number,
    { offered = [], retired = [] }: Written,
    at = minute(from),
    meanwhile: () => Promise<void> = async () => {},
  ): Promise<void> {
    const records = offered.map(({ id, ...columns }) => ({
      id: idOf(id),
      columns: JSON.stringify({ id: idOf(id), ...columns }),
      bodies: { full: { text: '{}' }, basic: { text: '{}' } },
      placeKeys: [],
      hash: Buffer.from(JSON.stringify(columns)).toString('base64'),
    }));
    const draft = await store().begin();
    assert.equal(draft.version, from + 1);
    await store().write(draft, records);
    await store().retire(draft, retired.map(idOf));
    await meanwhile();
    await store().commitVersion(draft, { at }, () => at);
  }

  const idOf = (id: number): string => `00000000-0000-4000-8000-00000000000${id}`;

  it('is counted by state: added, removed, repriced, and nothing for what changed otherwise', async () => {
    await publish(0, {
      offered: [
        { id: 1, state: 'OH', priceCents: 100 },
        { id: 2, state: 'OH', priceCents: 100 },
        { id: 3, state: 'OH', priceCents: 100 },
        { id: 4, state: 'TX' },
      ],
    });
    await publish(1, {
      offered: [
        { id: 1, state: 'OH', priceCents: 90 },
        { id: 2, state: 'OH', priceCents: 100 },
        { id: 4, state: 'TX', priceCents: 100 },
        { id: 5, state: 'IN' },
      ],
      retired: [3],
    });
    assert.deepEqual((await read(minute(0))).states, [
      { state: 'IN', added: 1, removed: 0, repriced: 0 },
      { state: 'OH', added: 0, removed: 1, repriced: 1 },
      { state: 'TX', added: 0, removed: 0, repriced: 1 },
    ]);
  });

  it('is counted by publication: what came, went and came back is added twice and removed once', async () => {
    await publish(0, { offered: [{ id: 1, state: 'OH', priceCents: 100 }] });
    await publish(1, { retired: [1] });
    await publish(2, { offered: [{ id: 1, state: 'OH', priceCents: 90 }] });
    assert.deepEqual(await read(epoch), {
      version: 3,
      countedFrom: epoch,
      committedAt: minute(2),
      states: [{ state: 'OH', added: 2, removed: 1, repriced: 0 }],
    });
    assert.deepEqual((await read(minute(1))).states, [{ state: 'OH', added: 1, removed: 0, repriced: 0 }]);
    assert.deepEqual((await read(minute(2))).states, []);
  });

  it('counts a deal whose state was corrected as removed in the one and added in the other', async () => {
    await publish(0, { offered: [{ id: 1, state: 'OH', priceCents: 100 }] });
    await publish(1, { offered: [{ id: 1, state: 'KY', priceCents: 90 }] });
    assert.deepEqual((await read(minute(0))).states, [
      { state: 'KY', added: 1, removed: 0, repriced: 0 },
      { state: 'OH', added: 0, removed: 1, repriced: 0 },
    ]);
  });

  it('compares with the newest version of a record that was published before, however long ago', async () => {
    await publish(0, { offered: [{ id: 1, state: 'OH', priceCents: 100 }] });
    for (const from of [1, 2, 3]) await publish(from, { offered: [{ id: 2, state: 'TX', priceCents: from }] });
    await publish(4, { offered: [{ id: 1, state: 'OH', priceCents: 100 }] });
    assert.deepEqual((await read(minute(3))).states, []);
  });

  it('is counted whole, however many records there are and whatever their ids', async () => {
    const count = 2_500;
    const ids = Array.from({ length: count }, (_, number) => {
      const digits = Math.floor((number / (count - 1)) * 0xffffffff).toString(16);
      return `${digits.padStart(8, '0')}-ffff-ffff-ffff-ffffffffffff`;
    });
    const columns = JSON.stringify({ state: 'OH', priceCents: 100 });
    const records = ids.map((id) => ({
      id,
      columns,
      bodies: { full: { text: '{}' }, basic: { text: '{}' } },
      hash: 'AA==',
      placeKeys: [],
    }));
    const first = await store().begin();
    await store().write(first, records);
    await store().commitVersion(first, { at: minute(0) }, () => minute(0));
    const second = await store().begin();
    await store().retire(second, ids);
    await store().commitVersion(second, { at: minute(1) }, () => minute(1));
    assert.deepEqual((await read(epoch)).states, [{ state: 'OH', added: count, removed: count, repriced: 0 }]);
  });

  it('keeps nothing of a publication that another one has overtaken', async () => {
    const meanwhile = () => publish(0, { offered: [{ id: 1, state: 'OH' }] });
    await assert.rejects(publish(0, { offered: [{ id: 2, state: 'TX' }] }, minute(1), meanwhile), Overtaken);
    assert.deepEqual((await read(epoch)).states, [{ state: 'OH', added: 1, removed: 0, repriced: 0 }]);
  });

  it('becomes visible after all before it, also when the clock of its publisher is slow', async () => {
    await publish(0, { offered: [{ id: 1, state: 'OH' }] }, minute(5));
    await publish(1, { offered: [{ id: 2, state: 'OH' }] }, minute(4));
    const { committedAt, states } = await read(minute(5));
    assert.deepEqual(committedAt, new Date(minute(5).getTime() + 1));
    assert.deepEqual(states, [{ state: 'OH', added: 1, removed: 0, repriced: 0 }]);
  });

  it('is kept as long as somebody may ask for what came in the last 90 days', async () => {
    const days = (count: number): Date => minute(count * 24 * 60);
    await publish(0, { offered: [{ id: 1, state: 'OH' }] }, days(0));
    await publish(1, { offered: [{ id: 2, state: 'TX' }] }, days(1));
    await publish(2, { offered: [{ id: 3, state: 'IN' }] }, days(90.5));
    assert.deepEqual((await read(epoch)).countedFrom, days(0));
    const { countedFrom, states } = await read(days(0.5));
    assert.deepEqual([countedFrom, states.map(({ state }) => state)], [days(0.5), ['IN', 'TX']]);
    await publish(3, { retired: [1] }, days(91));
    assert.deepEqual((await read(days(0.5))).countedFrom, days(1));
    assert.deepEqual(
      (await read(epoch)).states.map(({ state }) => state),
      ['IN', 'OH'],
    );
  });
});
