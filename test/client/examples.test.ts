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
import { shareApp, type SharedApp } from '../support/shared-app.js';

type Readers = 'deals' | 'hotDeals' | 'basicDeals' | 'signals' | 'auctions' | 'leads' | 'events';
type Example = (client: DealsClient) => Promise<void>;

/** A use of each client method. A method without an example does not compile. */
type Examples = { readonly [Name in keyof DealsClient | `${Readers}.all`]: Example };

const examples: Examples = {
  async meta(client) {
    const { data } = await client.meta();
    assert.ok(data.coverage.active_records > 0);
  },
  async price(client) {
    const quote = await client.price('deals', { state: 'OH' });
    assert.equal(quote?.price, '0.05');
  },
  async deals(client) {
    const { data: deals, paid } = await client.deals({ state: 'OH', min_cap: 8.5, limit: 20 });
    const [dearest] = deals.toSorted((a, b) => compareDecimals(b.list_price, a.list_price));
    const perUnit = decimal(dearest?.list_price)?.div(dearest?.units ?? 1);
    assert.ok(perUnit?.greaterThan(0));
    assert.equal(paid?.amount, '0.05');
  },
  async hotDeals(client) {
    const { data: deals } = await client.hotDeals();
    for (const deal of deals) assert.ok(Number(deal.cap_rate) >= 8.5 && absence(deal, 'dscr') === undefined);
  },
  async basicDeals(client) {
    const { data, total } = await client.basicDeals({ status: 'Hot', limit: 3 });
    assert.ok(data.length <= 3 && (total ?? 0) >= data.length);
  },
  async ids(client) {
    const { data } = await client.ids();
    assert.equal(data.ids.length, data.count);
  },
  async coverage(client) {
    const { data } = await client.coverage({ feed: 'deals', state: 'OH' });
    assert.ok(data.counties.every(({ feeds }) => feeds.deals?.status === 'read'));
  },
  async count(client) {
    const { data } = await client.count({ of: 'deals', state: 'OH' });
    assert.ok(data.matches.at_least > 10 && data.price === '$0.05');
  },
  async sources(client) {
    const { data } = await client.sources();
    assert.ok(data.sources.length > 0);
  },
  async changes(client) {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const { data } = await client.changes({ since });
    assert.ok(data.next_since > since);
  },
  async report(client) {
    const [first] = (await client.ids()).data.ids;
    const { data: report, paid } = await client.report({ id: first?.id ?? '' }, { maxPrice: '1.50' });
    assert.deepEqual([report.deal.id, paid?.amount], [first?.id, '1.50']);
  },
  async reportPreview(client) {
    const [first] = (await client.ids()).data.ids;
    const { data, paid } = await client.reportPreview({ id: first?.id ?? '' });
    assert.deepEqual([data.id, data.report_price, paid], [first?.id, '$1.50', undefined]);
  },
  async signals(client) {
    const { data } = await client.signals({ has_address: true, limit: 5 });
    for (const signal of data.signals) assert.ok(signal.address);
  },
  async auctions(client) {
    const { data } = await client.auctions({ include_past: true });
    assert.ok(data.length > 0);
  },
  async events(client) {
    const since = new Date(Date.now() - 29 * 86_400_000).toISOString();
    const { data } = await client.events({ state: ['OH'], event: ['repriced'], since });
    assert.ok(data.events.every(({ before, after }) => before?.list_price !== after?.list_price));
    const seen = client.events({ state: ['OH'], cursor: data.head });
    await assert.rejects(seen, NothingFoundError);
  },
  async 'events.all'(client) {
    const since = new Date(Date.now() - 29 * 86_400_000).toISOString();
    const ids = new Set<string>();
    for await (const { event_id: id } of client.events.all({ since, limit: 100 })) ids.add(id);
    assert.ok(ids.size > 300);
  },
  async leads(client) {
    const { data } = await client.leads({ limit: 5 }, { maxPrice: '0.25' });
    assert.ok(data.every(({ lead_score }) => lead_score >= 0));
  },
  async exclusiveLead(client) {
    const { data } = await client.exclusiveLead({}, { maxPrice: '1.00' });
    assert.ok(Date.parse(data.exclusive_until) > Date.now());
  },
  async lookup(client) {
    const [deal] = (await client.deals({ limit: 1 })).data;
    const address = `${deal?.address}, ${deal?.city}, ${deal?.state} ${deal?.zip}`;
    const { data } = await client.lookup({ address });
    assert.ok(data.matches.some(({ id }) => id === deal?.id));
  },
  async payment(client) {
    const { paid } = await client.hotDeals();
    const { data } = await client.payment({ payment_id: paid?.paymentId ?? '' });
    assert.deepEqual([data.state, data.transaction], ['settled', paid?.transaction]);
  },
  async paymentReply(client) {
    const { data, paid } = await client.hotDeals();
    const again = await client.paymentReply({ payment_id: paid?.paymentId ?? '' });
    assert.deepEqual(again.data, data);
    assert.equal(again.paid, undefined);
  },
  async spending(client) {
    await client.hotDeals();
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
};

describe('the client, against the running service', () => {
  let app: SharedApp;
  const open = (options: Partial<DealsClientOptions> = {}): DealsClient =>
    createDealsClient({ baseUrl: app.url, account: privateKeyToAccount(buyer.privateKey), ...options });

  before(async () => {
    app = await shareApp();
  });

  for (const [name, example] of Object.entries(examples)) it(`has an example of ${name}`, () => example(open()));

  it('makes the first purchase from nothing but the address in three requests', async () => {
    let requests = 0;
    const client = open({
      fetch: (...given) => {
        requests += 1;
        return fetch(...given);
      },
    });
    const { data: meta } = await client.meta();
    const { data: deals } = await client.hotDeals();
    assert.ok(meta.coverage.hot >= 0 && deals.length > 0);
    assert.equal(requests, 3);
  });

  it('gets a further page of what was bought, free, up to the last', async () => {
    const client = open();
    const first = await client.basicDeals({ limit: 90 });
    let [last, count] = [first, first.data.length];
    while (last.next) count += (last = await last.next()).data.length;
    assert.deepEqual([count, last.paid], [first.total, undefined]);
    assert.equal((await client.spending()).lastHour, '0.01');
  });

  it('repeats a call free, and pays nothing while nothing has changed', async () => {
    const client = open();
    const first = await client.hotDeals();
    const again = await client.hotDeals();
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
    await assert.rejects(open(options).deals({ state: 'TX', limit: 2 }), { reason: 'outcome_unknown' });
    const { data, paid } = await open(options).deals({ state: 'TX', limit: 2 });
    assert.deepEqual([data.length, shown.size, lost], [2, 1, 3]);
    const { data: status } = await open().payment({ payment_id: paid?.paymentId ?? '' });
    assert.equal(status.state, 'settled');
  });

  it('keeps its budget over ten concurrent purchases', async () => {
    const client = open({ budget: { perHour: '0.15' } });
    const calls = Array.from({ length: 10 }, (_, index) => client.deals({ limit: index + 1 }));
    const results = await Promise.allSettled(calls);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3);
    assert.equal((await client.spending()).lastHour, '0.15');
  });

  it('throws the error class for "nothing found", and pays nothing', async () => {
    const client = open();
    await assert.rejects(client.deals({ state: 'OH', min_price: 2, max_price: 1 }), NothingFoundError);
    assert.equal((await client.spending()).lastHour, '0.00');
  });
});
