import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import { observeSignal } from '../signals/observed-signal.js';
import { openSignalFixture, type RollScript } from '../signals/signal-fixture.js';
import { setDay } from '../../sources/scripted-source.js';
import { openTestDatabase } from '../../support/database.js';
import { observeParcel } from './observed-parcel.js';

const at = (street: string, sourceKey = 'p1', parcelId = '10020001') =>
  observeParcel({ sourceKey, parcelId, address: known(street) });

describe('a parcel roll that is not read to its end', () => {
  let database: Database;
  let fixture: ReturnType<typeof openSignalFixture>;
  beforeEach(async () => {
    database = await openTestDatabase();
    fixture = openSignalFixture(database);
    setDay(0);
    await fixture.ingest([observeSignal({ address: absent('not_stated_by_source') })]);
  });
  afterEach(() => database.close());

  /** Where the debt is after these readings of the roll, a day apart; the reason where that cannot be said. */
  const addressAfter = async (...readings: [rows: ReturnType<typeof at>[], script?: RollScript][]) => {
    for (const [index, [rows, script]] of readings.entries()) {
      setDay(index + 1);
      await fixture.readRoll(rows, script);
    }
    const { address } = await fixture.readOnly();
    const [count] = await fixture.reader().countOffered();
    assert.equal(count?.withAddress, 'value' in address ? 1 : 0);
    return 'value' in address ? address.value : address.absent;
  };
  const broken = { isBroken: true };

  for (const [what, script, others] of [
    ['broke off', broken, []],
    ['is quarantined', { acceptShrink: false }, [at('7 Other St', 'p2', '777'), at('9 Other St', 'p3', '999')]],
    ['tells what has changed', { since: '2026-11-01' }, []],
  ] as const) {
    it(`has its parcel where it shows it now, when it ${what} and writes the address in another way`, async () => {
      const first = [at('100 EXAMPLE ST'), ...others];
      assert.equal(await addressAfter([first], [[at('100 EXAMPLE STREET')], script]), '100 EXAMPLE STREET');
      const report = (await database.knex('source_runs').orderBy('id', 'desc').first('status')) as { status: string };
      assert.equal(
        report.status,
        what === 'broke off' ? 'failed' : what === 'is quarantined' ? 'quarantined' : 'completed',
      );
    });
  }

  it('has its parcel where it shows it now, also under another key', async () => {
    assert.equal(await addressAfter([[at('1 A St', 'p1')]], [[at('2 B St', 'p2')], broken]), '2 B St');
  });

  it('leaves a parcel where it was whose key is another parcel now: it may come yet', async () => {
    assert.equal(await addressAfter([[at('1 A St')]], [[at('7 C St', 'p1', '777')], broken]), '1 A St');
    assert.equal(await addressAfter([[at('7 C St', 'p1', '777')]]), 'parcel_lookup_failed');
  });

  it('stays ambiguous where the roll has a parcel at several places, whichever of them it shows again', async () => {
    const several = [at('1 A St'), at('2 B St')];
    assert.equal(await addressAfter([several], [[at('1 A St')], broken]), 'ambiguous_match');
    assert.equal(await addressAfter([several], [[at('3 C St')], broken]), 'ambiguous_match');
    const underKeys = [at('1 A St', 'p1'), at('2 B St', 'p2')];
    assert.equal(await addressAfter([underKeys], [[at('1 A STREET', 'p1')], broken]), 'ambiguous_match');
    assert.equal(await addressAfter([several], [[at('1 A St')], { since: '2026-11-01' }]), 'ambiguous_match');
    assert.equal(await addressAfter([several], [[at('3 C St')]]), '3 C St', 'the whole roll says so');
  });

  it('says that a parcel is at several places where it shows so itself, also in pieces', async () => {
    const many = Array.from({ length: 150 }, (_, index) => at(`${index + 1} Other St`, `o${index}`, `9${index}`));
    const rows = [at('1 A STREET'), ...many, at('2 B St')];
    assert.equal(await addressAfter([[at('1 A St')]], [rows, broken]), 'ambiguous_match');
    assert.equal(await addressAfter([[at('1 A St')]], [rows, { since: '2026-11-01' }]), 'ambiguous_match');
  });

  it('has no situs for a parcel that it shows without one now, and its place again when it shows that', async () => {
    const without = observeParcel({ address: absent('no_situs_address') });
    assert.equal(await addressAfter([[at('1 A St')]], [[without], broken]), 'no_situs_address');
    assert.equal(await addressAfter([[without]], [[at('1 A St')], broken]), '1 A St');
    assert.equal(await addressAfter([[at('1 A St'), without]], [[at('1 A STREET')], broken]), '1 A STREET');
  });
});
