import assert from 'node:assert/strict';
import { absent, known } from '../../src/absence.js';
import type { Database } from '../../src/db/database.js';
import type { PossiblySuppressed } from '../../src/policy/suppression-list.js';
import { ingestSource } from '../../src/sources/ingest/ingest-source.js';
import { createNamingReader } from '../../src/sources/naming-reader.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observe } from '../listings/observation.js';
import { observeParcel } from '../counties/parcels/observed-parcel.js';
import { observeSignals } from '../counties/signals/observed-signal.js';
import { day, openSignalFixture } from '../counties/signals/signal-fixture.js';
import { openTestDatabase } from '../support/database.js';
import { createScriptedDelivery } from './ingest/scripted-delivery.js';
import { clock, createScriptedSource, ingestOptions, setDay } from './ingest/scripted-source.js';

describe('createNamingReader', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    setDay(0);
  });
  afterEach(() => database.close());

  /** The places of one record in order, as `street, city state zip: county parcel`. */
  async function read(since = new Date(0), pageSize?: number): Promise<string[]> {
    const found: string[] = [];
    for await (const page of createNamingReader(database.knex, () => clock.now, pageSize).readSince(since))
      found.push(...page.map(({ places }) => places.map(write).join(' + ')));
    return found.sort();
  }

  const write = ({ street, city, state, zip, countyFips, parcelId }: PossiblySuppressed) =>
    `${street ?? '-'}, ${city ?? '-'} ${state} ${zip ?? '-'}: ${countyFips ?? '-'} ${parcelId ?? '-'}`;
  const paymentStatus = () => openSignalFixture(database);
  const ingestListing = (parcelId: string) =>
    ingestSource(createScriptedSource([observe({ parcelId: known(parcelId) })]), ingestOptions(database.knex));

  it("returns the property's places for every kind of record, its own first, then that of the roll", async () => {
    await paymentStatus().readRoll([observeParcel({ city: absent('not_published_by_source'), zip: known('44109') })]);
    await paymentStatus().ingest(observeSignals(1, { address: absent('no_situs_address') }));
    await ingestListing('100-20-001');
    const sales = createScriptedDelivery('auctions', { name: 'sheriff' });
    sales.deliver({ pages: [[observeAuction({ parcelId: absent('not_published_by_source') })]] });
    await ingestSource(sales, ingestOptions(database.knex));
    assert.deepEqual(await read(), [
      '-, Cleveland OH 44105: 39035 100-20-001 + 200 Roll St, Cleveland OH 44109: 39035 100-20-001',
      '1 Main St, Cleveland OH 44105: 39035 100-20-001 + 200 Roll St, Cleveland OH 44109: 39035 100-20-001',
      '100 Example Ave, Cleveland OH 44105: 39035 -',
      '200 Roll St, - OH 44109: 39035 10020001',
    ]);
  });

  it('returns each record once, over any number of pages', async () => {
    await paymentStatus().ingest(observeSignals(7));
    await ingestListing('100-20-001');
    const all = await read();
    assert.equal(new Set(all).size, 8);
    for (const pageSize of [1, 3, 7]) assert.deepEqual(await read(new Date(0), pageSize), all);
  });

  it('returns only later changes, and no place that the roll no longer has', async () => {
    await paymentStatus().readRoll([observeParcel(), observeParcel({ sourceKey: 'p2', parcelId: '10020002' })]);
    await paymentStatus().ingest(observeSignals(2));
    setDay(1);
    await paymentStatus().readRoll([observeParcel({ address: known('202 Roll St') })]);
    await paymentStatus().ingest([...observeSignals(1), ...observeSignals(2, { amount: '1.00' }).slice(1)]);
    assert.deepEqual(await read(day(1)), [
      '2 Example Ave, Cleveland OH 44105: 39035 100-20-002',
      '202 Roll St, Cleveland OH 44109: 39035 10020001',
    ]);
  });
});
