import assert from 'node:assert/strict';
import { absent, known } from '../../src/absence.js';
import { listSignals } from '../../generated/sdk.gen.js';
import type { CompactDeal } from '../../generated/types.gen.js';
import type { Client } from '../../generated/client/index.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import type { DealQuery } from '../filters/reference-order.js';
import { observe } from '../listings/observation.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { listDeals } from '../support/full-deals.js';
import { readSource } from '../support/read-source.js';

/** Some five miles from the center of ZIP 44105. */
const stated = { latitude: 41.5123, longitude: -81.5678 };
const nearStated = { near: '41.5123,-81.5678', radius: 1 };
const nearCenter = { near: '44105', radius: 1 };

describe('the coordinates of a record', () => {
  let app: TestApp;
  let client: Client;
  before(async () => {
    app = await startTestApp({ withData: false });
    client = createApiClient(app.url);
    const source = createScriptedDelivery('listings', {
      name: 'brokers',
      licence: { class: 'demonstration', mayStore: true, mayResell: true, attribution: 'Fictional brokers' },
      now: app.now,
    });
    const noAddress = absent('suppressed_by_policy');
    const listings = [
      { location: stated },
      {},
      { location: { latitude: 0, longitude: 0 } },
      { location: { latitude: stated.latitude, longitude: -stated.longitude } },
      { location: stated, address: noAddress },
      { location: stated, zip: absent('not_stated_by_source') },
    ].map((each, index) => observe({ address: known(`${index} Main St`), ...each, sourceKey: `k${index}` }));
    source.deliver({ pages: [listings.map((each, index) => ({ ...each, yearBuilt: known(1950 + index) }))] });
    await readSource(app, source);
    const signals = [
      { location: stated },
      { location: stated, address: absent('not_stated_by_source') },
      { location: stated, address: noAddress },
    ].map((each, index) => observeSignal({ ...each, sourceKey: `s${index}`, parcelId: `100-20-00${index}` }));
    await readCountyRecords(app, { signals });
    await app.pipeline.publish('all');
  });
  after(() => app.stop());

  const buy = async (query: DealQuery) =>
    (await purchase((headers) => listDeals({ client, headers, query }))).data ?? [];
  const yearsOf = async (query: DealQuery) =>
    (await buy(query)).map(({ year_built: year }) => Number(year) - 1950).sort();
  const keysOf = async (query: object) => {
    const { data } = await purchase((headers) => listSignals({ client, headers, query }));
    return (data?.signals ?? []).map(({ parcel_id: parcel }) => Number(parcel.slice(-1))).sort();
  };

  it("are its source's where they are within 60 miles of its ZIP and its address is shown, else the center of the ZIP", async () => {
    assert.deepEqual(await yearsOf(nearStated), [0]);
    assert.deepEqual(await yearsOf(nearCenter), [1, 2, 3, 4]);
    assert.deepEqual(await yearsOf({ near: '0,0', radius: 100 }), []);
    assert.deepEqual(await keysOf(nearStated), [0]);
    assert.deepEqual(await keysOf(nearCenter), [1], 'a record of a suppressed address is found nowhere on the map');
  });

  it('are never shown: the compact view says what they stand on', async () => {
    const compact = (await buy({ view: 'compact' })) as unknown as CompactDeal[];
    const bases = compact.map(({ location_basis: basis = 'none' }) => basis);
    assert.deepEqual(bases.sort(), ['none', 'source', ...Array<string>(4).fill('zip_centroid')]);
    const { rows } = await app.database.knex.raw<{ rows: { text: string }[] }>(
      'select concat(full_json, basic_json, compact_json) as text from published_records',
    );
    for (const { text } of rows) assert.doesNotMatch(text, /41\.5123|81\.5678|latitude/);
  });
});
