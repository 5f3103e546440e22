import assert from 'node:assert/strict';
import { privateKeyToAccount } from 'viem/accounts';
import type { Deal } from '../../../generated/types.gen.js';
import { createDealsClient } from '../../../src/client/create-deals-client.js';
import { buyer } from '../../../src/demo/chain/accounts.js';
import { createRefundsReader } from '../../../src/payments/audit/refunds-reader.js';
import { connectAgent, replyAddress, type Agent } from '../../transport/mcp/agent.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, type Shop } from '../shop.js';
import { withId } from '../with-id.js';

const dayMs = 24 * 3_600_000;

describe('a sold reply that shows a property which was suppressed afterwards', () => {
  let shop: Shop;
  let agent: Agent;
  const path = '/api/deals?state=OH&limit=3';
  const other = '/api/deals?state=TX&limit=3';
  /** Payments: `plain` has no identifier, `cutOff` did not arrive, of `waiting` and `late` it is not known. */
  const headers = { shown: '', other: '', plain: '', cutOff: '', waiting: '', late: '' };
  let sold: Answer;
  let soldOther: Answer;
  let reading: { readonly payment_id: string; readonly token: string };
  let fullReply: string;

  const pay = (at: string, header: string): Promise<Answer> =>
    shop.pay(at, header, { headers: { 'Accept-Encoding': 'identity' } });
  const knex = () => shop.app.database.knex;

  /** The public id of a payment. */
  async function idOf(header: string): Promise<string> {
    const row = await shop.rowOf(header);
    assert.ok(row);
    const [found] = await knex()('payments')
      .where({ nonce: Buffer.from(row.nonce.slice(2), 'hex') })
      .select<{ payment_id: Buffer }[]>('payment_id');
    return `0x${found?.payment_id.toString('hex')}`;
  }

  const client = () =>
    createDealsClient({ baseUrl: shop.app.url, account: privateKeyToAccount(buyer.privateKey), maxAttempts: 1 });
  const byWallet = async (header: string) => client().paymentReply({ payment_id: await idOf(header) });

  async function setDelivery(header: string, delivery: 'pending' | 'incomplete'): Promise<void> {
    await shop.app.selling.deliveries.flush();
    const row = await shop.rowOf(header);
    await knex()('payments')
      .where({ nonce: Buffer.from(row?.nonce.slice(2) ?? '', 'hex') })
      .update({ delivery, lease_until: new Date(0) });
  }

  async function listDue(): Promise<readonly string[]> {
    await shop.app.selling.deliveries.flush();
    const due = await createRefundsReader(knex()).listRefundsDue(new Date());
    for (const { reason } of due) assert.equal(reason, 'undeliverable');
    return due.map(({ paymentId }) => paymentId);
  }

  /** Lets the database's clock go on by a day, as far as suppressions know. */
  const letADayPass = () =>
    knex()('suppressed_records').update({ suppressed_at: knex().raw(`suppressed_at - interval '24 hours'`) });

  before(async () => {
    shop = await openShop();
    agent = await connectAgent(shop.app.url);
    for (const name of ['shown', 'cutOff', 'waiting', 'late'] as const)
      headers[name] = withId(await shop.sign(path), `pay_${name.padEnd(16, 'x')}`);
    headers.plain = await shop.sign(path);
    headers.other = withId(await shop.sign(other), 'pay_other_xxxxxxxxx');
    sold = await pay(path, headers.shown);
    soldOther = await pay(other, headers.other);
    for (const each of [sold, soldOther]) assertPaid(each);
    for (const name of ['plain', 'cutOff', 'waiting', 'late'] as const) assertPaid(await pay(path, headers[name]));
    await setDelivery(headers.cutOff, 'incomplete');
    await setDelivery(headers.waiting, 'pending');
    await setDelivery(headers.late, 'pending');
    const given = { state: 'OH' };
    const { content } = await agent.call('deals', given, await agent.sign('deals', given));
    assert.ok(content.receipt);
    const { payment_id, token } = content.receipt;
    reading = { payment_id, token };
    fullReply = replyAddress(agent, content);
    const [deal] = JSON.parse(sold.text) as Deal[];
    assert.ok(deal?.address);
    const address = `${deal.address}, ${deal.city}, ${deal.state} ${deal.zip}`;
    await shop.app.pipeline.suppress({ address, reason: 'asked by its owner' });
  });
  afterEach(() => shop.mend());
  after(async () => {
    await agent.close();
    await shop.close();
  });

  it('is sent as sold for a day, by the clock of the database', async () => {
    shop.advance(3 * 86_400);
    assert.equal((await pay(path, headers.shown)).text, sold.text);
    shop.mend();
    assert.deepEqual((await byWallet(headers.shown)).data, JSON.parse(sold.text));
    assert.equal((await agent.call('payment_reply', { ...reading, part: '/0' })).isError, false);
    assert.equal((await fetch(fullReply)).status, 200);
    assert.equal(await shop.app.selling.ledger.discardBodies(30 * dayMs), 0);
    const { rows } = await knex().raw<{ rows: { same: boolean }[] }>(
      'select (select min(suppressed_at) from suppressed_records) = (select min(created_at) from suppressions) as same',
    );
    assert.deepEqual(rows, [{ same: true }]);
  });

  it('is never sent again after a day, over HTTP, by proof, by token and by tool, and the 410 names the payment', async () => {
    await letADayPass();
    const refused = await pay(path, headers.shown);
    assertRefused(refused, 410, 'reply_suppressed');
    const { billed, payment, retryable, payment_id: paymentId, detail } = refused.problem ?? assert.fail();
    assert.deepEqual([billed, payment, retryable], [false, 'settled', false]);
    assert.equal(paymentId, await idOf(headers.shown));
    assert.equal(detail, 'The owner of a property in this reply asked that it be shown no more.');
    await assert.rejects(byWallet(headers.shown), { reason: 'reply_suppressed' });
    const { content } = await agent.call('payment_reply', { ...reading, part: '/0' });
    assert.deepEqual([content.reason, content.payment], ['reply_suppressed', 'settled']);
    assert.equal((await fetch(fullReply)).status, 410);
  });

  it('tells nobody else: a stranger gets what it got before', async () => {
    const id = await idOf(headers.shown);
    assertRefused(await shop.pay(`/api/payments/${id}/response`, undefined), 402, 'payment_already_used');
    assertRefused(await pay(path, headers.plain), 402, 'payment_already_used');
    const status = await client().payment({ payment_id: id });
    assert.ok(status.data.delivered && status.data.redelivery_until !== null);
  });

  it('leaves every other reply as it was sold', async () => {
    assert.equal((await pay(other, headers.other)).text, soldOther.text);
  });

  it('is given back to whoever never got it: at once after a broken delivery, else with the first 410', async () => {
    await shop.app.selling.ledger.discardBodies(30 * dayMs);
    const [cutOff, waiting, shown] = await Promise.all([headers.cutOff, headers.waiting, headers.shown].map(idOf));
    const before = await listDue();
    assert.deepEqual([before.includes(String(cutOff)), before.includes(String(waiting))], [true, false]);
    assertRefused(await pay(path, headers.waiting), 410, 'reply_suppressed');
    const after = await listDue();
    assert.ok(after.includes(String(waiting)));
    assert.ok(!after.includes(String(shown)));
    assert.ok(!after.includes(await idOf(headers.late)));
  });

  it('loses its body with the next maintenance, and keeps its row', async () => {
    const { replyHash } = (await shop.rowOf(headers.shown)) ?? assert.fail();
    const bodies = await knex()('payment_bodies').where({ hash: replyHash }).select<{ body: Buffer | null }[]>('body');
    assert.deepEqual(bodies, [{ body: null }]);
    const kept = await knex()('payment_bodies').whereNotNull('body');
    assert.ok(kept.length > 0);
    assertRefused(await pay(path, headers.late), 410, 'reply_suppressed');
  });
});

describe('a sold reply whose record was in no feed any more when its property was suppressed', () => {
  let shop: Shop;
  before(async () => {
    shop = await openShop();
  });
  after(() => shop.close());

  it('is not sent after a day either', async () => {
    const { knex } = shop.app.database;
    const path = '/api/deals?state=OH&limit=1';
    const header = withId(await shop.sign(path), 'pay_gone_xxxxxxxxxx');
    const sold = await shop.pay(path, header);
    assertPaid(sold);
    const [deal] = JSON.parse(sold.text) as Deal[];
    assert.ok(deal?.address);
    await knex('published_records').where({ id: deal.id }).delete();
    const address = `${deal.address}, ${deal.city}, ${deal.state} ${deal.zip}`;
    await shop.app.pipeline.suppress({ address, reason: 'asked by its owner' });
    assertPaid(await shop.pay(path, header));
    await knex('suppressed_records').update({ suppressed_at: knex.raw(`suppressed_at - interval '24 hours'`) });
    assertRefused(await shop.pay(path, header), 410, 'reply_suppressed');
  });
});

describe('a link that opens a stored reply', () => {
  let shop: Shop;
  let agent: Agent;
  before(async () => {
    shop = await openShop();
    agent = await connectAgent(shop.app.url);
  });
  after(async () => {
    await agent.close();
    await shop.close();
  });
  afterEach(() => shop.mend());

  it('ends a day after the settlement, and is then as if it had no token', async () => {
    const { content } = await agent.call('basic_deals', {}, await agent.sign('basic_deals'));
    const link = replyAddress(agent, content);
    const { pathname } = new URL(link);
    // The end goes by the clock of the database.
    const { knex } = shop.app.database;
    const settledBefore = (minutes: number) =>
      knex('payments').update({ settled_at: knex.raw(`now() - interval '${minutes} minutes'`) });
    await settledBefore(24 * 60 - 1);
    assert.equal((await fetch(link)).status, 200);
    await settledBefore(24 * 60 + 1);
    const [ended, bare] = await Promise.all([fetch(link), fetch(shop.app.url + pathname)]);
    assert.deepEqual([ended.status, bare.status], [402, 402]);
    const problems = [await ended.json(), await bare.json()] as { reason: string; detail: string }[];
    assert.deepEqual(
      problems.map(({ detail }) => detail),
      [problems[1]?.detail, problems[1]?.detail],
    );
  });
});
