import assert from 'node:assert/strict';
import type { Client } from '../../generated/client/index.js';
import {
  buyExclusiveLead,
  countChanges,
  getReadiness,
  getReport,
  listAuctions,
  listBasicDeals,
  listDealIds,
  listEvents,
  listLeads,
  listSignals,
  listSources,
  lookUpAddress,
} from '../../generated/sdk.gen.js';
import { getMeta, listDeals, listHotDeals } from '../support/full-deals.js';
import type { BoughtReply, Deal, Lead, LeadType } from '../../generated/types.gen.js';
import { createJobs } from '../../jobs/create-jobs.js';
import { createJobRunsStore, type JobRun } from '../../jobs/job-runs-store.js';
import { nextRunOf } from '../../jobs/timetable.js';
import { createRunDue } from '../../jobs/run-due.js';
import { slotOf, timetable } from '../../jobs/timetable.js';
import { concatBytes } from '../../src/contract/rendered.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { toAtomicUnits } from '../../src/payments/chain/token-amount.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { attachTestChain, type TestChain } from '../support/chain.js';
import { deep } from '../support/depth.js';

/**
 * A Wednesday at noon: every job of its day is due, and the rents job since Thursday, six days ago. It lies in the
 * future, since no chain can go back, and it is the same day in every run.
 */
const firstDay = new Date('2040-03-07T12:00:00.000Z');
const daySeconds = 86_400;
const readingJobs = ['rents', 'signals', 'auctions', 'listings'];

type Headers = Parameters<Parameters<typeof purchase>[0]>[0];

interface Bought<Reply> {
  readonly data?: Reply | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

describe('a fresh machine in demonstration mode', function () {
  let app: TestApp;
  let client: Client;
  let chain: TestChain;
  let skewMs = 0;
  const now = (): Date => new Date(Date.now() + skewMs);

  before(async () => {
    app = await startTestApp({ withData: false, now, nextRunOf });
    client = createApiClient(app.url);
    chain = attachTestChain(app.selling.localRpcUrl ?? assert.fail('these tests need the local chain'));
    await pass(Math.ceil((firstDay.getTime() - Date.now()) / 1000));
  });
  after(() => app?.stop());

  /** The time of the service and of its chain. */
  async function pass(seconds: number): Promise<void> {
    skewMs += seconds * 1000;
    await chain.warp(seconds);
  }

  /** Runs each needed job for its latest slot, in the order of the timetable, like the clock. Returns the results. */
  async function runWhatIsDue(
    afterJob: (job: string) => Promise<void> = async () => {},
    leftOut: readonly string[] = [],
  ) {
    const store = createJobRunsStore(app.database.knex);
    const jobs = createJobs(app);
    const runDue = createRunDue({ ...app, store, jobs, timetable });
    // The ledger of a fresh machine is not behind its chain.
    const runs = new Map<string, JobRun>();
    for (const entry of timetable) {
      const { job } = entry;
      if (leftOut.includes(job)) continue;
      if ((await jobs.find(({ name }) => name === job)?.isNeeded?.()) === false) continue;
      await runDue(job, slotOf(entry, now()), new AbortController().signal);
      const [run] = await store.list({ job, limit: 1 });
      runs.set(job, run ?? assert.fail(`${job} was not run`));
      await afterJob(job);
    }
    return runs;
  }

  const buy = <Result extends Bought<unknown>>(call: (headers: Headers) => Promise<Result>) =>
    purchase(call, { validAfter: 0n, validBefore: chain.now() + 200n });

  async function buyDeals(): Promise<readonly Deal[]> {
    return (await buy((headers) => listDeals({ client, headers }))).data ?? assert.fail('no deals are sold');
  }

  async function buyReport({ id }: Deal) {
    const { data } = await buy((headers) => getReport({ client, path: { id }, headers }));
    return data ?? assert.fail(`no report is sold of ${id}`);
  }

  async function askMeta() {
    return (await getMeta({ client })).data ?? assert.fail('there is no metadata');
  }

  async function askIds() {
    return (await listDealIds({ client })).data ?? assert.fail('there is no id index');
  }

  async function askChanges(since: string) {
    return (await countChanges({ client, query: { since } })).data ?? assert.fail('the changes are not counted');
  }

  async function assertAllFresh(): Promise<void> {
    const { data } = await listSources({ client });
    assert.deepEqual([...new Set(data?.sources.map(({ delivers }) => delivers))].sort(), [
      'auctions',
      'listings',
      'parcels',
      'rents',
      'signals',
    ]);
    for (const { name, status, in_force: inForce, last_error: error, records } of data?.sources ?? []) {
      assert.deepEqual([status, inForce, error], ['fresh', true, null], name);
      assert.ok(records > 0, name);
    }
  }

  function assertAllSucceeded(runs: ReadonlyMap<string, JobRun>, changing = readingJobs): void {
    for (const [job, { state, error, attempts }] of runs)
      assert.deepEqual([state, error, attempts], ['succeeded', null, 1], job);
    for (const job of readingJobs) {
      const { rows, problems } = runs.get(job)?.summary ?? {};
      assert.ok(Number(rows) > 0 || !changing.includes(job), `${job} has read nothing`);
      assert.equal(problems, '', job);
    }
  }

  describe('on its first day', () => {
    let runs: ReadonlyMap<string, JobRun>;
    const typesAfter = new Map<string, ReadonlySet<LeadType>>();
    before(async () => {
      runs = await runWhatIsDue(async (job) => void typesAfter.set(job, await leadTypes()));
    });

    async function leadTypes(): Promise<ReadonlySet<LeadType>> {
      const { body } = await app.feeds.leads.page('full', { filter: {}, limit: 10_000 });
      const leads = JSON.parse(Buffer.from(concatBytes(body)).toString('utf8')) as Lead[];
      return new Set(leads.map(({ lead_type: type }) => type));
    }

    it('runs every job of the timetable successfully at the first attempt, and reads every source without a problem', async () => {
      assertAllSucceeded(runs);
      await assertAllFresh();
      assert.equal((await getReadiness({ client })).response.status, 200);
    });

    it('has leads after the debts and sales were read, and those of the deals with the listings', () => {
      const brought = ['rents', 'signals', 'auctions', 'listings'].map((job) =>
        [...(typesAfter.get(job) ?? [])].sort(),
      );
      const [debt, sale, deal] = ['tax_delinquent_owner', 'sheriff_sale_auction', 'motivated_listing'] as const;
      assert.deepEqual(brought, [[], [], [sale, debt], [deal, sale, debt]]);
      assert.deepEqual(typesAfter.get('maintenance'), typesAfter.get('listings'));
    });

    it('shows free: samples of all four products, an example report, and ids with reports', async () => {
      const { free_samples: samples, example_report: example, data_class: dataClass, coverage } = await askMeta();
      assert.equal(dataClass, 'demonstration');
      for (const product of ['deals', 'signals', 'auctions', 'leads'] as const)
        assert.ok(samples[product].length > 0, `no sample of ${product}`);
      assert.deepEqual(example.absent, {});
      const { count, ids } = await askIds();
      assert.ok(count >= 500, `${count} deals`);
      assert.deepEqual([ids.length, coverage.active_records], [count, count]);
      assert.ok(ids.some(({ report_url: url }) => url === example.url));
    });

    it('sells records by every priced operation, for exactly that price on its chain', async () => {
      const { url, property } = (await askMeta()).example_report;
      const id = url?.split('/').at(-2) ?? assert.fail('no report is shown as an example');
      const address = property ?? assert.fail('the example has no address');
      const calls: Readonly<Record<string, (headers: Headers) => Promise<Bought<BoughtReply>>>> = {
        listDeals: (headers) => listDeals({ client, headers }),
        listHotDeals: (headers) => listHotDeals({ client, headers }),
        listBasicDeals: (headers) => listBasicDeals({ client, headers }),
        getReport: (headers) => getReport({ client, path: { id }, headers }),
        listSignals: (headers) => listSignals({ client, headers }),
        listAuctions: (headers) => listAuctions({ client, headers }),
        listLeads: (headers) => listLeads({ client, headers }),
        buyExclusiveLead: (headers) => buyExclusiveLead({ client, headers }),
        listEvents: (headers) => listEvents({ client, headers }),
        lookUpAddress: (headers) => lookUpAddress({ client, query: { address }, headers }),
      };
      for (const { operationId, priceUsd } of loadContract().operations) {
        if (priceUsd === undefined) continue;
        const before = await chain.balanceOf(chain.payTo.address);
        const { data, response } = await buy(calls[operationId] ?? assert.fail(`${operationId} is not bought here`));
        assert.equal(response.status, 200, operationId);
        assert.ok(data !== undefined && countRecords(data) > 0, `${operationId} sells no record`);
        assert.equal((await chain.balanceOf(chain.payTo.address)) - before, toAtomicUnits(priceUsd), operationId);
      }
    });

    it('sells leads of all three types', async () => {
      const { data } = await buy((headers) => listLeads({ client, headers }));
      assert.deepEqual(new Set(data?.map(({ lead_type: type }) => type)), typesAfter.get('listings'));
    });

    it('sells a report with the tax debt and the sheriff sale of its property', async () => {
      const matched = (await buyDeals()).find((deal) => {
        const codes = deal.motivation_signals.map(({ code }) => code);
        return codes.includes('tax_delinquent_match') && codes.includes('sheriff_sale_match');
      });
      const { signals, auctions } = await buyReport(matched ?? assert.fail('no deal has both'));
      assert.ok(signals.length > 0 && auctions.length > 0, `${signals.length} debts, ${auctions.length} sales`);
    });
  });

  describe('on its second day', () => {
    let runs: ReadonlyMap<string, JobRun>;
    let dealsBefore: readonly Deal[];
    let countBefore: number;
    let since: string;
    before(async () => {
      dealsBefore = await buyDeals();
      countBefore = (await askIds()).count;
      since = (await askChanges(firstDay.toISOString())).next_since;
      await pass(daySeconds);
      // These publish all deals once more, with nothing new.
      runs = await runWhatIsDue(undefined, deep([], ['underwriting', 'publish']));
    });

    it('runs every due job successfully at the first attempt, and finds every source fresh again', async () => {
      // HUD's figures are those of the day before.
      assertAllSucceeded(runs, ['signals', 'auctions', 'listings']);
      await assertAllFresh();
      const slots = ['signals', 'auctions', 'listings'].map((job) => runs.get(job)?.slot.toISOString().slice(0, 10));
      assert.deepEqual(slots, ['2040-03-08', '2040-03-08', '2040-03-08']);
    });

    it('counts new deals, removed deals and price changes, as in the feed', async () => {
      const { added, removed, repriced } = (await askChanges(since)).deals;
      assert.ok(added > 0 && removed > 0 && repriced > 0, JSON.stringify({ added, removed, repriced }));
      assert.equal((await askIds()).count, countBefore + added - removed);
      const retired = runs.get('listings')?.summary?.['retired'];
      assert.ok(Number(retired) > 0, `the job of the listings retired ${String(retired)}`);
    });

    it("sells a report whose price history ends with the price of the day before and today's", async () => {
      const prices = new Map(dealsBefore.map(({ id, list_price: price }) => [id, price]));
      const cut = (await buyDeals()).find(({ id, list_price: price }) => {
        const before = prices.get(id) ?? null;
        return before !== null && price !== null && before !== price;
      });
      const { deal, price_history: history } = await buyReport(cut ?? assert.fail('no deal has a new price'));
      const earlier = history.findLast(({ price }) => price !== deal.list_price);
      assert.deepEqual([earlier?.price, history.at(-1)?.price], [prices.get(deal.id), deal.list_price]);
      assert.ok(new Set(history.map(({ price }) => price)).size >= 2);
    });
  });
});

function countRecords(reply: BoughtReply): number {
  if (Array.isArray(reply)) return reply.length;
  if ('matches' in reply) return reply.matches.length;
  if ('events' in reply) return reply.events.length;
  return 'deal' in reply || 'lead' in reply ? 1 : reply.signals.length;
}
