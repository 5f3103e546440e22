import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import { observeSignal } from '../signals/observed-signal.js';
import { openSignalFixture, type RollScript } from '../signals/signal-fixture.js';
import { setDay } from '../../sources/ingest/scripted-source.js';
import { openTestDatabase } from '../../support/database.js';
import { observeParcel } from './observed-parcel.js';

const at = (street: string, sourceKey = 'p1', parcelId = '10020001') =>
  observeParcel({ sourceKey, parcelId, address: known(street) });

describe('an incompletely read parcel roll', () => {
  let database: Database;
  let fixture: ReturnType<typeof openSignalFixture>;
  beforeEach(async () => {
    database = await openTestDatabase();
    fixture = openSignalFixture(database);
    setDay(0);
    await fixture.ingest([observeSignal({ address: absent('not_stated_by_source') })]);
  });
  afterEach(() => database.close());

  /** The address of the debt after these readings of the roll, one day apart; the reason when it is unknown. */
  const addressAfter = async (...readings: [rows: ReturnType<typeof at>[], script?: RollScript][]) => {
    for (const [index, [rows, script]] of readings.entries()) {
      setDay(index + 1);
      await fixture.readRoll(rows, script);
    }
    const { address, addressStatus } = await fixture.readOnly();
    assert.equal(addressStatus === 'complete', 'value' in address);
    return 'value' in address ? address.value : address.absent;
  };
  const broken = { isBroken: true };

  for (const [what, script, others] of [
    ['broke off', broken, []],
    ['is quarantined', { acceptShrink: false }, [at('7 Other St', 'p2', '777'), at('9 Other St', 'p3', '999')]],
    ['tells what has changed', { since: '2026-11-01' }, []],
  ] as const) {
    it(`uses the parcel's latest row, when it ${what} and has another spelling of the address`, async () => {
      const first = [at('100 EXAMPLE ST'), ...others];
      assert.equal(await addressAfter([first], [[at('100 EXAMPLE STREET')], script]), '100 EXAMPLE STREET');
      const report = (await database.knex('source_runs').orderBy('id', 'desc').first('status')) as { status: string };
      assert.equal(
        report.status,
        what === 'broke off' ? 'failed' : what === 'is quarantined' ? 'quarantined' : 'completed',
      );
    });
  }

  it("uses the parcel's latest row, also under another key", async () => {
    assert.equal(await addressAfter([[at('1 A St', 'p1')]], [[at('2 B St', 'p2')], broken]), '2 B St');
  });

  it("keeps a parcel's address when its key is another parcel now, since it may follow later", async () => {
    assert.equal(await addressAfter([[at('1 A St')]], [[at('7 C St', 'p1', '777')], broken]), '1 A St');
    assert.equal(await addressAfter([[at('7 C St', 'p1', '777')]]), 'parcel_lookup_failed');
  });

  it('stays ambiguous when the roll has a parcel at several places, whichever of them appears again', async () => {
    const several = [at('1 A St'), at('2 B St')];
    assert.equal(await addressAfter([several], [[at('1 A St')], broken]), 'ambiguous_match');
    assert.equal(await addressAfter([several], [[at('3 C St')], broken]), 'ambiguous_match');
    const underKeys = [at('1 A St', 'p1'), at('2 B St', 'p2')];
    assert.equal(await addressAfter([underKeys], [[at('1 A STREET', 'p1')], broken]), 'ambiguous_match');
    assert.equal(await addressAfter([several], [[at('1 A St')], { since: '2026-11-01' }]), 'ambiguous_match');
    assert.equal(await addressAfter([several], [[at('3 C St')]]), '3 C St', 'the whole roll says so');
  });

  it('reports several places when the roll itself shows them, also in separate pages', async () => {
    const many = Array.from({ length: 150 }, (_, index) => at(`${index + 1} Other St`, `o${index}`, `9${index}`));
    const rows = [at('1 A STREET'), ...many, at('2 B St')];
    assert.equal(await addressAfter([[at('1 A St')]], [rows, broken]), 'ambiguous_match');
    assert.equal(await addressAfter([[at('1 A St')]], [rows, { since: '2026-11-01' }]), 'ambiguous_match');
  });

  it('has no situs for a parcel whose latest row has none, and the situs again when the row has one', async () => {
    const without = observeParcel({ address: absent('no_situs_address') });
    assert.equal(await addressAfter([[at('1 A St')]], [[without], broken]), 'no_situs_address');
    assert.equal(await addressAfter([[without]], [[at('1 A St')], broken]), '1 A St');
    assert.equal(await addressAfter([[at('1 A St'), without]], [[at('1 A STREET')], broken]), '1 A STREET');
  });
});
