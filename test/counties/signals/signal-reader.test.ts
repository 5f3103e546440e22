import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import type { Licence } from '../../../src/sources/source.js';
import { openTestDatabase } from '../../support/database.js';
import { observeParcel } from '../parcels/observed-parcel.js';
import { openSuppression } from '../../policy/suppression.js';
import { clock, licence, setDay } from '../../sources/ingest/scripted-source.js';
import { observeSignal, observeSignals } from './observed-signal.js';
import { day, openSignalFixture } from './signal-fixture.js';

const notStated = absent('not_stated_by_source');
const demonstration: Licence = { ...licence, class: 'demonstration' };

describe('createSignalReader', () => {
  let database: Database;
  let fixture: ReturnType<typeof openSignalFixture>;
  beforeEach(async () => {
    database = await openTestDatabase();
    fixture = openSignalFixture(database);
    setDay(0);
  });
  afterEach(() => database.close());

  it('reads back the observation, with its identity and history', async () => {
    const observed = observeSignal();
    await fixture.ingest([observed], { licence: demonstration });
    const signal = await fixture.readOnly();
    const { id, ...rest } = signal;
    assert.deepEqual(rest, {
      ...observed,
      sourceName: 'county',
      sourceNames: ['county'],
      addressStatus: 'complete',
      firstSeenAt: day(0),
      lastSeenAt: day(0),
      demonstration: true,
    });
    assert.deepEqual(await fixture.reader().readByIds([id, '00000000-0000-4000-8000-000000000000']), [signal]);
  });

  it('keeps a signal at the place of the sale, without an address', async () => {
    await fixture.ingest([observeSignal({ address: known('1200 Ontario Street'), zip: known('44113') })]);
    const { address, addressStatus, parcelId } = await fixture.readOnly();
    assert.deepEqual([address, addressStatus], [absent('no_situs_address'), 'no_situs_address']);
    assert.equal(parcelId, '100-20-001');
  });

  for (const [what, own, roll, status, reason] of [
    ['is there', known('100 Example Ave'), undefined, 'complete', undefined],
    ['is missing and no roll was read', notStated, undefined, 'pending_parcel_lookup', 'pending_parcel_lookup'],
    [
      'is a courthouse',
      known('Justice Center, 1200 Ontario St'),
      undefined,
      'pending_parcel_lookup',
      'pending_parcel_lookup',
    ],
    ['is a mail box', known('PO BOX 12'), undefined, 'pending_parcel_lookup', 'pending_parcel_lookup'],
    [
      'is missing and the roll has no such parcel',
      notStated,
      [{ parcelId: '999' }],
      'parcel_lookup_failed',
      'parcel_lookup_failed',
    ],
    ['has number 0', known('0 Example Ave'), undefined, 'no_situs_address', 'no_situs_address'],
    ['has no number', known('Example Ave'), undefined, 'no_situs_address', 'no_situs_address'],
    [
      'is missing on the roll too',
      notStated,
      [{ address: absent('no_situs_address') }],
      'no_situs_address',
      'no_situs_address',
    ],
    ['has number 0 on the roll', notStated, [{ address: known('0 ROLL ST') }], 'no_situs_address', 'no_situs_address'],
    [
      'differs within the roll',
      notStated,
      [{}, { sourceKey: 'p2', address: known('9 Roll St') }],
      'ambiguous',
      'ambiguous_match',
    ],
    ['is suppressed by its source', absent('suppressed_by_owner'), [{}], 'suppressed', 'suppressed_by_owner'],
    ['is suppressed by policy', absent('suppressed_by_policy'), [{}], 'suppressed', 'suppressed_by_policy'],
  ] as const) {
    it(`reports ${status} when the street address ${what}`, async () => {
      await fixture.ingest([observeSignal({ address: own })]);
      if (roll !== undefined) await fixture.readRoll(roll.map((parcel) => observeParcel(parcel)));
      const signal = await fixture.readOnly();
      assert.deepEqual(
        [signal.addressStatus, signal.address],
        [status, reason === undefined ? known('100 Example Ave') : absent(reason)],
      );
    });
  }

  it('completes a missing street address from the roll, with city and ZIP, and names the roll', async () => {
    await fixture.ingest([observeSignal({ address: notStated, city: notStated, zip: notStated })]);
    await fixture.readRoll([observeParcel(), observeParcel({ sourceKey: 'p2', address: known('200  ROLL ST.') })]);
    const { addressStatus, address, city, zip, sourceNames } = await fixture.readOnly();
    assert.deepEqual(
      [addressStatus, address, city, zip, sourceNames[1]],
      ['complete', known('200 Roll St'), known('Cleveland'), known('44109'), 'roll'],
    );
  });

  it("uses the roll's assessed value of the parcel when it has none of its own", async () => {
    const notPublished = absent('not_published_by_source');
    const valued = (...values: string[]) =>
      values.map((value, index) =>
        observeParcel({ sourceKey: `p${index}`, address: known(`${index} Roll St`), assessedValue: known(value) }),
      );
    await fixture.ingest([observeSignal({ assessedValue: notPublished })]);
    const assessedBy = async (rows: ReturnType<typeof valued>) => {
      await fixture.readRoll(rows);
      const { assessedValue } = await fixture.readOnly();
      return 'value' in assessedValue ? assessedValue.value : assessedValue.absent;
    };
    assert.equal(await assessedBy([observeParcel({ assessedValue: notPublished })]), 'not_published_by_source');
    assert.equal(await assessedBy(valued('80000')), '80000');
    assert.equal(await assessedBy(valued('80000', '80000')), '80000');
    assert.equal(await assessedBy(valued('80000', '70000')), 'not_published_by_source');
    await fixture.readRoll(valued('80000'));
    await fixture.ingest([observeSignal({ assessedValue: known('90000') })]);
    assert.deepEqual((await fixture.readOnly()).assessedValue, known('90000'), 'its own word comes first');
  });

  it('uses no assessed value of a roll with an ended licence, and none that its own licence does not show', async () => {
    const unvalued = { assessedValue: absent('not_published_by_source') } as const;
    await fixture.readRoll([observeParcel()]);
    await fixture.ingest([observeSignal(unvalued)]);
    assert.deepEqual((await fixture.readOnly()).assessedValue, known('80000'));
    setDay(1);
    await database.knex('sources').where({ name: 'roll' }).update({ may_resell: false, changed_at: clock.now });
    assert.deepEqual((await fixture.readOnly()).assessedValue, unvalued.assessedValue);
    assert.deepEqual(await fixture.changes(day(1)), ['s1']);
    await database.knex('sources').where({ name: 'roll' }).update({ may_resell: true });
    await fixture.ingest([observeSignal(unvalued)], { licence: { ...licence, undisplayedFields: ['assessedValue'] } });
    assert.deepEqual((await fixture.readOnly()).assessedValue, absent('suppressed_by_policy'));
  });

  it('reports as changed the signals that a roll completes, moves or no longer lists', async () => {
    await fixture.ingest([observeSignal({ address: notStated }), observeSignal({ sourceKey: 's2', parcelId: '2' })]);
    setDay(1);
    await fixture.readRoll([observeParcel({ parcelId: '777' })]);
    assert.deepEqual(await fixture.changes(day(1)), ['s1'], 'it is no longer pending, but failed');
    setDay(2);
    await fixture.readRoll([observeParcel()]);
    assert.deepEqual(await fixture.changes(day(2)), ['s1']);
    assert.equal((await fixture.readKey('s1'))?.addressStatus, 'complete');
    setDay(3);
    await fixture.readRoll([observeParcel({ address: known('5 Roll St') })]);
    assert.deepEqual(await fixture.changes(day(3)), ['s1']);
    setDay(4);
    await fixture.readRoll([observeParcel({ parcelId: '777' })]);
    assert.deepEqual(await fixture.changes(day(4)), ['s1']);
    assert.equal((await fixture.readKey('s1'))?.addressStatus, 'parcel_lookup_failed');
  });

  it('offers nothing of a source that has no licence in force or was removed, and no address of such a roll', async () => {
    await fixture.ingest([observeSignal({ address: notStated })]);
    await fixture.readRoll([observeParcel()]);
    await fixture.ingest([observeSignal({ sourceKey: 'b', parcelId: '2' })], {
      name: 'b',
      licence: { ...licence, mayResell: false },
    });
    await fixture.ingest([observeSignal({ sourceKey: 'c', parcelId: '3' })], {
      name: 'c',
      licence: { ...licence, expiresAt: day(2) },
    });
    assert.deepEqual(await fixture.keys(), ['c', 's1']);
    setDay(2);
    assert.deepEqual(await fixture.keys(), ['s1']);
    assert.deepEqual(await fixture.changes(day(1)), ['gone']);
    const removed = { removed_at: clock.now, changed_at: clock.now };
    await database.knex('sources').whereNot({ name: 'county' }).update(removed);
    assert.equal((await fixture.readOnly()).addressStatus, 'pending_parcel_lookup');
    assert.deepEqual(await fixture.changes(day(2)), ['gone', 'gone', 's1']);
  });

  it('offers no signals of Kansas', async () => {
    await fixture.ingest([observeSignal({ countyFips: '20091', state: 'KS' }), observeSignal({ sourceKey: 'oh' })]);
    assert.deepEqual(await fixture.keys(), ['oh']);
  });

  it('suppresses a property at once, under any of its names, and a new reading does not restore it', async () => {
    const rows = [
      observeSignal({ sourceKey: 'by address' }),
      observeSignal({ sourceKey: 'by parcel', parcelId: '2', address: known('2 Other St') }),
      observeSignal({ sourceKey: 'by roll', parcelId: '3', address: notStated }),
      observeSignal({ sourceKey: 'by one of two', parcelId: '4', address: notStated }),
      observeSignal({ sourceKey: 'other', parcelId: '5', address: known('5 Other St') }),
    ];
    await fixture.ingest(rows);
    await fixture.readRoll([
      observeParcel({ parcelId: '3', address: known('3 Roll St') }),
      observeParcel({ sourceKey: 'p4', parcelId: '4', address: known('4 Roll St') }),
      observeParcel({ sourceKey: 'p5', parcelId: '4', address: known('6 Roll St') }),
    ]);
    const suppressed = (await fixture.readAll()).flatMap(({ id, sourceKey }) => (sourceKey === 'other' ? [] : id));
    setDay(1);
    const suppression = openSuppression(database.knex);
    await suppression.suppressAddress('100 Example Avenue, Cleveland, OH 44105', 'owner');
    await suppression.suppressParcel({ countyFips: '39035', parcelId: '2' }, 'owner');
    await suppression.suppressAddress('3 Roll Street, Cleveland, OH 44109', 'owner');
    await suppression.suppressAddress('6 Roll Street, Cleveland, OH 44109', 'owner');
    assert.deepEqual(await fixture.keys(), ['other']);
    assert.deepEqual(await fixture.changes(day(1), suppressed), ['gone', 'gone', 'gone', 'gone']);
    setDay(2);
    await fixture.ingest(rows.map((row) => ({ ...row, amount: '1' })));
    assert.deepEqual(await fixture.keys(), ['other']);
  });

  it('omits each field that its licence does not show, looks up no such address, and still applies suppressions', async () => {
    const narrowed = { licence: { ...licence, undisplayedFields: ['address', 'yearsOwed'] } };
    const rows = [
      observeSignal(),
      observeSignal({ sourceKey: 'by roll', parcelId: '3', address: notStated }),
      observeSignal({ sourceKey: 'own', parcelId: '4', address: known('4 Other St') }),
    ];
    await fixture.ingest(rows, narrowed);
    await fixture.readRoll([observeParcel({ parcelId: '3', address: known('3 Roll St') }), observeParcel()]);
    for (const { address, addressStatus, sourceNames, yearsOwed, listYear } of await fixture.readAll()) {
      assert.deepEqual([address, yearsOwed], [absent('suppressed_by_policy'), absent('suppressed_by_policy')]);
      assert.deepEqual([addressStatus, sourceNames.length, listYear], ['suppressed', 1, known(2025)]);
    }
    const suppression = openSuppression(database.knex);
    await suppression.suppressAddress('3 Roll Street, Cleveland, OH 44109', 'owner');
    await suppression.suppressAddress('4 Other Street, Cleveland, OH 44105', 'owner');
    assert.deepEqual(await fixture.keys(), ['s1']);
  });

  it('suppresses a signal by the address of its parcel, whatever its own address is', async () => {
    await fixture.ingest([
      observeSignal({ sourceKey: 'usable', address: known('1 Corner St'), parcelId: '3' }),
      observeSignal({ sourceKey: 'suppressed', address: absent('suppressed_by_owner'), parcelId: '4' }),
    ]);
    await openSuppression(database.knex).suppressAddress('3 Roll Street, Cleveland, OH 44109', 'owner');
    await openSuppression(database.knex).suppressAddress('4 Roll Street, Cleveland, OH 44109', 'owner');
    setDay(1);
    assert.deepEqual((await fixture.keys()).sort(), ['suppressed', 'usable']);
    setDay(2);
    await fixture.readRoll([
      observeParcel({ parcelId: '3', address: known('3 Roll St') }),
      observeParcel({ parcelId: '4', address: known('4 Roll St') }),
    ]);
    assert.deepEqual(await fixture.keys(), []);
    assert.deepEqual(await fixture.changes(day(1)), ['gone', 'gone']);
  });

  it('reports changed and new signals, and no unchanged ones', async () => {
    const [one, two, three] = observeSignals(3);
    assert.ok(one && two && three);
    await fixture.ingest([one, two]);
    setDay(1);
    await fixture.ingest([one, { ...two, amount: '1' }, three]);
    assert.deepEqual(await fixture.changes(day(1)), ['s1', 's2']);
    assert.deepEqual(await fixture.changes(day(2)), []);
  });

  it('reads every signal once, in chunks of at most 500 by id', async () => {
    await fixture.ingest(observeSignals(501));
    const sizes: number[] = [];
    const ids: string[] = [];
    for await (const chunk of fixture.reader().readOffered()) {
      sizes.push(chunk.length);
      ids.push(...chunk.map(({ id }) => id));
    }
    assert.deepEqual(sizes, [500, 1]);
    assert.deepEqual(ids, [...new Set(ids)].sort());
  });

  it('rejects a row with an invalid parcel number', async () => {
    const report = await fixture.ingest([
      observeSignal({ parcelId: 'N/A' }),
      observeSignal({ sourceKey: 'x', parcelId: '000' }),
    ]);
    assert.deepEqual([report.accepted, report.rejected], [0, 2]);
    assert.deepEqual(await database.knex('rejects').distinct().pluck('reason'), ['missing_parcel']);
  });
});
