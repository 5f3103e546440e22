import assert from 'node:assert/strict';
import type { Deal, Meta, ShortMeta } from '../../generated/types.gen.js';
import { listSources } from '../../generated/sdk.gen.js';
import { getMeta, listDeals } from '../support/full-deals.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { readUnderwritten } from '../../src/underwriting/underwriting-reader.js';
import { receiptSigner } from '../../src/demo/chain/accounts.js';
import { startTestApp } from '../support/app.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { ask } from '../support/raw-http.js';
import type { DealQuery } from '../filters/reference-order.js';

describe('getMeta', () => {
  let app: SharedApp;
  let meta: Meta;
  let deals: readonly Deal[];
  before(async () => {
    app = await shareApp();
    const client = createApiClient(app.url);
    meta = (await getMeta({ client })).data ?? assert.fail('no metadata');
    deals = (await purchase((headers) => listDeals({ client, headers }))).data ?? [];
  });

  describe('200', () => {
    it('says in short what each feed has, what it costs and how it is filtered, in 3,000 bytes', async () => {
      const { body } = await ask(app.url, '/api/meta?view=short');
      assert.ok(body.length <= 3_000, String(body.length));
      const short = JSON.parse(String(body)) as ShortMeta;
      assert.deepEqual(short.guarantee, meta.guarantee);
      const { deals: feed, signals } = short.feeds;
      assert.deepEqual([feed?.published, feed?.records, feed?.price], [true, deals.length, '$0.05']);
      assert.deepEqual([feed?.filters, signals?.filters], [meta.filters.params, meta.signals_feed.filters]);
      for (const path of Object.values(short.paths))
        assert.equal((await fetch(app.url + path.replace(/count$/, 'count?of=deals'))).status, 200);
    });

    it('counts the current records of the feed', () => {
      const verified = deals.map(({ last_verified }) => last_verified).sort();
      const { total_records: total, ...coverage } = meta.coverage;
      assert.deepEqual(coverage, {
        active_records: deals.length,
        hot: deals.filter(({ rental_status }) => rental_status === 'Hot').length,
        warm: deals.filter(({ rental_status }) => rental_status === 'Warm').length,
        dscr_computed: deals.filter(({ dscr_status }) => dscr_status === 'computed').length,
        cities: new Set(deals.map(({ state, city }) => `${state} ${city.toLowerCase()}`)).size,
        freshest_verification: verified.at(-1),
        oldest_active_verification: verified[0],
        absent: {},
      });
      assert.ok(total >= deals.length);
    });

    it("states the contract's price of every operation, and the settlement network", () => {
      const prices = loadContract().operations.map(({ path, priceUsd }) => [
        `GET ${path}`,
        priceUsd ? `$${priceUsd}` : 'free',
      ]);
      const { protocol, network, receipt_signer: signer, ...stated } = meta.pricing;
      assert.deepEqual(stated, Object.fromEntries(prices));
      assert.deepEqual([network, protocol], ['eip155:31337', 'x402 v2, scheme exact, USDC by EIP-3009']);
      assert.equal(signer, receiptSigner.address);
    });

    it('lists every filter, and gives an example that matches records', async () => {
      const operation = loadContract().operations.find(({ operationId }) => operationId === 'listDeals');
      const names = operation?.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
      assert.deepEqual(meta.filters.params, names);
      const query = Object.fromEntries(new URL(meta.filters.example, app.url).searchParams) as DealQuery;
      const call = (headers: { 'PAYMENT-SIGNATURE'?: string }) =>
        listDeals({ client: createApiClient(app.url), headers, query });
      assert.equal((await purchase(call)).response.status, 200);
    });

    it('gives full-fidelity samples: the same records as sold', () => {
      assert.ok(meta.free_samples.deals.length > 0);
      assert.deepEqual(meta.free_samples.deals, deals.slice(0, meta.free_samples.deals.length));
    });

    it('marks the demonstration', () => {
      assert.equal(meta.data_class, 'demonstration');
    });

    it('declares the assumption set of the domain rules', () => {
      const { version, vacancy_pct, management_pct, ltv_pct, amortisation_years, min_dscr } = meta.assumption_set;
      const declared = [vacancy_pct, management_pct, ltv_pct, amortisation_years, min_dscr].map(Number);
      assert.equal(version, 'uw-2.0.0');
      assert.deepEqual(declared, [7, 8, 75, 30, 1.25]);
      assert.equal(meta.assumption_set.taxes_pct.by_state['TX'], '11.5');
      const { version: _, effective_from: __, ...numbers } = meta.assumption_set;
      assert.deepEqual(Object.keys(meta.assumption_grounds).sort(), Object.keys(numbers).sort());
      assert.equal(meta.underwriting.mortgage_rates.status, 'current');
    });

    it('declares the weights and limits of each rule, among them each by which a deal was judged', () => {
      for (const { rationales } of deals)
        for (const { rule_version: version, thresholds } of Object.values(rationales))
          assert.deepEqual({ ...meta.rules[version], ...thresholds }, meta.rules[version], version);
      const others = ['deal-score-2.0.0', 'confidence-1.3.0', 'motivation-2.0.0', 'plausibility-2.0.0'];
      assert.ok(others.every((version) => Object.keys(meta.rules[version] ?? {}).length > 0));
    });

    it('links to the report of a live deal, which can be bought there', async () => {
      const { url, property, note, absent } = meta.example_report;
      const best = deals[0] ?? assert.fail();
      assert.deepEqual([url, absent], [`/api/deals/${best.id}/report`, {}]);
      assert.ok(property?.startsWith(String(best.address)) && property.includes(best.city), String(property));
      assert.match(note, /report/);
      assert.equal((await ask(app.url, String(url))).status, 402);
    });

    it('links to the sources and the changes, which are free', async () => {
      const { sources, changes } = meta;
      assert.deepEqual([sources.url, changes.url.split('=')[0]], ['/api/sources', '/api/changes?since']);
      for (const url of [sources.url, changes.url]) assert.equal((await ask(app.url, url)).status, 200, url);
      const { data } = await listSources({ client: createApiClient(app.url) });
      const behind = data?.sources.filter(({ status }) => status !== 'fresh').map(({ name }) => name);
      assert.deepEqual([sources.configured, sources.behind.map(({ name }) => name)], [data?.sources.length, behind]);
    });

    it('states the age of the oldest figures, as the list of sources does', async () => {
      const { data } = await listSources({ client: createApiClient(app.url) });
      const all = await readUnderwritten(app.database.knex);
      const { mortgage_rates } = meta.underwriting;
      const told = { status: 'fresh', promised_every_hours: 48, oldest: all?.at.toISOString(), absent: {} };
      const expected = { ...told, mortgage_rates };
      assert.deepEqual([meta.underwriting, data?.underwriting], [expected, expected]);
    });

    it('states the feed version that replies name', () => {
      const versions = Object.entries(app.feeds).map(([name, feed]) => [name, feed.current().version] as const);
      assert.deepEqual(meta.feed_versions, Object.fromEntries(versions));
    });

    it('stays within the size that an agent can read', async () => {
      const { body } = await ask(app.url, '/api/meta');
      assert.ok(body.byteLength < 60_000, `${body.byteLength} bytes`);
    });

    it('explains absent verification times while the feed is empty', async () => {
      const empty = await startTestApp({ withData: false, settler: createInstantSettler() });
      try {
        const { data } = await getMeta({ client: createApiClient(empty.url) });
        assert.equal(data?.coverage.freshest_verification, null);
        assert.deepEqual(data?.coverage.absent.freshest_verification, { reason: 'not_yet_observed' });
        assert.deepEqual(data?.free_samples.deals, []);
        assert.deepEqual(data?.underwriting, {
          mortgage_rates: meta.underwriting.mortgage_rates,
          status: 'fresh',
          promised_every_hours: 48,
          oldest: null,
          absent: { oldest: { reason: 'not_yet_observed' } },
        });
        assert.deepEqual(data?.example_report.absent.url, { reason: 'not_yet_observed' });
      } finally {
        await empty.stop();
      }
    });
  });

  describe('304', () => {
    it('is returned while nothing has changed', async () => {
      const client = createApiClient(app.url);
      const { response } = await getMeta({ client });
      const headers = { 'If-None-Match': response.headers.get('ETag') ?? '' };
      assert.equal((await getMeta({ client, headers })).response.status, 304);
    });
  });

  describe('400', () => {
    it('refuses any parameter', async () => {
      assert.equal((await ask(app.url, '/api/meta?verbose=1')).status, 400);
    });
  });
});
