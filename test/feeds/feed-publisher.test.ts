import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.js';
import { keptVersions } from '../../src/feeds/feed.js';
import { signalKind } from '../../src/feeds/query/signal-kind.js';
import { heldKind, idOf, openSignals, type TestKind } from './open-signals.js';
import { openTestDatabase } from '../support/database.js';

describe('a feed that is brought to its published version', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  describe('whose texts stay in the database', () => itIsBrought(() => database, signalKind));
  describe('whose texts are held in memory', () => {
    itIsBrought(() => database, heldKind);

    it('asks the database for nothing but what has changed since an older version', async () => {
      const { publish, refresh, read, asked } = await openSignals(database, heldKind);
      await publish({ 1: 100, 2: 200, 3: 300 });
      await refresh();
      await read();
      await publish({ 1: 150 }, [2]);
      await refresh();
      await read();
      assert.deepEqual(asked, []);
      await read(1);
      assert.deepEqual(asked, [[idOf(2), idOf(1)]]);
    });
  });

  it('tells of records that are published, without what was taken down since', async () => {
    const { publish, filterPublished, suppress } = await openSignals(database, signalKind);
    await publish({ 1: 100, 2: 200 });
    const ids = [idOf(1), idOf(2), idOf(3)];
    assert.deepEqual((await filterPublished(ids)).published, new Set([idOf(1), idOf(2)]));
    await suppress(idOf(2));
    assert.deepEqual((await filterPublished(ids)).published, new Set([idOf(1)]));
  });
});

function itIsBrought(database: () => Database, kind: TestKind): void {
  it('shows what was published, in its order, then what has changed, came and went since', async () => {
    const { feed, publish, refresh, read } = await openSignals(database(), kind);
    await publish({ 1: 100, 2: 200, 3: 300, 4: 200 });
    await refresh();
    assert.deepEqual(await read(), [
      [3, 300],
      [2, 200],
      [4, 200],
      [1, 100],
    ]);
    await refresh();
    assert.equal(feed.current().version, 1);
    await publish({ 1: 400, 5: 250 }, [3]);
    await refresh();
    assert.deepEqual(await read(), [
      [1, 400],
      [5, 250],
      [2, 200],
      [4, 200],
    ]);
    assert.equal(feed.current().version, 2);
  });

  it('shows the last of several publications, each record as it is by then', async () => {
    const { publish, refresh, read } = await openSignals(database(), kind);
    await publish({ 1: 100, 2: 200, 3: 300 });
    await refresh();
    await publish({ 1: 400, 4: 250 }, [3]);
    await publish({ 1: 150, 3: 350 }, [4]);
    await refresh();
    assert.deepEqual(await read(), [
      [3, 350],
      [2, 200],
      [1, 150],
    ]);
  });

  it('shows whoever pages through an older version what stood there', async () => {
    const { publish, refresh, read } = await openSignals(database(), kind);
    await publish({ 1: 100, 2: 200 });
    await refresh();
    for (const amount of [300, 50]) {
      await publish({ 1: amount });
      await refresh();
    }
    await publish({ 1: 300 }, [2]);
    await refresh();
    assert.deepEqual(
      [await read(1), await read(2), await read(3), await read()],
      [
        [
          [2, 200],
          [1, 100],
        ],
        [
          [1, 300],
          [2, 200],
        ],
        [
          [2, 200],
          [1, 50],
        ],
        [[1, 300]],
      ],
    );
  });

  for (const [what, failing] of [
    ['the database', 'readChanges'],
    ['its index', 'createIndex'],
  ] as const) {
    it(`gives back what a load has taken that ${what} failed, and loads the same with the next one`, async () => {
      const faults: string[] = [failing, failing];
      const fail = (step: string): void => {
        if (step === faults[0]) throw new Error(`no ${faults.shift()} now`);
      };
      const { feed, publish, refresh, read } = await openSignals(database(), kind, fail);
      const { records } = feed.current();
      const begin = records.change.bind(records);
      let abandoned = 0;
      records.change = () => {
        const change = begin();
        return { ...change, abandon: () => void (abandoned++, change.abandon()) };
      };
      await publish({ 1: 100, 2: 200 });
      await assert.rejects(refresh(), /now/);
      await assert.rejects(refresh(), /now/);
      assert.equal(abandoned, 2);
      await refresh();
      assert.deepEqual(await read(), [
        [2, 200],
        [1, 100],
      ]);
      assert.equal(abandoned, 2);
    });
  }

  it('shows nothing that is gone, however many versions were published since it was brought to one', async () => {
    const { publish, refresh, read, countRows } = await openSignals(database(), kind);
    await publish({ 1: 100, 2: 200, 3: 300 });
    await refresh();
    await publish({ 3: 350 }, [2]);
    for (let amount = 1; amount <= keptVersions; amount++) await publish({ 1: amount });
    assert.equal(await countRows(2), 0);
    await refresh();
    const shown = [
      [3, 350],
      [1, keptVersions],
    ];
    assert.deepEqual(await read(), shown);
    // Nor is the rest of an older version there any more: it goes on in this one.
    assert.deepEqual(await read(1), shown);
  });

  it('shows nothing that was forgotten while it was brought to a version', async () => {
    const meanwhile: (() => Promise<void>)[] = [];
    const { publish, refresh, read, countRows } = await openSignals(database(), kind, async (step) => {
      if (step === 'begin') await meanwhile.pop()?.();
    });
    await publish({ 1: 100, 2: 200 });
    await refresh();
    await publish({}, [2]);
    for (let amount = 1; amount < keptVersions; amount++) await publish({ 1: amount });
    assert.equal(await countRows(2), 2);
    meanwhile.push(() => publish({ 1: keptVersions }));
    await refresh();
    assert.equal(await countRows(2), 0);
    assert.deepEqual(await read(), [[1, keptVersions]]);
  });

  it('goes back with the database, and on from there', async () => {
    const { feed, publish, refresh, read, keepCopy } = await openSignals(database(), kind);
    await publish({ 1: 100, 2: 200 });
    const goBack = await keepCopy();
    for (const amount of [300, 400]) {
      await publish({ 1: amount, 3: amount });
      await refresh();
    }
    await goBack();
    await refresh();
    const first = [
      [2, 200],
      [1, 100],
    ];
    assert.deepEqual([feed.current().version, await read(), await read(2), await read(3)], [1, first, first, first]);
    await publish({ 2: 50 });
    await refresh();
    const second = [
      [1, 100],
      [2, 50],
    ];
    assert.deepEqual([await read(), await read(1), await read(3)], [second, first, second]);
  });

  it('leaves out a record that breaks the contract, and what it was before', async () => {
    const { publish, refresh, read } = await openSignals(database(), kind);
    await publish({ 1: 100, 2: -1, 3: 300 });
    await refresh();
    assert.deepEqual(await read(), [
      [3, 300],
      [1, 100],
    ]);
    await publish({ 2: 200, 3: -1 });
    await refresh();
    assert.deepEqual(await read(), [
      [2, 200],
      [1, 100],
    ]);
  });
}
