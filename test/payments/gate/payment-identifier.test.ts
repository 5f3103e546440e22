import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { deep } from '../../support/depth.js';
import { openTestInstances, type TestInstances } from '../../support/database.js';
import { encodePayment } from '../../support/pay.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, payloadIn, type Shop } from '../shop.js';
import { declared, withId } from '../with-id.js';

const path = '/api/deals/hot';
const publicBaseUrl = 'https://deals.example.com';
const atOnce = deep(50, 20);

describe("a payment with its buyer's own identifier", () => {
  let instances: TestInstances;
  let shop: Shop;
  let second: Shop;
  let id: string;
  let bare: string;
  let header: string;

  before(async () => {
    instances = await openTestInstances(2);
    const [one, other] = instances.databases;
    assert.ok(one && other);
    shop = await openShop({ database: one, publicBaseUrl });
    second = await openShop({ database: other, dataDirectory: shop.app.directory, publicBaseUrl });
  });
  beforeEach(async () => {
    id = `pay_${randomUUID()}`;
    bare = await shop.sign(path);
    header = withId(bare, id);
  });
  afterEach(() => {
    shop.mend();
    second.mend();
  });
  after(async () => {
    await shop.assertConserved();
    await second.app.stop();
    await shop.app.stop();
    await instances.close();
  });

  const at = (where: Shop, sent: string, to = path): Promise<Answer> =>
    where.pay(to, sent, { headers: { 'Accept-Encoding': 'identity' } });
  const pay = (sent = header, to = path): Promise<Answer> => at(shop, sent, to);

  /** The same bytes, and every header that belongs to the reply. */
  function assertSame(answer: Answer, first: Answer): void {
    assertPaid(answer);
    assert.equal(answer.text, first.text);
    for (const name of ['PAYMENT-RESPONSE', 'ETag', 'Feed-Version', 'X-Total-Count', 'Content-Type', 'Cache-Control'])
      assert.equal(answer.headers.get(name), first.headers.get(name), name);
  }

  it('gets its reply again as often as it asks, byte for byte, on each instance, and is charged once', async () => {
    const first = await pay();
    assertPaid(first);
    const runs = shop.handlerRuns() + second.handlerRuns();
    await shop.app.selling.deliveries.flush();
    assert.equal((await shop.rowOf(header))?.delivery, 'completed');
    for (const where of [shop, second, shop, second]) assertSame(await at(where, header), first);
    const parallel = await Promise.all(Array.from({ length: 20 }, (_, index) => at(index % 2 ? shop : second, header)));
    for (const answer of parallel) assertSame(answer, first);
    assert.equal(shop.handlerRuns() + second.handlerRuns(), runs, 'the stored reply is sent, none is made');
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('gets its reply again whatever the clock and the feed say by then', async () => {
    const first = await pay();
    await shop.moveFeed();
    await shop.app.pipeline.refresh();
    assertSame(await pay(), first);
    shop.advance(5 * 86_400);
    assertSame(await pay(), first);
    shop.advance(366 * 86_400);
    assertSame(await pay(), first);
    shop.faults.settler.verify = async () => ({ verdict: 'unavailable', by: 'chain', detail: 'no chain' });
    assertSame(await pay(), first);
    shop.faults.settler.verify = async () => ({ verdict: 'refused', reason: 'insufficient_funds', detail: 'poor' });
    assertSame(await pay(), first);
  });

  it('comes compressed to whoever asks for that, on each instance', async () => {
    const first = await shop.pay(path, header, { headers: { 'Accept-Encoding': 'br' } });
    const again = await second.pay(path, header, { headers: { 'Accept-Encoding': 'br' } });
    assertSame(again, first);
    assert.equal(again.headers.get('Content-Encoding'), 'br');
  });

  it('is for that request and that authorization alone: anything else under the same identifier is a conflict', async () => {
    const first = await pay();
    assertPaid(first);
    const { payload, ...rest } = payloadIn(header);
    const { authorization, signature } = payload;
    const respelled = `${signature.slice(0, 130)}${signature.endsWith('1b') ? '00' : '01'}`;
    const conflicts = [
      await pay(header, `${path}?limit=1`),
      await pay(withId(await shop.sign(path), id)),
      await at(second, withId(await shop.sign(path), id)),
      await pay(withId(await shop.sign('/api/deals/basic'), id), '/api/deals/basic'),
      await pay(withId(await shop.sign(path, { nonce: authorization.nonce, validAfter: 7n }), id)),
      await pay(encodePayment({ ...rest, payload: { authorization, signature: respelled } })),
    ];
    for (const answer of conflicts) {
      assertRefused(answer, 409, 'payment_id_conflict');
      assert.equal(answer.problem?.retryable, false);
    }
    assertSame(await pay(), first);
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it(`is bought once by ${atOnce} payments under one identifier at once, over two instances: the others are told of the conflict`, async () => {
    const headers = await Promise.all(Array.from({ length: atOnce }, async () => withId(await shop.sign(path), id)));
    const answers = await Promise.all(headers.map((each, index) => at(index % 2 === 0 ? shop : second, each)));
    const paid = answers.filter(({ status }) => status === 200);
    assert.equal(paid.length, 1);
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 409, 'payment_id_conflict');
    const settled = await Promise.all(headers.map((each) => shop.settlementsOf(each)));
    assert.equal(
      settled.reduce((sum, count) => sum + count, 0),
      1,
    );
  });

  it(`is settled once by ${atOnce} copies at once, over two instances, and every copy has the reply in the end`, async () => {
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_, index) => at(index % 2 ? shop : second, header)),
    );
    for (const answer of answers) {
      if (answer.status === 200) assertPaid(answer);
      else assertRefused(answer, 409, 'payment_in_progress');
    }
    const first = answers.find(({ status }) => status === 200);
    assert.ok(first);
    assertSame(await pay(), first);
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('is told to wait while the first request is at work', async () => {
    const settling = holdSettling(shop);
    const first = pay();
    await settling.reached;
    for (const where of [shop, second]) {
      const answer = await at(where, header);
      assertRefused(answer, 409, 'payment_in_progress');
      assert.equal(answer.problem?.retry_same_payment, true);
    }
    const conflict = await pay(header, `${path}?limit=1`);
    assertRefused(conflict, 409, 'payment_id_conflict');
    assert.equal(conflict.problem?.payment, 'unknown', 'the first request may still be charged');
    settling.goOn();
    const answer = await first;
    assertSame(await pay(), answer);
  });

  it('gets its reply on the other instance when the first one hangs between settlement and answer, and both say the same', async () => {
    const { finish } = shop.real.ledger;
    const finishing = createGate();
    shop.faults.ledger.finish = (...given) => finishing.opened.then(() => finish(...given));
    const slow = pay();
    await settledOnChain(header);
    assertRefused(await at(second, header), 409, 'payment_in_progress');
    await shop.passLeases();
    const answer = await at(second, header);
    finishing.open();
    assertPaid(answer);
    assertSame(await at(second, header), answer);
    assertSame(await slow, answer);
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('shows its identifier: without it, or with another, the settled payment gives nothing to whoever read the chain', async () => {
    const { deliveries } = shop.app.selling;
    const { record } = deliveries;
    deliveries.record = () => undefined;
    assertPaid(await pay());
    deliveries.record = record;
    await shop.passLeases();
    for (const other of [bare, withId(bare, `pay_${randomUUID()}`)])
      assertRefused(await pay(other), 402, 'payment_already_used', 'invalid_transaction_state');
    assertPaid(await pay());
  });

  it('gives no second life to a payment that was bought without one', async () => {
    assertPaid(await pay(bare));
    assertRefused(await pay(), 402, 'payment_already_used', 'invalid_transaction_state');
    const taken = `pay_${randomUUID()}`;
    assertPaid(await pay(withId(await shop.sign(path), taken)));
    assertRefused(await pay(withId(bare, taken)), 409, 'payment_id_conflict');
  });

  it('frees its identifier when the settlement definitely failed', async () => {
    shop.faults.settler.settle = async () => ({ outcome: 'failed', reason: 'insufficient_funds', detail: 'poor' });
    assertRefused(await pay(), 402, 'settlement_failed');
    shop.mend();
    assertPaid(await pay(withId(await shop.sign(path), id)));
  });

  it('may echo every extension of the offer, and carry others', async () => {
    const extensions = { bazaar: { info: {} }, 'offer-receipt': { info: { offers: ['x'] } }, unheard: [null] };
    for (const extra of [
      extensions,
      declared,
      { ...extensions, 'payment-identifier': { info: { required: false } } },
      {},
    ])
      assertPaid(await pay(encodePayment({ ...payloadIn(await shop.sign(path)), extensions: extra })));
  });

  it('is refused unbilled, saying what to do, when the identifier is none; corrected, the same payment buys', async () => {
    for (const wrong of ['short', 'x'.repeat(129), 'with blanks in the middle', 'é'.repeat(20), 7, null, {}]) {
      const extensions = { 'payment-identifier': { info: { required: false, id: wrong } } };
      const answer = await pay(encodePayment({ ...payloadIn(bare), extensions }));
      assertRefused(answer, 402, 'payment_invalid', 'invalid_payload');
      assert.match(answer.problem?.detail ?? '', /16 to 128 .* send it again/);
      if (typeof wrong === 'string') assert.ok(!answer.text.includes(wrong), 'an identifier is a secret');
    }
    assert.equal(await shop.rowOf(bare), undefined);
    assertPaid(await pay());
  });

  it('is a secret: the ledger has a keyed hash of it, and no settler ever sees it', async () => {
    const seen: unknown[] = [];
    const { settler } = shop.real;
    shop.faults.settler = {
      verify: async (each) => (seen.push(each), settler.verify(each)),
      settle: async (each, attempt) => (seen.push(each), settler.settle(each, attempt)),
    };
    const answer = await pay();
    assertPaid(answer);
    const rows = JSON.stringify(await shop.app.database.knex('payments').select());
    const told = JSON.stringify([...answer.headers, answer.text, seen], (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    assert.equal(seen.length, 2);
    assert.ok(!rows.includes(id) && !told.includes(id));
    assert.ok(!rows.includes(JSON.stringify(Buffer.from(id)).slice(1, -1)));
    assert.ok((await shop.rowOf(header))?.clientIdHash);
  });

  /** Resolves once the payment's transfer is on the chain. */
  async function settledOnChain(sent: string): Promise<void> {
    while ((await shop.settlementsOf(sent)) === 0) await new Promise(setImmediate);
  }
});

/** Holds the service before it settles; `reached` resolves when it is there. */
function holdSettling(shop: Shop): { readonly reached: Promise<void>; goOn: () => void } {
  const [reached, free] = [createGate(), createGate()];
  const { settler } = shop.real;
  shop.faults.settler.settle = async (authorization, attempt) => {
    reached.open();
    await free.opened;
    return settler.settle(authorization, attempt);
  };
  return { reached: reached.opened, goOn: free.open };
}

/** A promise that the test resolves. */
function createGate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
