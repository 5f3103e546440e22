import assert from 'node:assert/strict';
import { loadContract } from '../../../src/contract/load-contract.js';
import { livePath } from '../../support/live-path.js';
import { assertPaid, assertRefused } from '../answer.js';
import { openShop, type Shop } from '../shop.js';

const path = '/api/deals/hot';
const priced = loadContract().operations.filter(({ priceUsd }) => priceUsd !== undefined);

describe('what is never billed', () => {
  let shop: Shop;

  before(async () => {
    shop = await openShop();
  });
  afterEach(() => shop.mend());
  after(() => shop.close());

  /** Nothing was written or sent: the payment then really buys. */
  async function assertStillGood(header: string, at: string): Promise<void> {
    assert.equal(await shop.rowOf(header), undefined);
    assert.equal(await shop.settlementsOf(header), 0);
    assertPaid(await shop.pay(at, header));
    assert.equal(await shop.settlementsOf(header), 1);
  }

  for (const operation of priced) {
    it(`${operation.operationId} without a payment, by GET and by HEAD`, async () => {
      const runs = shop.handlerRuns();
      const answer = await shop.pay(livePath(shop.app, operation.path), undefined);
      assertRefused(answer, 402, 'payment_required');
      assert.equal(answer.problem?.payment, 'none');
      const head = await shop.pay(livePath(shop.app, operation.path), undefined, { method: 'HEAD' });
      assert.equal(head.status, 402);
      assert.equal(head.headers.get('PAYMENT-REQUIRED'), answer.headers.get('PAYMENT-REQUIRED'));
      assert.equal(shop.handlerRuns(), runs, 'nobody unpaid reaches the handler');
    });
  }

  it('wrong, unknown and missing parameters without a payment: they alone are told', async () => {
    const answer = await shop.pay('/api/deals?min_price=cheap&stat=OH', undefined);
    assertRefused(answer, 402, 'invalid_parameter');
    assert.deepEqual(
      answer.problem?.errors.map((fault) => [Reflect.get(fault, 'parameter'), Reflect.get(fault, 'nearest')]),
      [
        ['min_price', undefined],
        ['stat', 'state'],
      ],
    );
  });

  it('wrong and unknown parameters with a payment', async () => {
    const header = await shop.sign('/api/deals');
    assertRefused(await shop.pay('/api/deals?min_price=0x10', header), 400, 'invalid_parameter');
    assertRefused(await shop.pay('/api/deals?stat=OH', header), 400, 'unknown_parameter');
    assertRefused(await shop.pay('/api/deals?state=OH&state=IN', header), 400, 'invalid_parameter');
    await assertStillGood(header, '/api/deals?state=OH');
  });

  it('a query that nothing matches, again and again', async () => {
    const header = await shop.sign('/api/deals');
    for (const query of ['?state=WY', '?min_price=2&max_price=1', '?min_score=100&max_price=1', '?city=Nowhere']) {
      const answer = await shop.pay(`/api/deals${query}`, header);
      assert.equal(answer.status, 404, query);
      assert.equal(answer.problem?.payment, 'not_settled');
    }
    await assertStillGood(header, '/api/deals');
  });

  it('HEAD with a payment', async () => {
    const header = await shop.sign(path);
    const runs = shop.handlerRuns();
    const answer = await shop.pay(path, header, { method: 'HEAD' });
    assert.equal(answer.status, 402);
    assert.equal(shop.handlerRuns(), runs);
    await assertStillGood(header, path);
  });

  it('OPTIONS with a payment', async () => {
    const header = await shop.sign(path);
    assert.equal((await shop.pay(path, header, { method: 'OPTIONS' })).status, 204);
    await assertStillGood(header, path);
  });

  it('methods that do not exist here, with a payment', async () => {
    const header = await shop.sign(path);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      assertRefused(await shop.pay(path, header, { method }), 405, 'method_not_allowed');
    await assertStillGood(header, path);
  });

  it('what the buyer has already, paid or not', async () => {
    const bought = await shop.pay(path, await shop.sign(path), { headers: { 'Accept-Encoding': 'identity' } });
    assertPaid(bought);
    const headers = { 'If-None-Match': bought.headers.get('ETag') ?? '' };
    const header = await shop.sign(path);
    const runs = shop.handlerRuns();
    for (const each of [undefined, header]) {
      const answer = await shop.pay(path, each, { headers });
      assert.equal(answer.status, 304);
      assert.equal(answer.text, '');
    }
    assert.equal(shop.handlerRuns(), runs);
    // The tag of one query is none of another's.
    assert.equal((await shop.pay('/api/deals', undefined, { headers })).status, 402);
    await assertStillGood(header, path);
  });

  it('anything but the whole reply: a range is not answered in part', async () => {
    const answer = await shop.pay(path, await shop.sign(path), { headers: { Range: 'bytes=0-99' } });
    assertPaid(answer);
    assert.equal(JSON.parse(answer.text) instanceof Array, true);
  });

  it('paths that only look like a paid one', async () => {
    const header = await shop.sign(path);
    for (const trick of [
      '/api/deals//hot',
      '/api//deals/hot',
      '/api/deals/hot/',
      '/API/deals/hot',
      '/api/deals%2Fhot',
      '/api/deals/hot%0A',
      '/api/deals/h%6Ft',
    ]) {
      const answer = await shop.pay(trick, header);
      assert.ok([400, 404].includes(answer.status), `${trick}: ${answer.status}`);
    }
    await assertStillGood(header, path);
  });

  it('a price for another address: Host and X-Forwarded-Host change nothing', async () => {
    const plain = await shop.pay(path, undefined);
    const forged = await shop.pay(path, undefined, {
      headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', Forwarded: 'host=evil.example' },
    });
    assert.equal(forged.headers.get('PAYMENT-REQUIRED'), plain.headers.get('PAYMENT-REQUIRED'));
  });
});
