import assert from 'node:assert/strict';
import { request } from 'node:http';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, type Shop } from '../shop.js';

const path = '/api/deals/hot';

/** A promise that the test resolves. */
function createGate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('a reply that did not arrive', () => {
  let shop: Shop;
  let header: string;

  before(async () => {
    shop = await openShop();
  });
  beforeEach(async () => {
    header = await shop.sign(path);
  });
  afterEach(() => shop.mend());
  after(() => shop.close());

  const pay = (at = path): Promise<Answer> => shop.pay(at, header, { headers: { 'Accept-Encoding': 'identity' } });

  /** Holds the service at a step; `reached` resolves when it is there. */
  function holdAt(step: 'verify' | 'settle'): { readonly reached: Promise<void>; goOn: () => void } {
    const [reached, free] = [createGate(), createGate()];
    const { settler } = shop.real;
    const hold = async (): Promise<void> => {
      reached.open();
      await free.opened;
    };
    if (step === 'verify') shop.faults.settler.verify = (each) => hold().then(() => settler.verify(each));
    else shop.faults.settler.settle = (each, attempt) => hold().then(() => settler.settle(each, attempt));
    return { reached: reached.opened, goOn: free.open };
  }

  /** Sends the payment and hangs up while the service is at a step; resolves when it has its answer to nobody. */
  async function hangUp(step: 'verify' | 'settle'): Promise<void> {
    const { reached, goOn } = holdAt(step);
    const sent = request(shop.app.url + path, { headers: { 'PAYMENT-SIGNATURE': header }, agent: false });
    sent.on('error', () => undefined);
    sent.end();
    await reached;
    sent.destroy();
    await new Promise((resolve) => sent.once('close', resolve));
    // Whoever is answered after that finds the server told of the end of the other connection.
    for (let turn = 0; turn < 3; turn++) await fetch(`${shop.app.url}/healthz`).then((reply) => reply.text());
    const answered = shop.nextAnswered();
    goOn();
    await answered;
    await shop.app.selling.deliveries.flush();
    shop.mend();
  }

  it('costs nothing when its caller was gone before the claim, and the payment is as good as before', async () => {
    await hangUp('verify');
    assert.equal(await shop.rowOf(header), undefined);
    assert.equal(await shop.settlementsOf(header), 0);
    assertPaid(await pay());
  });

  it('comes to the same payment once its caller is back, byte for byte, once, without another charge', async () => {
    await hangUp('settle');
    const row = await shop.rowOf(header);
    assert.deepEqual([row?.state, row?.delivery], ['settled', 'incomplete']);
    const runs = shop.handlerRuns();
    const answer = await pay();
    assertPaid(answer);
    assert.equal(shop.handlerRuns(), runs, 'the stored reply is sent, none is made');
    assert.ok(row);
    assert.equal(answer.text, (await shop.real.ledger.readReplyBody(row.replyHash))?.toString());
    const bought = await shop.pay(path, await shop.sign(path), { headers: { 'Accept-Encoding': 'identity' } });
    assert.equal(answer.text, bought.text);
    for (const name of ['ETag', 'Feed-Version', 'X-Total-Count', 'Content-Type', 'Cache-Control'])
      assert.equal(answer.headers.get(name), bought.headers.get(name), name);
    assertRefused(await pay(), 402, 'payment_already_used', 'invalid_transaction_state');
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('is the reply of before, also after the feed was published anew', async () => {
    await hangUp('settle');
    const before = await shop.rowOf(header);
    const { version } = shop.app.feeds.deals.current();
    await shop.moveFeed();
    await shop.app.pipeline.refresh();
    assert.ok(shop.app.feeds.deals.current().version > version);
    const answer = await pay();
    assertPaid(answer);
    assert.equal(answer.headers.get('Feed-Version'), before?.replyHeaders['Feed-Version']);
    assert.equal(answer.headers.get('Feed-Version'), String(version));
  });

  it('still comes when the window of the payment is over', async () => {
    await hangUp('settle');
    shop.advance(3600);
    assertPaid(await pay());
    assertRefused(await pay(), 402, 'payment_already_used');
  });

  it('is not for another request with the same payment', async () => {
    await hangUp('settle');
    const dear = await shop.pay('/api/deals', header);
    assert.equal(dear.status, 402);
    assertRefused(await pay(`${path}?limit=1`), 402, 'payment_already_used');
    assertPaid(await pay());
  });

  it('goes to one of several who ask for it at once', async () => {
    await hangUp('settle');
    const answers = await Promise.all(Array.from({ length: 5 }, () => pay()));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const { status, problem } of answers)
      assert.ok(
        status === 200 || problem?.reason === 'payment_in_progress' || problem?.reason === 'payment_already_used',
      );
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('is not sent twice at the same time, nor refused for good while it is on its way', async () => {
    const { reached, goOn } = holdAt('settle');
    const first = pay();
    await reached;
    const second = await pay();
    assertRefused(second, 409, 'payment_in_progress');
    assert.equal(second.problem?.retry_same_payment, true);
    goOn();
    assertPaid(await first);
    assertRefused(await pay(), 402, 'payment_already_used');
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('comes after the lease when this server does not know whether it arrived', async () => {
    // As after a crash between FINISH and the last byte: settled, and nobody noted a delivery.
    const { deliveries } = shop.app.selling;
    const { record } = deliveries;
    deliveries.record = () => undefined;
    assertPaid(await pay());
    deliveries.record = record;
    assertRefused(await pay(), 409, 'payment_in_progress');
    await shop.passLeases();
    assertPaid(await pay());
    assert.equal(await shop.settlementsOf(header), 1);
  });
});
