import assert from 'node:assert/strict';
import { known } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import { openTestDatabase } from '../../support/database.js';
import { setDay } from '../../sources/ingest/scripted-source.js';
import { observeSignal, observeSignals } from './observed-signal.js';
import { day, openSignalFixture } from './signal-fixture.js';

describe('the history of a signal', () => {
  let database: Database;
  let fixture: ReturnType<typeof openSignalFixture>;
  beforeEach(async () => {
    database = await openTestDatabase();
    fixture = openSignalFixture(database);
    setDay(0);
  });
  afterEach(() => database.close());

  it('merges by county, type and parcel: one id per delinquency in every source and list', async () => {
    await fixture.ingest([observeSignal({ listYear: known(2024) })]);
    setDay(1);
    await fixture.ingest([observeSignal({ sourceKey: 'other', parcelId: '10020001', ownerName: 'NEXT OWNER LLC' })], {
      name: 'b',
    });
    const signal = await fixture.readOnly();
    assert.deepEqual([signal.sourceName, signal.ownerName], ['b', 'NEXT OWNER LLC'], 'the newest word counts');
    assert.deepEqual(signal.firstSeenAt, day(0));
    await fixture.ingest([observeSignal({ countyFips: '39049' })], { name: 'c' });
    assert.equal((await fixture.readAll()).length, 2);
  });

  it('gives a delinquency the same id on every machine', async () => {
    await fixture.ingest([observeSignal()]);
    assert.equal((await fixture.readOnly()).id, '1a8c63fb-c40a-54e9-9c0a-5ec831e882f6');
  });

  it('keeps every observed amount with its period', async () => {
    for (const [index, amount] of ['100', '100', '250.5', '250.5', '80'].entries()) {
      setDay(index);
      await fixture.ingest([observeSignal({ amount })]);
    }
    setDay(6);
    await fixture.ingest([observeSignal({ amount: '80' })]);
    const signal = await fixture.readOnly();
    const { amount, firstSeenAt, lastSeenAt } = signal;
    assert.deepEqual([amount, firstSeenAt, lastSeenAt], ['80', day(0), day(6)]);
    assert.deepEqual(await fixture.amountsOf(signal), [
      { amount: '100', firstSeenAt: day(0), lastSeenAt: day(1) },
      { amount: '250.5', firstSeenAt: day(2), lastSeenAt: day(3) },
      { amount: '80', firstSeenAt: day(4), lastSeenAt: day(6) },
    ]);
  });

  it('resolves a debt missing from two complete runs, not before, and restores it when it is seen again', async () => {
    const [kept, gone] = observeSignals(2);
    assert.ok(kept && gone);
    await fixture.ingest([kept, gone]);
    setDay(1);
    await fixture.ingest([kept, gone]);
    setDay(2);
    const first = await fixture.ingest([kept], { acceptShrink: true });
    assert.deepEqual([first.status, first.retired], ['completed', 0]);
    assert.deepEqual(await fixture.keys(), ['s0', 's1']);
    const missed = await fixture.readKey('s1');
    assert.deepEqual(missed?.lastSeenAt, day(1), 'it was seen last before it was missing');
    setDay(3);
    assert.equal((await fixture.ingest([kept])).retired, 1);
    assert.deepEqual(await fixture.keys(), ['s0']);
    assert.deepEqual(await fixture.changes(day(3)), ['gone']);
    setDay(5);
    await fixture.ingest([kept, gone]);
    assert.deepEqual(await fixture.keys(), ['s0', 's1']);
    const back = await fixture.readKey('s1');
    assert.ok(back);
    assert.deepEqual([back.firstSeenAt, back.lastSeenAt], [day(0), day(5)]);
    assert.deepEqual(
      (await fixture.amountsOf(back)).map(({ firstSeenAt, lastSeenAt }) => [firstSeenAt, lastSeenAt]),
      [
        [day(0), day(1)],
        [day(5), day(5)],
      ],
      'it was not owed all the while',
    );
    assert.deepEqual(await fixture.changes(day(5)), ['s1']);
  });

  it('does not count an immediate second reading as a second run', async () => {
    const [kept, gone] = observeSignals(2);
    assert.ok(kept && gone);
    await fixture.ingest([kept, gone]);
    setDay(1);
    await fixture.ingest([kept], { acceptShrink: true });
    for (const soon of [1.01, 1.8]) {
      setDay(soon);
      assert.equal((await fixture.ingest([kept])).retired, 0);
    }
    setDay(2);
    assert.equal((await fixture.ingest([kept])).retired, 1, 'the first run that missed it is a day old');
  });

  it('does not count a failed or quarantined run', async () => {
    const many = observeSignals(10);
    await fixture.ingest(many, { etag: 'a' });
    setDay(1);
    assert.equal((await fixture.ingest(many.slice(0, 2), { etag: 'b' })).status, 'quarantined');
    await fixture.ingest(many.slice(0, 9), { isBroken: true });
    setDay(2);
    assert.equal((await fixture.ingest(many.slice(0, 9), { etag: 'c' })).retired, 0);
    assert.equal((await fixture.keys()).length, 10);
  });

  it('counts a list published unchanged as missing the debt again, a day later and not at once', async () => {
    const many = observeSignals(10);
    await fixture.ingest(many, { etag: 'a' });
    setDay(1);
    await fixture.ingest(many.slice(0, 9), { etag: 'b' });
    for (const soon of [1.01, 1.8]) {
      setDay(soon);
      const again = await fixture.ingest(many.slice(0, 9), { etag: 'b' });
      assert.deepEqual([again.status, again.retired], ['unchanged', 0]);
    }
    assert.equal((await fixture.keys()).length, 10);
    setDay(2);
    const next = await fixture.ingest(many.slice(0, 9), { etag: 'b' });
    assert.deepEqual([next.status, next.retired], ['unchanged', 1]);
    assert.equal((await fixture.keys()).length, 9);
    assert.deepEqual(await fixture.changes(day(2)), ['gone']);
    setDay(3);
    assert.equal((await fixture.ingest(many.slice(0, 9), { etag: 'b' })).retired, 0);
  });

  it('resolves, by an unchanged list, nothing of another source and nothing in the list', async () => {
    const [kept, gone] = observeSignals(2);
    assert.ok(kept && gone);
    for (const name of ['a', 'b']) await fixture.ingest([kept, gone], { name, etag: '1' });
    setDay(1);
    for (const name of ['a', 'b']) await fixture.ingest([kept], { name, etag: '2', acceptShrink: true });
    setDay(2);
    assert.equal((await fixture.ingest([kept], { name: 'a', etag: '2' })).retired, 1);
    assert.deepEqual(await fixture.keys(), ['s0', 's1'], 'the other source may still show it');
    assert.equal((await fixture.ingest([kept], { name: 'b', etag: '2' })).retired, 1);
    assert.deepEqual(await fixture.keys(), ['s0']);
  });

  it('updates the last-seen time for a list published unchanged', async () => {
    await fixture.ingest([observeSignal()], { etag: 'a' });
    setDay(4);
    await fixture.ingest([observeSignal()], { etag: 'a' });
    assert.deepEqual((await fixture.readOnly()).lastSeenAt, day(4));
    assert.deepEqual(await fixture.changes(day(1)), []);
  });

  it('keeps an unreadable row at its age, and only for a week', async () => {
    const [kept, odd] = observeSignals(2);
    assert.ok(kept && odd);
    await fixture.ingest([kept, odd]);
    const unread = { reject: 'missing_amount', key: 's1', detail: 'amount: a number is expected.' } as const;
    for (const index of [3, 5, 7]) {
      setDay(index);
      assert.equal((await fixture.ingest([kept, unread])).retired, 0);
    }
    assert.deepEqual((await fixture.readKey('s1'))?.lastSeenAt, day(0));
    setDay(8);
    assert.equal((await fixture.ingest([kept, unread])).retired, 1);
    assert.deepEqual(await fixture.keys(), ['s0']);
  });

  it('counts a row that is missing, unreadable and missing again as missing once', async () => {
    const [kept, odd] = observeSignals(2);
    assert.ok(kept && odd);
    await fixture.ingest([kept, odd]);
    const unread = { reject: 'missing_amount', key: 's1', detail: 'amount: a number is expected.' } as const;
    const retired: number[] = [];
    for (const [index, rows] of [[kept], [kept, unread], [kept], [kept]].entries()) {
      setDay(index + 1);
      retired.push((await fixture.ingest(rows, { acceptShrink: true })).retired);
    }
    assert.deepEqual(retired, [0, 0, 0, 1]);
  });

  it('drops an unreadable row when the list has since been published unchanged', async () => {
    const [odd, ...kept] = observeSignals(3);
    assert.ok(odd);
    await fixture.ingest([odd, ...kept], { etag: 'a' });
    const unread = { reject: 'missing_amount', key: 's0', detail: 'amount: a number is expected.' } as const;
    const retired: number[] = [];
    for (const index of [1, 6, 8]) {
      setDay(index);
      retired.push((await fixture.ingest([...kept, unread], { etag: 'b' })).retired);
    }
    assert.deepEqual(retired, [0, 0, 1]);
    assert.deepEqual(await fixture.keys(), ['s1', 's2']);
  });
});
