import assert from 'node:assert/strict';
import { deep } from '../../support/depth.js';
import { encodePayment } from '../../support/pay.js';
import { assertPaid, assertRefused } from '../../payments/answer.js';
import { openShop, type Shop } from '../../payments/shop.js';
import { signIn, type SignInRequest } from '../../payments/sign-in.js';
import {
  assertToolPaid,
  assertToolRefused,
  connectAgent,
  recordsIn,
  replyAddress,
  type Agent,
  type Content,
  type ToolAnswer,
} from './agent.js';

/** The buyer's own identifier of a payment, beside the payment. */
const identified = (payload: object, id: string): object => ({
  ...payload,
  extensions: { 'payment-identifier': { info: { required: false, id } } },
});

describe('a purchase by a tool', () => {
  let shop: Shop;
  let agent: Agent;
  before(async () => {
    shop = await openShop();
    agent = await connectAgent(shop.app.url);
  });
  afterEach(() => shop.mend());
  after(async () => {
    await agent.close();
    await shop.close();
  });

  const headerOf = (payload: object): string => encodePayment(payload);
  const reportOf = (): { id: string } => ({ id: shop.app.feeds.deals.current().records.at(0)?.id ?? '' });

  it('is settled on the chain once, and reports it', async () => {
    const payment = await agent.sign('deals', { state: 'OH' });
    const answer = await agent.call('deals', { state: 'OH' }, payment);
    assertToolPaid(answer);
    const row = await shop.rowOf(headerOf(payment));
    assert.deepEqual([row?.state, row?.operationId], ['settled', 'listDeals']);
    assert.equal(await shop.settlementsOf(headerOf(payment)), 1);
    assert.equal(answer.settlement?.transaction, row?.settlement?.transaction);
  });

  it('works for every priced tool, and its result fits', async () => {
    const address = '1 Example Ave, Cleveland, OH 44105';
    const given: Record<string, object> = { report: reportOf(), lookup: { address } };
    for (const { name, description } of agent.tools) {
      if (description?.startsWith('Free') === true) continue;
      const payment = await agent.sign(name, given[name] as Record<string, unknown>);
      assertToolPaid(await agent.call(name, given[name] as Record<string, unknown>, payment));
    }
  });

  it('is bound to the operation and its parameters: the payment buys nothing else, over either transport', async () => {
    const payment = await agent.sign('basic_deals', { state: 'OH' });
    assertToolPaid(await agent.call('basic_deals', { state: 'OH' }, payment));
    const bare = { ...payment, resource: undefined };
    for (const given of [{ state: 'IN' }, {}, { state: 'OH', limit: 1 }])
      assertToolRefused(await agent.call('basic_deals', given, bare), 'payment_already_used');
    assertRefused(await shop.pay('/api/deals/basic?state=IN', headerOf(bare)), 402, 'payment_already_used');
    assertToolRefused(await agent.call('deals', { state: 'OH' }, payment), 'payment_already_used');
    assert.equal(await shop.settlementsOf(headerOf(payment)), 1);
  });

  it('refuses an invalid limit as over HTTP, and sells what a higher one asks for as well', async () => {
    for (const limit of [[100], '0x64', ' 99 ', 60.5, 1_001, 1e12]) {
      const payment = await agent.sign('basic_deals');
      assertToolRefused(await agent.call('basic_deals', { limit }, payment), 'invalid_parameter');
      assert.equal(await shop.rowOf(headerOf(payment)), undefined);
    }
    for (const limit of [1_000, '100'])
      assertToolPaid(await agent.call('basic_deals', { limit }, await agent.sign('basic_deals', { limit })));
  });

  it('names its tool: no other at the same price is sold for it, over either transport', async () => {
    const payment = await agent.sign('signals');
    assertToolRefused(await agent.call('auctions', {}, payment), 'payment_wrong_resource');
    assertRefused(await shop.pay('/api/auctions', headerOf(payment)), 402, 'payment_wrong_resource');
    assert.equal(await shop.rowOf(headerOf(payment)), undefined);
    assertToolPaid(await agent.call('signals', {}, payment));
  });

  it('returns the same reply for the same payment over HTTP and over MCP, and is charged once', async () => {
    const byTool = identified(await agent.sign('hot_deals', { limit: 3 }), 'an-identifier-of-mine-1');
    const first = await agent.call('hot_deals', { limit: 3 }, byTool);
    assertToolPaid(first);
    const overHttp = await shop.pay('/api/deals/hot?limit=3', headerOf(byTool));
    assertPaid(overHttp);
    assert.deepEqual(overHttp.settlement, first.settlement);

    const header = await shop.sign('/api/deals/hot', {
      alter: (payload) => identified(payload, 'an-identifier-of-mine-2'),
    });
    assertPaid(await shop.pay('/api/deals/hot?limit=2', header));
    const payload: unknown = JSON.parse(Buffer.from(header, 'base64').toString());
    assertToolPaid(await agent.call('hot_deals', { limit: 2 }, payload));
    for (const each of [headerOf(byTool), header]) assert.equal(await shop.settlementsOf(each), 1);
  });

  it('sells without a limit what HTTP sells, and shows 25 records of it, or up to 50 where more are asked for', async () => {
    const bodyOf = async (payload: object) => (await shop.rowOf(headerOf(payload)))?.replyHash;
    for (const [given, query, shown] of [
      [{}, '', 25],
      [{ limit: 40 }, '?limit=40', 40],
      [{ limit: '100' }, '?limit=100', 50],
      [{ limit: 3 }, '?limit=3', 3],
    ] as const) {
      const byTool = await agent.sign('basic_deals', given);
      const answer = await agent.call('basic_deals', given, byTool);
      assertToolPaid(answer);
      const { rows = [], next_page: next } = answer.content;
      assert.equal(rows.length, shown);
      if (next && 'from' in next) assert.equal(next['from'], shown);
      const byHttp = await shop.sign(`/api/deals/basic${query}`);
      assertPaid(await shop.pay(`/api/deals/basic${query}`, byHttp));
      const payload = JSON.parse(Buffer.from(byHttp, 'base64').toString()) as object;
      assert.deepEqual(await bodyOf(byTool), await bodyOf(payload));
    }
  });

  it('is made once by 20 concurrent copies of one payment, over both transports', async () => {
    const payment = await agent.sign('hot_deals', { limit: 5 });
    const copies = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? agent.call('hot_deals', { limit: 5 }, payment).then(({ isError }) => !isError)
        : shop.pay('/api/deals/hot?limit=5', headerOf(payment)).then(({ status }) => status === 200),
    );
    const sold = (await Promise.all(copies)).filter((isSold) => isSold);
    assert.equal(sold.length, 1);
    assert.equal(await shop.settlementsOf(headerOf(payment)), 1);
  });

  it('is not billed when nothing matches or an argument is wrong, and its payment stays valid', async () => {
    const payment = await agent.sign('deals');
    assertToolRefused(await agent.call('deals', { state: 'OH', min_price: 999_999_999 }, payment), 'no_records_match');
    assertToolRefused(await agent.call('deals', { states: 'OH' }, payment), 'unknown_parameter');
    assert.equal(await shop.rowOf(headerOf(payment)), undefined);
    assertToolPaid(await agent.call('deals', { state: 'OH' }, payment));
  });

  it('is refused with the offer when the payment is invalid', async () => {
    const payment = await agent.sign('hot_deals', {}, { value: 1n });
    const answer = await agent.call('hot_deals', {}, payment);
    assertToolRefused(answer, 'payment_amount_mismatch');
    assert.equal(answer.content.resource?.url, 'mcp://tool/hot_deals');
    for (const junk of ['text', 7, [], null])
      assertToolRefused(await agent.call('hot_deals', {}, junk), 'payment_malformed');
    assertToolRefused(await agent.call('hot_deals', {}, {}), 'payment_invalid');
  });

  it('reports a failed settlement, without data', async () => {
    const payment = await agent.sign('hot_deals');
    shop.faults.settler.settle = async () => ({ outcome: 'failed', reason: 'invalid_transaction_state', detail: 'no' });
    const answer = await agent.call('hot_deals', {}, payment);
    assertToolRefused(answer, 'settlement_failed');
    assert.equal((await shop.rowOf(headerOf(payment)))?.state, 'released');
  });

  it('that somebody else has sent is sold over HTTP, where the refusal says, and then shown by the tool', async () => {
    const given = { limit: 3 };
    const payment = identified(await agent.sign('hot_deals', given), 'an-identifier-of-mine-3');
    await shop.chain.submitElsewhere(shop.authorizationOf(headerOf(payment)));
    const { isError, content } = await agent.call('hot_deals', given, payment);
    assert.deepEqual([isError, content.reason, content.accepts], [true, 'payment_already_used', []]);
    assert.deepEqual([content.payment, content.retry_same_payment], ['unknown', true]);
    const [, { url = '' } = {}] = content.next ?? [];
    assert.equal(url, '/api/deals/hot?limit=3');
    const proof = await signIn(content.extensions?.['sign-in-with-x'] as SignInRequest);
    assertPaid(await shop.pay(url, headerOf(payment), { headers: { 'SIGN-IN-WITH-X': proof } }));
    assertToolPaid(await agent.call('hot_deals', given, payment));
    assert.equal(await shop.settlementsOf(headerOf(payment)), 1);
  });

  it('is not repeated after an unknown outcome: the same payment gets its reply', async () => {
    const payment = await agent.sign('hot_deals');
    const { settler } = shop.real;
    shop.faults.settler.settle = async (...sent) => {
      await settler.settle(...sent);
      return { outcome: 'unknown', detail: 'the answer was lost' };
    };
    const open = await agent.call('hot_deals', {}, payment);
    assertToolRefused(open, 'settlement_unknown');
    assert.deepEqual([open.content.retry_same_payment, open.content.accepts], [true, undefined]);
    shop.mend();
    assertToolPaid(await agent.call('hot_deals', {}, payment));
    assert.equal(await shop.settlementsOf(headerOf(payment)), 1);
  });

  describe('whose reply is larger than a result', () => {
    let answer: ToolAnswer;
    let whole: ({ id: string; absent: Record<string, { reason: string }> } & Record<string, unknown>)[];
    before(async () => {
      const payment = await agent.sign('deals');
      answer = await agent.call('deals', {}, payment);
      assertToolPaid(answer);
      whole = (await (await fetch(replyAddress(agent, answer.content))).json()) as typeof whole;
    });

    const reading = ({ receipt }: Content) => ({ payment_id: receipt?.payment_id, token: receipt?.token });

    it('shows the best by their main columns, and their number', () => {
      const { content } = answer;
      const records = recordsIn(content);
      assert.equal(records.length, 25);
      assert.equal(content.total, shop.app.feeds.deals.current().records.length);
      assert.ok(JSON.stringify(content).length <= 6_000, String(JSON.stringify(content).length));
      for (const [index, columns] of records.entries()) {
        const { absent, ...record } = whole[index] ?? {};
        const reasons = Object.entries(absent ?? {}).map(([name, { reason }]) => [name, reason] as const);
        for (const [name, value] of Object.entries(columns)) assert.deepEqual(value, Reflect.get(record, name));
        const shown = Object.fromEntries(reasons.filter(([name]) => name in columns));
        const [, told = {}] =
          Object.entries(content.absent ?? {}).find(([rows]) => rows.split(',').includes(String(index))) ?? [];
        assert.deepEqual(told, shown);
        for (const [name, value] of Object.entries(columns)) assert.equal(value === null, name in shown);
      }
    });

    it('can be read completely, record by record, without another payment', async () => {
      for (const [index, record] of [...whole.entries()].filter(([each]) => each % deep(9, 60) === 0)) {
        const { content } = await agent.call('payment_reply', { ...reading(answer.content), part: `/${index}` });
        assert.deepEqual(content.data, record);
      }
    });

    it('continues from its last page to the end of the result set, without another payment', async () => {
      const ids: unknown[] = [];
      let { content } = answer;
      for (;;) {
        ids.push(...recordsIn(content).map(({ id }) => id));
        if (content.next_page === undefined) break;
        // A reply that continues the result set also has a next page.
        ({ content } = await agent.call('payment_reply', { ...reading(answer.content), ...content.next_page }));
      }
      const all = [...shop.app.feeds.deals.current().records].map(({ id }) => id);
      assert.deepEqual(ids, all);
    });

    it('is unavailable without its token', async () => {
      const { payment_id } = reading(answer.content);
      for (const given of [{ payment_id, token: 'A'.repeat(43) }, { payment_id }])
        assertToolRefused(await agent.call('payment_reply', given), 'payment_already_used');
      assertToolRefused(await agent.call('payment_reply', { part: '/0' }), 'missing_parameter');
      const other = await agent.sign('hot_deals');
      const bought = await agent.call('hot_deals', {}, other);
      const swapped = { ...reading(bought.content), payment_id };
      assertToolRefused(await agent.call('payment_reply', swapped), 'payment_already_used');
    });

    it('has no part that is not in it', async () => {
      for (const given of [{ part: '/1000' }, { part: 'id' }, { part: '/0/id', from: 1 }, { from: 1_000 }])
        assertToolRefused(
          await agent.call('payment_reply', { ...reading(answer.content), ...given }),
          'invalid_parameter',
        );
    });

    it('has its status for anyone with its id', async () => {
      const { payment_id } = reading(answer.content);
      const { content } = await agent.call('payment', { payment_id });
      assert.equal(content.billed, true);
    });
  });

  it('shows the summary of a report, and its parts to whoever asks for them', async () => {
    const payment = await agent.sign('report', reportOf());
    const { content } = await agent.call('report', reportOf(), payment);
    const { receipt, rest = [], ...shown } = content;
    assert.ok(JSON.stringify(content).length <= 6_000, String(JSON.stringify(content).length));
    const { deal, underwriting, ...others } = shown as unknown as Record<string, Record<string, unknown>>;
    for (const name of ['list_price', 'rental_status', 'wholesale_status', 'creative_status'])
      assert.ok(deal && name in deal, name);
    for (const name of ['claimed', 'hud', 'gap', 'sensitivity']) assert.ok(underwriting?.[name], name);
    for (const name of ['offer_range', 'scoring', 'signals', 'auctions']) assert.ok(name in others, name);
    for (const part of ['/deal', '/underwriting', '/scoring', '/price_history', '/provenance'])
      assert.ok(rest.includes(part), part);
    const { payment_id, token } = receipt ?? {};
    for (const part of rest) {
      const { content: read } = await agent.call('payment_reply', { payment_id, token, part });
      assert.ok(read.part === part && read.data !== undefined && read.left_out === undefined, part);
    }
  });
});
