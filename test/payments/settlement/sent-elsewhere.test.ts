import assert from 'node:assert/strict';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { buyer } from '../../../src/demo/chain/accounts.js';
import { newAccount } from '../../support/wallets.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, type Shop } from '../shop.js';
import { assertAskedToSignIn, challengeIn, payWithProof, signIn } from '../sign-in.js';

const path = '/api/deals/hot';
const away = (): Promise<never> => Promise.reject(new Error('the connection was reset'));

describe('a payment that somebody else has sent', () => {
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

  const pay = (): Promise<Answer> => shop.pay(path, header);
  const prove = (): Promise<Answer> => payWithProof(shop, path, header);

  it('is the data, charged once, when that happens between the look at the chain and the settlement', async () => {
    shop.faults.settler.settle = async (authorization, attempt) => {
      await shop.chain.submitElsewhere(authorization);
      return shop.real.settler.settle(authorization, attempt);
    };
    assertPaid(await pay());
    assert.equal(await shop.settlementsOf(header), 1);
    assert.equal((await shop.rowOf(header))?.state, 'settled');
  });

  it("is sold to its payer's proof, charged once, when it happened before the request came", async () => {
    const transaction = await shop.chain.submitElsewhere(shop.authorizationOf(header));
    const answer = await prove();
    assertPaid(answer);
    assert.equal(answer.settlement?.transaction, transaction);
    assert.equal(await shop.settlementsOf(header), 1);
    assertRefused(await pay(), 402, 'payment_already_used');
  });

  it('shows a stranger no data, and no difference between a right and a wrong request, without a search', async () => {
    await shop.chain.submitElsewhere(shop.authorizationOf(header));
    shop.faults.evidence.find = async () => assert.fail('the chain was searched');
    const runs = shop.handlerRuns();
    const stranger = { signer: newAccount() };
    const challenge = assertAskedToSignIn(await pay());
    const told: unknown[] = [];
    for (const each of [path, `${path}?limit=1`, `${path}?limit=2`]) {
      const bare = await shop.pay(each, header);
      assertAskedToSignIn(bare);
      const wrong = await shop.pay(each, header, { headers: { 'SIGN-IN-WITH-X': await signIn(challenge, stranger) } });
      assertAskedToSignIn(wrong);
      told.push([bare.problem?.detail, wrong.problem?.detail]);
    }
    assert.deepEqual(told[1], told[0]);
    assert.deepEqual(told[2], told[0]);
    assert.equal(shop.handlerRuns(), runs);
    assert.equal(await shop.rowOf(header), undefined);
    shop.mend();
    assertPaid(await prove());
  });

  it('names the status of the payment and the request over HTTP, in the body as in the header', async () => {
    await shop.chain.submitElsewhere(shop.authorizationOf(header));
    const answer = await pay();
    const { info } = assertAskedToSignIn(answer);
    const id = answer.problem?.payment_id;
    assert.equal(info.uri, `${shop.app.url}/api/payments/${id}/response`);
    assert.equal(Date.parse(info.expirationTime ?? '') - Date.parse(info.issuedAt), 300_000);
    assert.deepEqual(
      answer.problem?.next.map(({ url }) => url),
      [`/api/payments/${id}`, path],
    );
    const told = JSON.parse(Buffer.from(answer.headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString()) as object;
    const problem = answer.problem as object;
    for (const [name, value] of Object.entries(told)) assert.deepEqual(Reflect.get(problem, name), value);
    assertPaid(await prove());
  });

  it('is told to be charged where nothing matches, and buys another query', async () => {
    const other = await shop.sign('/api/deals');
    await shop.chain.submitElsewhere(shop.authorizationOf(other));
    const nothing = await payWithProof(shop, '/api/deals?state=WY', other);
    assert.deepEqual([nothing.status, nothing.problem?.payment], [404, 'settled']);
    assert.equal(await shop.rowOf(other), undefined);
    assertPaid(await payWithProof(shop, '/api/deals?state=OH', other));
  });

  it('never puts its challenge into an unpaid 402', async () => {
    await shop.chain.submitElsewhere(shop.authorizationOf(header));
    for (const headers of [{}, { 'SIGN-IN-WITH-X': await signIn(assertAskedToSignIn(await pay())) }]) {
      const unpaid = await shop.pay(path, undefined, { headers });
      assertRefused(unpaid, 402, 'payment_required');
      assert.equal(challengeIn(unpaid), undefined);
    }
    assertPaid(await prove());
  });

  it('stops an official client, which signs once and is asked to pay for nothing', async () => {
    const presented: string[] = [];
    const overtaken: typeof fetch = async (...given) => {
      const payment = new Request(...given).headers.get('PAYMENT-SIGNATURE');
      if (payment !== null) {
        presented.push(payment);
        await shop.chain.submitElsewhere(shop.authorizationOf(payment));
      }
      return fetch(...given);
    };
    const client = new ExactEvmScheme(privateKeyToAccount(buyer.privateKey));
    const schemes = [{ network: shop.app.selling.terms.network.id, client }];
    const response = await wrapFetchWithPaymentFromConfig(overtaken, { schemes, spendControls: false })(
      shop.app.url + path,
    );
    assert.deepEqual([response.status, presented.length], [402, 1]);
    const [payment = ''] = presented;
    assertPaid(await payWithProof(shop, path, payment));
    assert.equal(await shop.settlementsOf(payment), 1);
  });

  it('is in doubt, and never sold, while the chain cannot be asked or 60 of a minute were looked for', async () => {
    const others = await Promise.all(Array.from({ length: 70 }, () => shop.sign(path)));
    await shop.chain.submitElsewhere(shop.authorizationOf(header));
    shop.advance(600);
    shop.faults.evidence.isUsed = away;
    assertRefused(await pay(), 503, 'settlement_unknown');
    let questions = 0;
    shop.faults.evidence.isUsed = async () => (questions++, false);
    const statuses = new Set<string>();
    for (const each of others) statuses.add(String((await shop.pay(path, each)).problem?.reason));
    assert.deepEqual(statuses, new Set(['payment_expired', 'settlement_unknown']));
    assert.ok(questions <= 60, `${questions} questions`);
    const beyond = await pay();
    assertRefused(beyond, 503, 'settlement_unknown');
    assert.deepEqual([beyond.problem?.payment, beyond.problem?.retry_same_payment], ['unknown', true]);
    shop.mend();
    assertPaid(await prove());
  });

  it('is asked for a proof until an hour after its window, and then refused without a look at the chain', async () => {
    const { validBefore } = shop.authorizationOf(header);
    await shop.chain.submitElsewhere(shop.authorizationOf(header));
    const secondsLeft = Number(validBefore) - Math.floor(Date.now() / 1000);
    shop.advance(secondsLeft + 3_590);
    assertAskedToSignIn(await pay());
    shop.advance(20);
    shop.faults.evidence.isUsed = async () => assert.fail('the chain was asked');
    assertRefused(await pay(), 402, 'payment_expired');
    shop.mend();
    assertPaid(await prove());
  });

  it('is looked for four at once, over all operations; the others stay in doubt', async () => {
    const paths = [path, path, path, '/api/deals', '/api/deals', '/api/signals', '/api/auctions'];
    const proven: (() => Promise<Answer>)[] = [];
    for (const each of paths) {
      const other = await shop.sign(each);
      await shop.chain.submitElsewhere(shop.authorizationOf(other));
      const headers = { 'SIGN-IN-WITH-X': await signIn(assertAskedToSignIn(await shop.pay(each, other))) };
      proven.push(() => shop.pay(each, other, { headers }));
    }
    let searches = 0;
    let most = 0;
    let goOn = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    shop.faults.evidence.find = async (question) => {
      most = Math.max(most, ++searches);
      await waiting;
      return shop.real.evidence.find(question).finally(() => searches--);
    };
    const first = proven.slice(0, 4).map((buy) => buy());
    while (searches < 4) await new Promise((resolve) => setImmediate(resolve));
    for (const buy of proven.slice(4)) assertRefused(await buy(), 503, 'settlement_unknown');
    goOn();
    for (const answer of await Promise.all(first)) assertPaid(answer);
    assert.equal(most, 4);
    for (const buy of proven.slice(4)) assertPaid(await buy());
  });

  it('is the data for one of the copies that come at once', async () => {
    await shop.chain.submitElsewhere(shop.authorizationOf(header));
    const headers = { 'SIGN-IN-WITH-X': await signIn(assertAskedToSignIn(await pay())) };
    const answers = await Promise.all(Array.from({ length: 5 }, () => shop.pay(path, header, { headers })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const others = answers.filter(({ status }) => status !== 200);
    for (const { problem } of others)
      assert.ok(problem?.reason === 'payment_in_progress' || problem?.reason === 'payment_already_used');
  });

  it('is unknown while the proof cannot be read, and nothing is written', async () => {
    await shop.chain.submitElsewhere(shop.authorizationOf(header));
    shop.faults.evidence.find = away;
    assertRefused(await prove(), 503, 'settlement_unknown');
    assert.equal(await shop.rowOf(header), undefined);
    shop.mend();
    assertPaid(await prove());
  });
});
