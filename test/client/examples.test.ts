import assert from 'node:assert/strict';
import { privateKeyToAccount } from 'viem/accounts';
import {
  absence,
  compareDecimals,
  createDealsClient,
  createMemoryStorage,
  decimal,
  NothingFoundError,
  type DealsClient,
  type DealsClientOptions,
} from '../../src/client/entry.js';
import { buyer } from '../../src/demo/chain/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';

type Readers = 'deals' | 'hotDeals' | 'basicDeals' | 'signals' | 'auctions' | 'leads';
type Example = (client: DealsClient) => Promise<void>;

/** A use of each client method. A method without an example does not compile. */
type Examples = { readonly [Name in Exclude<keyof DealsClient, Readers> | `${Readers}.all`]: Example };

const examples: Examples = {
  async getMeta(client) {
    const { data } = await client.getMeta();
    assert.ok(data.coverage.active_records > 0);
  },
  async price(client) {
    const quote = await client.price('listDeals', { state: 'OH' });
    assert.equal(quote?.price, '0.05');
  },
  async listDeals(client) {
    const { data: deals, paid } = await client.listDeals({ state: 'OH', min_cap: 8.5, limit: 20 });
    const [dearest] = deals.toSorted((a, b) => compareDecimals(b.list_price, a.list_price));
    const perUnit = decimal(dearest?.list_price)?.div(dearest?.units ?? 1);
    assert.ok(perUnit?.greaterThan(0));
    assert.equal(paid?.amount, '0.05');
  },
  async listHotDeals(client) {
    const { data: deals } = await client.listHotDeals();
    for (const deal of deals) assert.ok(Number(deal.cap_rate) >= 8.5 && absence(deal, 'dscr') === undefined);
  },
  async listBasicDeals(client) {
    const { data, total } = await client.listBasicDeals({ status: 'Hot', limit: 3 });
    assert.ok(data.length <= 3 && (total ?? 0) >= data.length);
  },
  async listDealIds(client) {
    const { data } = await client.listDealIds();
    assert.equal(data.ids.length, data.count);
  },
  async getCoverage(client) {
    const { data } = await client.getCoverage({ feed: 'deals', state: 'OH' });
    assert.ok(data.counties.every(({ feeds }) => feeds.deals?.status === 'read'));
  },
  async countMatches(client) {
    const { data } = await client.countMatches({ of: 'deals', state: 'OH' });
    assert.ok(data.matches.at_least > 10 && data.price === '$0.05');
  },
  async listSources(client) {
    const { data } = await client.listSources();
    assert.ok(data.sources.length > 0);
  },
  async countChanges(client) {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const { data } = await client.countChanges({ since });
    assert.ok(data.next_since > since);
  },
  async getReport(client) {
    const [first] = (await client.listDealIds()).data.ids;
    const { data: report, paid } = await client.getReport({ id: first?.id ?? '' }, { maxPrice: '1.50' });
    assert.deepEqual([report.deal.id, paid?.amount], [first?.id, '1.50']);
  },
  async listSignals(client) {
    const { data } = await client.listSignals({ has_address: true, limit: 5 });
    for (const signal of data.signals) assert.ok(signal.address);
  },
  async listAuctions(client) {
    const { data } = await client.listAuctions({ include_past: true });
    assert.ok(data.length > 0);
  },
  async listLeads(client) {
    const { data } = await client.listLeads({ limit: 5 }, { maxPrice: '0.25' });
    assert.ok(data.every(({ lead_score }) => lead_score >= 0));
  },
  async buyExclusiveLead(client) {
    const { data } = await client.buyExclusiveLead({}, { maxPrice: '1.00' });
    assert.ok(Date.parse(data.exclusive_until) > Date.now());
  },
  async lookUpAddress(client) {
    const [deal] = (await client.listDeals({ limit: 1 })).data;
    const address = `${deal?.address}, ${deal?.city}, ${deal?.state} ${deal?.zip}`;
    const { data } = await client.lookUpAddress({ address });
    assert.ok(data.matches.some(({ id }) => id === deal?.id));
  },
  async getPage(client) {
    const { data: first, nextPage } = await client.listDeals({ limit: 5 });
    const { data: second, paid } = await client.getPage({ token: nextPage ?? '' });
    assert.ok(Array.isArray(second) && second.length > 0 && first.length === 5);
    assert.equal(paid, undefined);
  },
  async getPayment(client) {
    const { paid } = await client.listHotDeals();
    const { data } = await client.getPayment({ payment_id: paid?.paymentId ?? '' });
    assert.deepEqual([data.state, data.transaction], ['settled', paid?.transaction]);
  },
  async getPaymentResponse(client) {
    const { data, paid } = await client.listHotDeals();
    const again = await client.getPaymentResponse({ payment_id: paid?.paymentId ?? '' });
    assert.deepEqual(again.data, data);
    assert.equal(again.paid, undefined);
  },
  async spending(client) {
    await client.listHotDeals();
    const { lastHour, open } = await client.spending();
    assert.deepEqual([lastHour, open], ['0.02', []]);
  },
  async 'deals.all'(client) {
    let [received, told] = [0, 0];
    const onProgress = (progress: { readonly received: number }) => (told = progress.received);
    for await (const deal of client.deals.all({ state: 'OH', limit: 20 }, { onProgress }))
      received += deal.state === 'OH' ? 1 : 0;
    assert.ok(received > 20 && told === received);
  },
  async 'hotDeals.all'(client) {
    for await (const deal of client.hotDeals.all()) assert.equal(deal.dscr_status, 'computed');
  },
  async 'basicDeals.all'(client) {
    const ids = new Set<string>();
    for await (const { id } of client.basicDeals.all({ state: 'OH' })) ids.add(id);
    assert.ok(ids.size > 0);
  },
  async 'signals.all'(client) {
    let owed = decimal('0');
    for await (const { amount } of client.signals.all({ limit: 10 })) owed = owed?.plus(decimal(amount) ?? 0);
    assert.ok(owed?.greaterThan(0));
  },
  async 'auctions.all'(client) {
    for await (const { source_url } of client.auctions.all({ include_past: true })) assert.match(source_url, /^http/);
  },
  async 'leads.all'(client) {
    let best = 101;
    for await (const { lead_score } of client.leads.all({}, { maxPrice: '0.25' })) {
      assert.ok(lead_score <= best);
      best = lead_score;
    }
  },
  async getContractJson(client) {
    const { data } = await client.getContractJson();
    assert.ok('paths' in data);
  },
  async getPlainContract(client) {
    assert.equal((await client.getPlainContract()).data.openapi, '3.1.0');
  },
  async getPlainContract30(client) {
    assert.equal((await client.getPlainContract30()).data.openapi, '3.0.3');
  },
  async getContractYaml(client) {
    assert.match(String((await client.getContractYaml()).data), /^openapi: /m);
  },
  async getLlmsText(client) {
    assert.match((await client.getLlmsText()).data, /\/api\/deals/);
  },
  async getX402Discovery(client) {
    assert.ok((await client.getX402Discovery()).data);
  },
  async getApiCatalog(client) {
    assert.ok((await client.getApiCatalog()).data.linkset.length > 0);
  },
  async getSecurityText(client) {
    assert.match((await client.getSecurityText()).data, /^Expires: /m);
  },
  async getFavicon(client) {
    assert.match(String((await client.getFavicon()).data), /<svg/);
  },
  async getHome(client) {
    assert.match((await client.getHome()).data, /<html/);
  },
  async getReportViewer(client) {
    assert.match((await client.getReportViewer()).data, /<html/);
  },
  async getErrorGuide(client) {
    assert.match((await client.getErrorGuide()).data, /id="no_records_match"/);
  },
  async getPageAsset(client) {
    assert.match(String((await client.getPageAsset({ asset: 'house.css' })).data), /\{/);
  },
  async getDocs(client) {
    assert.match((await client.getDocs()).data, /<html/);
  },
  async getDocsScript(client) {
    assert.ok((await client.getDocsScript()).data.length > 1000);
  },
  async getHealth(client) {
    assert.ok((await client.getHealth()).data);
  },
  async getReadiness(client) {
    assert.ok((await client.getReadiness()).data);
  },
};

describe('the client, against the running service', () => {
  let app: TestApp;
  const open = (options: Partial<DealsClientOptions> = {}): DealsClient =>
    createDealsClient({ baseUrl: app.url, account: privateKeyToAccount(buyer.privateKey), ...options });

  before(async () => {
    app = await startTestApp();
  });
  after(() => app.stop());

  for (const [name, example] of Object.entries(examples)) it(`has an example of ${name}`, () => example(open()));

  it('makes the first purchase from nothing but the address in three requests', async () => {
    let requests = 0;
    const client = open({
      fetch: (...given) => {
        requests += 1;
        return fetch(...given);
      },
    });
    const { data: meta } = await client.getMeta();
    const { data: deals } = await client.listHotDeals();
    assert.ok(meta.coverage.hot >= 0 && deals.length > 0);
    assert.equal(requests, 3);
  });

  it('repeats a call free, and pays nothing while nothing has changed', async () => {
    const client = open();
    const first = await client.listHotDeals();
    const again = await client.listHotDeals();
    assert.deepEqual([again.data, again.isUnchanged, again.paid], [first.data, true, undefined]);
    assert.equal((await client.spending()).lastHour, '0.02');
  });

  it('gets the paid reply after lost replies, also after a restart, and is charged once', async () => {
    let lost = 0;
    const shown = new Set<string>();
    const lossy: typeof fetch = async (input, init) => {
      const header = new Request(input, init).headers.get('payment-signature');
      const response = await fetch(input, init);
      if (header !== null) shown.add(header);
      if (header === null || ++lost > 2) return response;
      await response.text();
      throw new TypeError('The reply was lost on the way');
    };
    const storage = createMemoryStorage();
    const options = { storage, fetch: lossy, maxAttempts: 2, sleep: async () => undefined };
    await assert.rejects(open(options).listDeals({ state: 'TX', limit: 2 }), { reason: 'outcome_unknown' });
    const { data, paid } = await open(options).listDeals({ state: 'TX', limit: 2 });
    assert.deepEqual([data.length, shown.size, lost], [2, 1, 3]);
    const { data: status } = await open().getPayment({ payment_id: paid?.paymentId ?? '' });
    assert.equal(status.state, 'settled');
  });

  it('keeps its budget over ten concurrent purchases', async () => {
    const client = open({ budget: { perHour: '0.15' } });
    const calls = Array.from({ length: 10 }, (_, index) => client.listDeals({ limit: index + 1 }));
    const results = await Promise.allSettled(calls);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3);
    assert.equal((await client.spending()).lastHour, '0.15');
  });

  it('throws the error class for "nothing found", and pays nothing', async () => {
    const client = open();
    await assert.rejects(client.listDeals({ state: 'OH', min_price: 2, max_price: 1 }), NothingFoundError);
    assert.equal((await client.spending()).lastHour, '0.00');
  });
});
