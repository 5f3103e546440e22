import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { Client } from '../../generated/client/index.js';
import { buyExclusiveLead, listLeads, listSignals } from '../../generated/sdk.gen.js';
import { getMeta } from '../support/full-deals.js';
import type { BuyExclusiveLeadData, ExclusiveLead, Lead, Problem } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import type { Ledger } from '../../src/payments/ledger/ledger.js';
import type { SettleOutcome } from '../../src/payments/settlement/settler.js';
import { observeSignals } from '../counties/signals/observed-signal.js';
import { createApiClient, nextLink, purchase } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler, settleAtOnce, type InstantSettler } from '../support/instant-settler.js';
import { moveDatabaseClock } from '../support/database-clock.js';
import { deep } from '../support/depth.js';
import { openTestInstances, type TestInstances } from '../support/database.js';
import { askPrice, signPayment } from '../support/pay.js';

type LeadQuery = NonNullable<BuyExclusiveLeadData['query']>;

const dayMs = 86_400_000;
const leadCount = 12;
/** Buyers at once. */
const crowd = deep(50, 20);

describe('buyExclusiveLead', () => {
  let instances: TestInstances;
  let app: TestApp;
  /** Another instance on the same database. */
  let other: TestApp;
  let client: Client;
  let settler: InstantSettler;
  let settle: () => Promise<SettleOutcome> = settleAtOnce;
  let beforeClaim: (claim: Parameters<Ledger['claim']>[0]) => Promise<void> = async () => undefined;
  let skewMs = 0;
  /** The first instance's error log, one line of JSON each. */
  const errors: string[] = [];
  const now = (): Date => new Date(Date.now() + skewMs);

  before(async () => {
    settler = createInstantSettler(() => settle());
    instances = await openTestInstances(2);
    const [first, second] = instances.databases;
    assert.ok(first && second);
    const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });
    app = await startTestApp({ settler, now, withData: false, database: first, ledger: waitBeforeClaims, log });
    other = await startTestApp({ settler, now, withData: false, database: second });
    client = createApiClient(app.url);
  });
  beforeEach(async () => {
    settle = settleAtOnce;
    await app.database.knex('lead_holds').delete();
    // Holds are read again once a second.
    skewMs += 2_000;
    await fill();
    await other.pipeline.refresh();
  });
  after(async () => {
    await app.stop();
    await other.stop();
    await instances.close();
  });

  async function fill(): Promise<void> {
    const signals = observeSignals(leadCount).map((signal, index) => ({ ...signal, yearsOwed: known(index) }));
    await readCountyRecords(app, { signals });
    await app.pipeline.publish('all');
  }

  const waitBeforeClaims = (ledger: Ledger): Ledger => ({
    ...ledger,
    claim: async (claim) => {
      await beforeClaim(claim);
      return ledger.claim(claim);
    },
  });

  /** Holds a lead as the ledger does, for a payment that nobody made. */
  async function holdByHand(leadId: string): Promise<void> {
    const key = { network: 'test', asset: randomBytes(20), payer: randomBytes(20), nonce: randomBytes(32) };
    const until = new Date(now().getTime() + dayMs);
    const hold = { lead_id: leadId, round: 1, held_at: now(), held_until: until, ...key };
    await app.database.knex('lead_holds').insert(hold);
    skewMs += 2_000;
  }

  const validity = () => ({ validAfter: 0n, validBefore: BigInt(Math.floor(now().getTime() / 1000) + 200) });
  /** Signs one payment; each call of the returned function presents it. */
  const signOnce = async (): Promise<() => Promise<Response>> => {
    const url = `${app.url}/api/leads/exclusive`;
    const payment = await signPayment(await askPrice(url), validity());
    return () => fetch(url, { headers: { 'PAYMENT-SIGNATURE': payment } });
  };
  const buy = (query: LeadQuery = {}, at: Client = client) =>
    purchase((headers) => buyExclusiveLead({ client: at, query, headers }), validity());
  const list = async (at: Client = client): Promise<readonly Lead[]> =>
    (await purchase((headers) => listLeads({ client: at, headers }), validity())).data ?? [];
  const reasonOf = ({ error }: Awaited<ReturnType<typeof buy>>) => (error && 'reason' in error ? error.reason : '');
  const ids = (leads: readonly Lead[]): readonly string[] => leads.map(({ id }) => id);

  it('sells the best lead, for 30 days, and takes it out of every list on every instance', async () => {
    const [best, ...rest] = await list();
    const { data } = await buy();
    assert.deepEqual(data?.lead, best);
    const days = (Date.parse(data?.exclusive_until ?? '') - Date.now()) / dayMs;
    assert.ok(Math.abs(days - 30) < 0.01, `${days} days`);
    assert.deepEqual(await list(), rest);
    assert.deepEqual(await list(createApiClient(other.url)), rest);
    const { data: meta } = await getMeta({ client });
    assert.ok(!ids(meta?.free_samples.leads ?? []).includes(best?.id ?? ''));
  });

  it('keeps the public record in its own feed', async () => {
    const { data } = await buy();
    const { data: signals } = await purchase((headers) => listSignals({ client, headers }), validity());
    assert.ok(signals?.signals.some(({ id }) => id === data?.lead.id));
  });

  it(`sells each lead to one of ${crowd} buyers on two instances; the others get a 404 and are not billed`, async () => {
    const at = [client, createApiClient(other.url)];
    const before = settler.settled.length;
    const results = await Promise.all(Array.from({ length: crowd }, (_, index) => buy({}, at[index % 2])));
    const sold = results.flatMap(({ data }) => data?.lead.id ?? []);
    assert.equal(sold.length, leadCount);
    assert.equal(new Set(sold).size, leadCount);
    const refused = results.filter(({ data }) => data === undefined);
    assert.deepEqual([...new Set(refused.map(reasonOf))], ['no_exclusive_lead_available']);
    assert.equal(settler.settled.length, before + leadCount);
    assert.equal((await list()).length, 0);
  });

  it(`sells one lead to exactly one of ${crowd} buyers; the others get a 404 with the reason and are not billed`, async () => {
    const [only, ...others] = await list();
    for (const { id } of others) await holdByHand(id);
    const before = settler.settled.length;
    const results = await Promise.all(Array.from({ length: crowd }, () => buy()));
    assert.deepEqual(
      results.flatMap(({ data }) => data?.lead.id ?? []),
      [only?.id],
    );
    const lost = results.flatMap(({ data, error, response }) =>
      data === undefined && error !== undefined ? { ...error, status: response.status } : [],
    );
    assert.equal(lost.length, crowd - 1);
    for (const { status, reason, billed } of lost)
      assert.deepEqual([status, reason, billed], [404, 'no_exclusive_lead_available', false]);
    assert.equal(settler.settled.length, before + 1);
  });

  it('skips leads that break the contract, logs each once, and sells the next until they are repaired', async () => {
    const [best, second, third, fourth] = ids(await list());
    const broken = [best ?? '', third ?? ''];
    await app.database
      .knex('published_records')
      .where({ feed: 'leads' })
      .whereIn('id', broken)
      .update({ full_json: '{"owner":"somebody"}' });
    errors.length = 0;
    const before = settler.settled.length;
    const sold = await Promise.all([buy(), buy()]);
    assert.deepEqual(new Set(sold.map(({ data }) => data?.lead.id)), new Set([second, fourth]));
    assert.equal(settler.settled.length, before + 2);
    assert.equal((await list()).length, leadCount - 4);
    const logged = errors.map((line) => (JSON.parse(line) as { id?: string }).id);
    assert.deepEqual(logged.sort(), broken.sort());
    assert.doesNotMatch(errors.join(), /somebody/);

    skewMs += 2_000;
    await fill();
    assert.equal((await buy()).data?.lead.id, best);
  });

  it('applies the same filters as the list', async () => {
    const leads = await list();
    assert.equal(reasonOf(await buy({ lead_type: 'motivated_listing' })), 'no_exclusive_lead_available');
    assert.equal(reasonOf(await buy({ county: 'nowhere' })), 'outside_coverage');
    const { data } = await buy({ state: ['oh'], county: 'cuyahoga', lead_type: 'tax_delinquent_owner' });
    assert.equal(data?.lead.id, leads[0]?.id);
  });

  it('hides a sold lead from the next page of a list bought before', async () => {
    const all = ids(await list());
    const first = await purchase((headers) => listLeads({ client, query: { limit: 3 }, headers }), validity());
    for (let sold = 0; sold < 5; sold++) await buy({}, createApiClient(other.url));
    const reply = await fetch(app.url + (nextLink(first.response) ?? ''));
    assert.deepEqual(ids((await reply.json()) as Lead[]), all.slice(5, 8));
  });

  it('reports a second copy of a payment as in progress, not as unbilled', async () => {
    for (const { id } of (await list()).slice(1)) await holdByHand(id);
    const pay = await signOnce();
    let copy: Response | undefined;
    beforeClaim = async () => {
      beforeClaim = async () => undefined;
      copy = await pay();
    };
    assert.equal((await pay()).status, 200);
    assert.equal(copy?.status, 409);
    assert.equal(((await copy.json()) as Problem).reason, 'payment_in_progress');
  });

  it('refuses a buyer who lost the race for five leads, unbilled, and sells the next one for the same payment', async () => {
    const leads = ids(await list());
    const pay = await signOnce();
    const settled = settler.settled.length;
    const lost: string[] = [];
    beforeClaim = async ({ leads: [wanted] = [] }) => {
      lost.push(wanted?.leadId ?? '');
      await holdByHand(wanted?.leadId ?? '');
    };
    const refused = await pay().finally(() => (beforeClaim = async () => undefined));
    const { reason, billed, payment } = (await refused.json()) as Problem;
    assert.deepEqual(
      [refused.status, reason, billed, payment],
      [404, 'no_exclusive_lead_available', false, 'not_settled'],
    );
    assert.deepEqual(lost, leads.slice(0, 5));
    assert.equal(settler.settled.length, settled);
    const sold = await pay();
    assert.equal(sold.status, 200);
    assert.equal(((await sold.json()) as ExclusiveLead).lead.id, leads[5]);
    assert.equal(settler.settled.length, settled + 1);
  });

  it('releases a lead when its settlement fails, and sells it to the next buyer', async () => {
    const before = await list();
    settle = async () => ({ outcome: 'failed', reason: 'insufficient_funds', detail: 'poor' });
    assert.equal((await buy()).response.status, 402);
    settle = settleAtOnce;
    assert.deepEqual(await list(), before);
    assert.equal((await buy()).data?.lead.id, before[0]?.id);
  });

  it('holds a lead while its payment is unknown, and the same payment then gets it', async () => {
    const [best] = await list();
    const pay = await signOnce();
    settle = async () => ({ outcome: 'unknown', detail: 'no answer' });
    assert.equal((await pay()).status, 503);
    settle = settleAtOnce;
    assert.ok(!ids(await list()).includes(best?.id ?? ''));
    assert.notEqual((await buy()).data?.lead.id, best?.id);
    const reply = await pay();
    assert.equal(reply.status, 200);
    assert.deepEqual(((await reply.json()) as ExclusiveLead).lead, best);
  });

  it('releases a lead when nobody has paid for it and nobody can any more', async () => {
    const [best] = await list();
    settle = async () => ({ outcome: 'unknown', detail: 'no answer' });
    await buy();
    settle = settleAtOnce;
    await app.database.knex('payments').where({ state: 'claimed' }).update({ lease_owner: 'reconciler' });
    const open = await app.selling.ledger.listOpen(10);
    for (const row of open) assert.ok(await app.selling.ledger.release(row, 'reconciler', 'expired'));
    skewMs += 2_000;
    assert.equal((await list())[0]?.id, best?.id);
  });

  it('never answers 304: each call sells another lead', async () => {
    const url = `${app.url}/api/leads/exclusive`;
    const pay = async (etag: string) =>
      fetch(url, {
        headers: { 'PAYMENT-SIGNATURE': await signPayment(await askPrice(url), validity()), 'If-None-Match': etag },
      });
    const first = await pay('"none"');
    const second = await pay(first.headers.get('ETag') ?? '');
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.notEqual(first.headers.get('ETag'), second.headers.get('ETag'));
    assert.notDeepEqual(await first.json(), await second.json());
  });

  it('sells a lead again after 30 days', async () => {
    const { data } = await buy();
    skewMs += 30 * dayMs + 61_000;
    await moveDatabaseClock(app.database.knex, skewMs);
    await fill();
    assert.ok(ids(await list()).includes(data?.lead.id ?? ''));
    assert.equal((await buy()).data?.lead.id, data?.lead.id);
    assert.notEqual((await buy()).data?.lead.id, data?.lead.id);
  });
});
