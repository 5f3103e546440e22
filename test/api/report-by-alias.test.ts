import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { DealIds, DealList, Report } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { dropListings } from '../support/drop-listings.js';
import { deep } from '../support/depth.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { askPrice, buy, signPayment } from '../support/pay.js';
import { ask } from '../support/raw-http.js';

const neverWas = '3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11';
const misspelled = 'A-1,1234 Kinsmann Rd,Cleveland,OH,44105,300000,4,9.5';
const mended = 'A-1,1234 Kinsman Rd,Cleveland,OH,44105,300000,4,9.5';

describe('a deal whose property had another id', () => {
  let app: TestApp;
  /** By the order in which they were first seen. */
  let present: string;
  let alias: string;

  async function read(street: string): Promise<void> {
    dropListings(app.config.dropDirectory, street, { name: 'a-brokers' });
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
  }
  const listIds = async () => ((await (await fetch(`${app.url}/api/deals/ids`)).json()) as DealIds).ids;
  const reportOf = (id: string) => `/api/deals/${id}/report`;
  const holdLead = async (id: string) =>
    app.database.knex('lead_holds').insert({
      ...{ lead_id: id, round: 1, held_at: new Date(0), held_until: new Date(app.now().getTime() + 86_400_000) },
      ...{ network: 'test', asset: randomBytes(20), payer: randomBytes(20), nonce: randomBytes(32) },
    });

  before(async () => {
    app = await startTestApp({ withData: false, settler: createInstantSettler() });
    await read(misspelled);
    [present = ''] = (await listIds()).map(({ id }) => id);
    dropListings(app.config.dropDirectory, 'B-1,1234 Kinsman Rd,Cleveland,OH,44105,310000,4,9.4', {
      name: 'b-brokers',
    });
    await app.pipeline.ingest();
    await readCountyRecords(app, { signals: [observeSignal({ address: known('1234 Kinsman Rd') })] });
    await app.pipeline.publish('all');
    [alias = ''] = (await listIds()).flatMap(({ id }) => (id === present ? [] : id));
    assert.ok(present && alias);
    // Sold exclusively under the id that it is about to lose.
    await holdLead(alias);
    await read(mended);
  });
  after(() => app.stop());

  it('is listed under its present id only', async () => {
    const deals = (await (await buy(`${app.url}/api/deals`)).json()) as DealList;
    assert.deepEqual([(await listIds()).map(({ id }) => id), deals.map(({ id }) => id)], [[present], [present]]);
    assert.ok(deals[0]?.data_quality.includes('sources_disagree'));
  });

  it('is reported under both, at one price, with what each source states', async () => {
    const prices = await Promise.all(
      [present, alias].map(async (id) => (await askPrice(app.url + reportOf(id))).accepts),
    );
    assert.deepEqual(
      prices.map((accepts) => accepts.map(({ amount }) => amount)),
      [['1500000'], ['1500000']],
    );
    const [one, other] = await Promise.all(
      [present, alias.toUpperCase()].map(async (id) => (await (await buy(app.url + reportOf(id))).json()) as Report),
    );
    assert.deepEqual([one?.deal.id, one?.requested_id, one?.former_ids], [present, present, []]);
    assert.deepEqual({ ...other, requested_id: present }, one);
    assert.equal(other?.requested_id, alias);
    assert.deepEqual(
      one?.sources.map(({ source, list_price, cap_rate, speaks }) => [source, list_price, cap_rate, speaks]),
      [
        ['a-brokers', '300000.00', '9.50', true],
        ['b-brokers', '310000.00', '9.40', false],
      ],
    );
    assert.deepEqual(
      new Set(one.price_history.map(({ source, event }) => `${source} ${event}`)),
      new Set(['a-brokers listed', 'a-brokers null', 'b-brokers listed']),
    );
  });

  it('is no lead again that was sold under the id that it lost', async () => {
    const leads = await buy(`${app.url}/api/leads/exclusive?lead_type=motivated_listing`);
    assert.equal(leads.status, 404);
    const held = await app.database.knex('lead_holds').orderBy('lead_id').pluck<string[]>('lead_id');
    assert.deepEqual(held, [present, alias].sort());
  });

  it('is unknown under both when it is suppressed, like an id that never was, and unbilled', async () => {
    const offers = await Promise.all(
      [present, alias, neverWas].map(async (id) => [id, await askPrice(app.url + reportOf(id))] as const),
    );
    await app.pipeline.suppress({ address: '1234 Kinsman Rd, Cleveland, OH 44105', reason: 'asked' });
    const replies = [];
    for (const [id, offer] of offers) {
      const reply = await ask(app.url, reportOf(id), { headers: { 'PAYMENT-SIGNATURE': await signPayment(offer) } });
      const requestId = String(reply.headers['request-id']);
      const body = reply.body.toString().replaceAll(requestId, 'this');
      replies.push(JSON.stringify([reply.status, body, Object.keys(reply.headers)]));
    }
    assert.match(replies[0] ?? '', /unknown_deal/);
    assert.deepEqual(new Set(replies).size, 1, replies.join('\n'));
    const [row] = await app.database
      .knex('payments')
      .where({ state: 'claimed' })
      .count<{ count: string }[]>('* as count');
    assert.equal(row?.count, '0');
  });

  const lookupOf = (line: string) => `/api/lookup?address=${encodeURIComponent(line)}`;
  const calls = deep(1_000, 60);
  for (const [what, suppressed, unknown] of [
    ['the report of its alias', () => reportOf(alias), reportOf(neverWas)],
    ['its report', () => reportOf(present), reportOf(neverWas)],
    ['the preview of its alias', () => `${reportOf(alias)}/preview`, `${reportOf(neverWas)}/preview`],
    ['its preview', () => `${reportOf(present)}/preview`, `${reportOf(neverWas)}/preview`],
    [
      'its lookup',
      () => lookupOf('1234 Kinsman Rd, Cleveland, OH 44105'),
      lookupOf('4321 Kinsman Rd, Cleveland, OH 44105'),
    ],
  ] as const)
    it(`asks the database for ${what}, suppressed, what it asks where nothing ever was, over ${calls} calls`, async () => {
      const statements: string[] = [];
      const note = ({ sql }: { readonly sql: string }): void => void statements.push(sql);
      app.database.knex.on('query', note);
      const asked = async (path: string): Promise<string> => {
        const isFree = (await fetch(app.url + path)).status !== 402;
        const headers = isFree ? {} : { 'PAYMENT-SIGNATURE': await signPayment(await askPrice(app.url + path)) };
        statements.length = 0;
        assert.equal((await ask(app.url, path, { headers })).status, 404);
        return statements.join('\n');
      };
      const paths = [suppressed(), unknown];
      const work = paths.map(() => new Map<string, number>());
      for (let call = 0; call < calls; call += 1) {
        const done = await asked(paths[call % 2] ?? '');
        work[call % 2]?.set(done, (work[call % 2]?.get(done) ?? 0) + 1);
      }
      app.database.knex.removeListener('query', note);
      // A heartbeat may fall into any call: what most calls do counts.
      const usual = work.map((each) => [...each].sort(([, one], [, other]) => other - one)[0]?.[0]);
      assert.equal(usual[0], usual[1]);
    });
});
