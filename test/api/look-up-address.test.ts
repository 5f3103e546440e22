import assert from 'node:assert/strict';
import type { Client } from '../../generated/client/index.js';
import { lookUpAddress } from '../../generated/sdk.gen.js';
import { listDeals } from '../support/full-deals.js';
import type { Deal, ParameterFault } from '../../generated/types.gen.js';
import { absent, known } from '../../src/absence.js';
import type { ObservedSignal } from '../../src/counties/signals/signal.js';
import type { Licence } from '../../src/sources/source.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observe } from '../listings/observation.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler, type InstantSettler } from '../support/instant-settler.js';
import { askPrice, signPayment } from '../support/pay.js';
import { ask, assertProblem } from '../support/raw-http.js';
import { readSource } from '../support/read-source.js';

describe('lookUpAddress', () => {
  let app: TestApp;
  let client: Client;
  let settler: InstantSettler;
  let deal: Deal;
  before(async () => {
    settler = createInstantSettler();
    app = await startTestApp({ settler });
    client = createApiClient(app.url);
    const { data: deals = [] } = await purchase((headers) => listDeals({ client, headers, query: { state: ['OH'] } }));
    deal = deals.find(({ address, zip, county }) => address !== null && zip !== null && county === 'Cuyahoga') as Deal;
    const place = { address: known(String(deal.address)), city: known(deal.city), zip: known(String(deal.zip)) };
    const saleDate = new Date(app.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    await readCountyRecords(app, {
      signals: [observeSignal(place)],
      auctions: [
        observeAuction({ ...place, saleDate }),
        observeAuction({ sourceKey: 'a2', caseNumber: known('CV-2'), address: known('100 Example Ave'), saleDate }),
      ],
    });
    await app.pipeline.publish('day');
  });
  after(() => app.stop());

  const buy = (address: string) => purchase((headers) => lookUpAddress({ client, query: { address }, headers }));
  const line = (): string => `${deal.address}, ${deal.city}, ${deal.state} ${deal.zip}`;

  describe('200', () => {
    it('returns the deal, the signal and the sale at the address, as their feeds sell them', async () => {
      const { data } = await buy(line());
      assert.ok(data);
      assert.deepEqual(
        data.matches.map(({ entity, match_type, confidence }) => `${entity} ${match_type} ${confidence}`),
        ['deal exact_normalized 0.98', 'signal exact_normalized 0.98', 'auction exact_normalized 0.98'],
      );
      const { data: deals = [] } = await purchase((headers) =>
        listDeals({ client, headers, query: { city: deal.city } }),
      );
      assert.deepEqual(
        data.matches[0]?.record,
        deals.find(({ id }) => id === deal.id),
      );
      assert.deepEqual(data.matches[0]?.matched_on, ['house_number', 'street', 'zip']);
    });

    it('accepts another spelling, and returns its interpretation', async () => {
      const { data } = await buy(
        line()
          .toLowerCase()
          .replace(/\bst\b/, 'street'),
      );
      assert.ok(data);
      assert.ok(data.matches.some(({ entity, record }) => entity === 'deal' && record.id === deal.id));
      assert.equal(data.normalized, data.normalized.toUpperCase());
      assert.equal(data.coverage.covered, true);
      assert.equal(data.coverage.county, 'Cuyahoga County, OH');
    });

    it('derives the county of an address without a ZIP from the found records', async () => {
      const { data } = await buy(`${deal.address}, ${deal.city}, ${deal.state}`);
      assert.ok(data && data.matches.length > 0);
      assert.deepEqual(data.coverage, { county: 'Cuyahoga County, OH', covered: true, absent: {} });
    });

    it('lists records that differ only in the suffix as possible matches, since they are not evidence', async () => {
      const { data } = await buy('100 Example St, Cleveland, OH 44105');
      assert.ok(data);
      assert.deepEqual(data.matches, []);
      assert.deepEqual(
        data.possible_matches.map(({ entity, match_type, confidence }) => `${entity} ${match_type} ${confidence}`),
        ['auction review_suffix_conflict 0.50'],
      );
      const { data: same } = await buy('100 Example Ave, Cleveland, OH 44105');
      assert.deepEqual(same?.matches[0]?.record, data.possible_matches[0]?.record);
      for (const { matches, possible_matches: possible } of [data, same ?? assert.fail()]) {
        assert.ok(matches.every(({ confidence }) => Number(confidence) >= 0.85));
        assert.ok(possible.every(({ confidence }) => Number(confidence) < 0.85));
      }
    });

    it('is revalidated free while nothing is published', async () => {
      const { response } = await buy(line());
      const path = `/api/lookup?address=${encodeURIComponent(line())}`;
      const etag = response.headers.get('ETag') ?? '';
      assert.equal((await ask(app.url, path, { headers: { 'If-None-Match': etag } })).status, 304);
    });
  });

  describe('404', () => {
    it('says that a covered address has no records, and bills nothing', async () => {
      const settled = settler.settled.length;
      const { error, response } = await buy(`98765 Nowhere Ave, ${deal.city}, ${deal.state} ${deal.zip}`);
      assert.deepEqual([response.status, reasonOf(error)], [404, 'no_match']);
      assert.equal(settler.settled.length, settled);
    });

    it('says that a place is not covered, and bills nothing', async () => {
      const settled = settler.settled.length;
      const { error, response } = await buy('1 Main St, Anchorage, AK 99501');
      assert.deepEqual([response.status, reasonOf(error)], [404, 'outside_coverage']);
      assert.equal(settler.settled.length, settled);
    });
  });

  describe('400', () => {
    for (const address of ['Cleveland, OH 44105', 'PO Box 12, Cleveland, OH 44105', '0 Main St, Cleveland, OH 44105'])
      it(`is announced with the price, and returned unbilled to a caller who pays anyway: ${address}`, async () => {
        const settled = settler.settled.length;
        const path = `/api/lookup?address=${encodeURIComponent(address)}`;
        const unpaid = assertProblem(await ask(app.url, path), 402, 'address_not_parsed');
        assert.deepEqual(faultsOf(unpaid), [['address', 'query', 'address_not_parsed']]);
        const headers = { 'PAYMENT-SIGNATURE': await signPayment(await askPrice(app.url + path)) };
        const refused = assertProblem(await ask(app.url, path, { headers }), 400, 'address_not_parsed');
        assert.deepEqual(faultsOf(refused), [['address', 'query', 'address_not_parsed']]);
        assert.equal(settler.settled.length, settled);
      });
  });
});

describe('lookUpAddress, for a property whose county record has only a parcel', () => {
  let app: TestApp;
  let client: Client;
  before(async () => {
    app = await startTestApp({ settler: createInstantSettler(), withData: false });
    client = createApiClient(app.url);
    const listings = createScriptedDelivery('listings', { name: 'brokers', licence, now: app.now });
    listings.deliver({ pages: [parcels.map((parcel, index) => listingOf(index, parcel))] });
    await readSource(app, listings);
    const saleDate = new Date(app.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    await readCountyRecords(app, {
      signals: parcels.map((parcelId, index) => debtOn({ sourceKey: `s${index}`, parcelId: parcelId.toLowerCase() })),
      auctions: [
        // On the first parcel: one without a street, one with another suffix, and one with a contradicting address.
        ...[nowhere, known('1 Main Ave'), known('7 Elm St')].map((address, index) =>
          observeAuction({ address, saleDate, parcelId: known('131 01 A1'), ...caseOf(index) }),
        ),
        // The number of the third parcel, in another county.
        observeAuction({ ...inGeauga, saleDate, parcelId: known('131-01-C3'), ...caseOf(9) }),
      ],
    });
    await app.pipeline.publish('all');
  });
  after(() => app.stop());

  const line = (index: number): string => `${index + 1} Main St, Cleveland, OH 44105`;
  const buy = (index: number) =>
    purchase((headers) => lookUpAddress({ client, query: { address: line(index) }, headers }));
  const matchesOf = ({ data }: Awaited<ReturnType<typeof buy>>) =>
    data?.matches.map(({ entity, match_type, confidence, matched_on: on }) => [entity, match_type, confidence, ...on]);

  it('returns it with the deal on its parcel, at the highest confidence', async () => {
    assert.deepEqual(matchesOf(await buy(1)), [
      ['signal', 'parcel_exact', '1.00', 'parcel'],
      ['deal', 'exact_normalized', '0.98', 'house_number', 'street', 'zip'],
    ]);
  });

  it('returns each record once, and none with a contradicting address', async () => {
    const reply = await buy(0);
    assert.deepEqual(
      matchesOf(reply)?.map(([entity, type]) => `${entity} ${type}`),
      ['signal parcel_exact', 'auction parcel_exact', 'auction parcel_exact', 'deal exact_normalized'],
    );
    assert.deepEqual(reply.data?.possible_matches, []);
    const shown = reply.data?.matches.map(({ record }) =>
      'property_address' in record ? record.property_address : '',
    );
    assert.ok(shown?.includes('1 Main Ave') && !shown.includes('7 Elm St'), String(shown));
  });

  it('excludes records of another county with the same parcel number', async () => {
    const { data } = await buy(2);
    assert.deepEqual(
      data?.matches.map(({ entity }) => entity),
      ['signal', 'deal'],
    );
  });

  it('refuses a paid request when the parcel is suppressed, at once and after the publication', async () => {
    await app.pipeline.suppress({ countyFips: '39035', parcelId: '131-01-B2', reason: 'asked by its owner' });
    await app.pipeline.refresh();
    assert.equal(reasonOf((await buy(1)).error), 'no_match');
    await app.pipeline.publishIfBehind();
    assert.equal(reasonOf((await buy(1)).error), 'no_match');
    assert.equal(matchesOf(await buy(2))?.length, 2);
  });

  it('omits a record that was taken down, at once', async () => {
    await app.database
      .knex('sources')
      .where({ name: 'county-signals' })
      .update({ removed_at: app.now(), changed_at: app.now() });
    await app.pipeline.refresh();
    // The deal mentions the record until it is published without it.
    assert.equal((await buy(2)).response.status, 404);
    await app.pipeline.publishIfBehind();
    assert.deepEqual(
      matchesOf(await buy(2))?.map(([entity]) => entity),
      ['deal'],
    );
  });
});

const licence: Licence = { class: 'demonstration', mayStore: true, mayResell: true, attribution: 'Fictional brokers' };
const nowhere = absent('pending_parcel_lookup');
const inGeauga = { countyFips: '39055', address: nowhere, city: nowhere, zip: nowhere };
/** The deals at 1, 2 and 3 Main St. */
const parcels = ['131-01-A1', '131-01-B2', '131-01-C3'];

const listingOf = (index: number, parcelId: string) =>
  observe({ sourceKey: `l${index}`, address: known(`${index + 1} Main St`), parcelId: known(parcelId) });

const caseOf = (index: number) => ({ sourceKey: `a${index}`, caseNumber: known(`CV-${index}`) });

const debtOn = (overrides: Partial<ObservedSignal>): ObservedSignal =>
  observeSignal({ address: nowhere, city: nowhere, zip: nowhere, ...overrides });

function reasonOf(error: unknown): string | undefined {
  return (error as { reason?: string } | undefined)?.reason;
}

function faultsOf({ errors = [] }: { readonly errors?: readonly ParameterFault[] }): readonly string[][] {
  return errors.map(({ parameter, in: place, reason }) => [parameter, place, reason]);
}
