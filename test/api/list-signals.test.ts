import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Client } from '../../generated/client/index.js';
import { getPage, listSignals } from '../../generated/sdk.gen.js';
import { getMeta } from '../support/full-deals.js';
import type { ListSignalsData, Signal } from '../../generated/types.gen.js';
import { absent, known } from '../../src/absence.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { deep } from '../support/depth.js';
import { createInstantSettler, type InstantSettler } from '../support/instant-settler.js';

type SignalQuery = NonNullable<ListSignalsData['query']>;

const counties = [
  { countyFips: '39035', state: 'OH' },
  { countyFips: '17031', state: 'IL' },
  { countyFips: '48113', state: 'TX' },
];
const amounts = ['0.01', '4999.99', '5000', '5000.00', '5000.01', '12345.67', '999999999999.99'];

describe('listSignals', () => {
  let app: TestApp;
  let client: Client;
  let settler: InstantSettler;
  let all: readonly Signal[];
  before(async () => {
    settler = createInstantSettler();
    app = await startTestApp({ settler, withData: false });
    client = createApiClient(app.url);
    const signals = Array.from({ length: 120 }, (_, index) =>
      observeSignal({
        ...counties[index % 3],
        sourceKey: `s${index}`,
        parcelId: `100-20-${index}`,
        amount: amounts[index % amounts.length] ?? '1',
        address: index % 4 === 0 ? absent('not_stated_by_source') : known(`${index + 1} Example Ave`),
      }),
    );
    await readCountyRecords(app, { signals });
    await app.pipeline.publish('all');
    all = (await buy({})).data?.signals ?? [];
  });
  after(() => app.stop());

  const buy = (query: SignalQuery) => purchase((headers) => listSignals({ client, query, headers }));

  describe('200', () => {
    it('returns every signal, largest amount first, then by id', () => {
      assert.equal(all.length, 120);
      assert.deepEqual(all, [...all].sort(compareSignals));
    });

    it('has owner, parcel, amount and public record on every row, and describes its fields', async () => {
      for (const signal of all) {
        assert.equal(signal.owner_name, 'EXAMPLE HOLDINGS LLC');
        assert.match(signal.parcel_id, /^100-20-\d+$/);
        assert.match(signal.amount, /^\d+\.\d{2}$/);
        assert.match(signal.source_url, /^https:/);
      }
      const { data } = await buy({ limit: 1 });
      assert.ok(data?.schema_notes['address_status']);
    });

    it('gives the reason for a missing street address, and marks such a row as not mail-ready', () => {
      const missing = all.filter(({ address }) => address === null);
      assert.equal(missing.length, 30);
      for (const { has_address, address_status, absent: why } of missing) {
        assert.equal(has_address, false);
        assert.equal(address_status, 'pending_parcel_lookup');
        assert.deepEqual(why.address, { reason: 'pending_parcel_lookup' });
      }
    });

    it('combines filters with AND, as the reference filter does', async () => {
      const queries = fc.record(
        {
          county: fc.constantFrom(
            'cuyahoga',
            'COOK COUNTY, IL',
            ', TX',
            'county',
            'Nowhere',
            "'; DROP TABLE signals--",
          ),
          signal_type: fc.constant('tax_delinquent' as const),
          min_amount: fc.constantFrom(0, 0.01, 5000, 5000.005, 5000.01, 1_000_000_000_000),
          has_address: fc.boolean(),
        },
        { requiredKeys: [] },
      );
      let hits = 0;
      const property = fc.asyncProperty(queries, async (query) => {
        const expected = all.filter((signal) => matchesQuery(signal, query)).map(({ id }) => id);
        if (expected.length > 0) hits++;
        const { data, response } = await buy(query);
        const ids = (data?.signals ?? []).map(({ id }) => id);
        assert.deepEqual([response.status, ids], [expected.length > 0 ? 200 : 404, expected]);
      });
      await fc.assert(property, { numRuns: deep(100, 25) });
      assert.ok(hits > deep(30, 6) && hits < deep(100, 25), `${hits} queries matched`);
    });

    it('leads through all pages, free, and marks the last one', async () => {
      const { data, response } = await buy({ limit: 50 });
      assert.ok(data?.next);
      assert.equal(response.headers.get('Link'), `<${data.next}>; rel="next"`);
      const seen = [...data.signals];
      let last = data;
      while (last.next !== null) {
        const { data: page } = await getPage({ client, path: { token: last.next.replace('/api/pages/', '') } });
        assert.ok(page !== undefined && 'signals' in page);
        assert.equal(page.total, 120);
        seen.push(...page.signals);
        last = page;
      }
      assert.deepEqual(seen, all);
      assert.deepEqual(last.absent, { next: { reason: 'not_applicable' } });
    });
  });

  describe('400', () => {
    it('is returned for a county of only spaces, which would match every record', async () => {
      const settled = settler.settled.length;
      const { response, error } = await buy({ county: ' \u3000 ' });
      assert.equal(response.status, 400);
      assert.equal(error && 'errors' in error && error.errors[0]?.parameter, 'county');
      assert.equal(settler.settled.length, settled);
    });
  });

  describe('404', () => {
    it('is unbilled and says that the county is not covered, or that nothing matches', async () => {
      const settled = settler.settled.length;
      const outside = await buy({ county: 'Los Angeles' });
      assert.equal(outside.error && 'reason' in outside.error && outside.error.reason, 'outside_coverage');
      const nothing = await buy({ county: 'Cuyahoga', min_amount: 1_000_000_000_000 });
      assert.equal(nothing.error && 'reason' in nothing.error && nothing.error.reason, 'no_records_match');
      assert.equal(settler.settled.length, settled);
    });
  });

  it('is described in /api/meta as it is sold', async () => {
    const { data: meta } = await getMeta({ client });
    assert.ok(meta);
    for (const name of ['county', 'signal_type', 'min_amount', 'has_address', 'limit'])
      assert.ok(meta.signals_feed.filters.includes(name), name);
    const { total_signals, with_address, counties: countyCount, freshest } = meta.signals_feed.coverage;
    assert.deepEqual([total_signals, with_address, countyCount], [120, 90, 3]);
    assert.equal(
      freshest,
      all
        .map(({ last_seen }) => last_seen)
        .sort()
        .at(-1),
    );
    assert.deepEqual(meta.free_samples.signals, all.filter(({ has_address }) => has_address).slice(0, 3));
  });
});

function matchesQuery(signal: Signal, query: SignalQuery): boolean {
  const { county, signal_type: type, min_amount: least, has_address: hasAddress } = query;
  return (
    (county === undefined || signal.county.toLowerCase().includes(county.toLowerCase())) &&
    (type === undefined || signal.signal_type === type) &&
    (least === undefined || Number(signal.amount) >= least) &&
    (hasAddress !== true || signal.address !== null)
  );
}

function compareSignals(one: Signal, other: Signal): number {
  return Number(other.amount) - Number(one.amount) || (one.id < other.id ? -1 : 1);
}
