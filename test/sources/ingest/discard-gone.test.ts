import assert from 'node:assert/strict';
import type { Database } from '../../../src/db/database.js';
import { discardGone, type Discarded } from '../../../src/sources/ingest/discard-gone.js';
import { observeParcel } from '../../counties/parcels/observed-parcel.js';
import { observeSignals } from '../../counties/signals/observed-signal.js';
import { openSignalFixture } from '../../counties/signals/signal-fixture.js';
import { openTestDatabase } from '../../support/database.js';
import { clock, setDay } from './scripted-source.js';

const unreadable = { reject: 'missing_amount', key: 'odd', detail: 'amount: a number is expected.' } as const;

describe('rows that sources no longer show', () => {
  let database: Database;
  let paymentStatus: ReturnType<typeof openSignalFixture>;
  before(async () => {
    database = await openTestDatabase();
    paymentStatus = openSignalFixture(database);
  });
  after(() => database.close());

  const discard = async (day: number): Promise<Discarded> => {
    setDay(day);
    return discardGone(database.knex, clock.now, async () => {});
  };
  const nothing: Discarded = { rawRecords: 0, rejects: 0, signals: 0, parcels: 0 };

  it('are deleted in time: raw rows after 90 days, resolved or retired ones after a year', async () => {
    const [kept, gone] = observeSignals(2);
    assert.ok(kept && gone);
    const [lot, sold] = ['100-20-001', '100-20-002'].map((parcelId) =>
      observeParcel({ sourceKey: parcelId, parcelId }),
    );
    assert.ok(lot && sold);
    setDay(0);
    await paymentStatus.ingest([kept, gone, unreadable]);
    await paymentStatus.readRoll([lot, sold]);
    for (const day of [1, 2]) {
      setDay(day);
      await paymentStatus.ingest([kept, { ...gone, amount: `${day}` }]);
    }
    for (const day of [3, 4]) {
      setDay(day);
      await paymentStatus.ingest([kept], { acceptShrink: true });
      await paymentStatus.readRoll([lot]);
    }
    const [{ retired, resolved } = { retired: 0, resolved: 0 }] = await countGone();
    assert.deepEqual([retired, resolved], [1, 1]);
    assert.notEqual((await database.knex('signal_amounts')).length, 0);

    assert.deepEqual(await discard(90), nothing);
    const raw = await discard(91);
    assert.deepEqual([raw.rejects, raw.signals, raw.parcels], [1, 0, 0]);
    setDay(360);
    await paymentStatus.ingest([kept]);
    const before = await discard(367);
    assert.deepEqual([before.signals, before.rejects], [0, 0]);
    assert.equal((await discard(370)).signals, 1);
    assert.equal((await database.knex('parcels')).length, 1);
    assert.deepEqual(await paymentStatus.keys(), ['s0']);
    assert.equal((await database.knex('signal_amounts')).length, 0);
    assert.deepEqual(await discard(371), nothing);
  });

  async function countGone(): Promise<{ retired: number; resolved: number }[]> {
    const { rows } = await database.knex.raw<{ rows: { retired: number; resolved: number }[] }>(`
      select (select cast(count(*) as integer) from parcels where retired_at is not null) as retired,
        (select cast(count(*) as integer) from signals where resolved_at is not null) as resolved`);
    return rows;
  }
});
