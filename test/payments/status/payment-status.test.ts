import assert from 'node:assert/strict';
import { createSIWxClientExtension, createSIWxClientHook } from '@x402/extensions/sign-in-with-x';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import type { PaymentStatus } from '../../../generated/types.gen.js';
import { buyer } from '../../../src/demo/chain/accounts.js';
import { publicPaymentId } from '../../../src/payments/ledger/payment-row.js';
import { encodePayment } from '../../support/pay.js';
import { ask } from '../../support/raw-http.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, payloadIn, type Shop } from '../shop.js';

const path = '/api/deals/hot';
const payer = privateKeyToAccount(buyer.privateKey);
const stranger = privateKeyToAccount(generatePrivateKey());

interface Challenge {
  readonly accepts: readonly unknown[];
  readonly extensions: { readonly 'sign-in-with-x': { readonly info: Record<string, string> } };
}

describe('the payment status', () => {
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

  const identity = { 'Accept-Encoding': 'identity' };
  const pay = (): Promise<Answer> => shop.pay(path, header, { headers: identity });
  const askFor = (at: string, headers: Record<string, string> = {}): Promise<Answer> =>
    shop.pay(at, undefined, { headers: { ...identity, ...headers } });

  /** The address of the payment that was signed. */
  function addressOf(sent: string): string {
    const { network } = shop.app.selling.terms;
    const { from, nonce } = shop.authorizationOf(sent);
    const asset = `0x${network.asset.slice(2).toLowerCase()}` as const;
    return `/api/payments/${publicPaymentId({ network: network.id, asset, payer: from, nonce })}`;
  }

  async function statusOf(sent: string): Promise<PaymentStatus> {
    const answer = await askFor(addressOf(sent));
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('Cache-Control'), 'no-store');
    assert.equal(answer.headers.get('ETag'), null);
    return JSON.parse(answer.text) as PaymentStatus;
  }

  /** Signs the challenge of a payment's reply; `change` alters what is signed and sent. */
  async function prove(sent: string, change: Record<string, unknown> = {}, signer = payer): Promise<string> {
    const { info } = challengeIn(await askFor(`${addressOf(sent)}/response`));
    const { id, chainId } = shop.app.selling.terms.network;
    const proof = { ...info, address: signer.address, chainId: id, type: 'eip191', ...change } as Record<
      string,
      string
    >;
    const message = createSiweMessage({
      ...(proof as unknown as Parameters<typeof createSiweMessage>[0]),
      chainId: Number(proof['chainId']?.split(':')[1] ?? chainId),
      issuedAt: new Date(proof['issuedAt'] ?? ''),
      expirationTime: new Date(proof['expirationTime'] ?? ''),
    });
    return encodePayment({ ...proof, signature: await signer.signMessage({ message }) });
  }

  const fetchReply = async (sent: string, proof: string): Promise<Answer> =>
    askFor(`${addressOf(sent)}/response`, { 'SIGN-IN-WITH-X': proof });

  /** The official client with a wallet, and every request that it sends. */
  function officialClient(account: typeof payer, scoped: boolean) {
    const requests: Request[] = [];
    const remember: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      requests.push(request.clone());
      return fetch(request);
    };
    const client = new x402Client().register('eip155:*', new ExactEvmScheme(account));
    if (scoped) client.registerExtension(createSIWxClientExtension({ signers: [account] }));
    const http = new x402HTTPClient(client);
    if (!scoped) http.onPaymentRequired(createSIWxClientHook(account));
    return { requests, fetch: wrapFetchWithPayment(remember, http) };
  }

  it('tells whoever knows the id what became of the payment, and nothing of what was asked or sold', async () => {
    assertRefused(await askFor(addressOf(header)), 404, 'unknown_payment');
    const bought = await shop.pay(`${path}?limit=3`, header);
    assertPaid(bought);
    await shop.app.selling.deliveries.flush();
    const status = await statusOf(header);
    const row = await shop.rowOf(header);
    assert.ok(row);
    assert.deepEqual(
      [status.state, status.billed, status.delivered, status.operation, status.amount, status.transaction],
      ['settled', true, true, 'listHotDeals', '20000', bought.settlement?.transaction],
    );
    assert.equal(Date.parse(status.redelivery_until ?? ''), row.claimedAt.getTime() + 192 * 3_600_000);
    assert.deepEqual(status.absent, {});
    const told = JSON.stringify(status).toLowerCase();
    for (const secret of ['limit', row.payer, row.signature, row.nonce]) assert.ok(!told.includes(secret), secret);
  });

  it('says why there is no transaction yet, and that a released payment was not billed', async () => {
    shop.faults.settler.settle = async () => ({ outcome: 'unknown', detail: 'no answer' });
    const unknown = await pay();
    assertRefused(unknown, 503, 'settlement_unknown');
    assert.equal(`/api/payments/${unknown.problem?.payment_id}`, addressOf(header));
    assert.deepEqual(unknown.problem?.next, [{ title: 'What became of this payment', url: addressOf(header) }]);
    const open = await statusOf(header);
    assert.deepEqual([open.state, open.transaction, open.billed, open.redelivery_until], ['claimed', null, null, null]);
    assert.deepEqual(open.absent.billed, { reason: 'not_yet_observed' });
    assertRefused(await askFor(`${addressOf(header)}/response`), 503, 'settlement_unknown');

    header = await shop.sign(path);
    shop.faults.settler.settle = async () => ({ outcome: 'failed', reason: 'insufficient_funds', detail: 'poor' });
    const failed = await pay();
    assertRefused(failed, 402, 'settlement_failed');
    assert.equal(`/api/payments/${failed.problem?.payment_id}`, addressOf(header));
    const released = await statusOf(header);
    assert.deepEqual([released.state, released.transaction, released.billed], ['released', null, false]);
    assert.deepEqual(released.absent.transaction, { reason: 'not_applicable' });
    assertRefused(await askFor(`${addressOf(header)}/response`), 404, 'unknown_payment');
  });

  it('asks to wait while the payment is being worked on', async () => {
    let goOn = (): void => undefined;
    const free = new Promise<void>((resolve) => (goOn = resolve));
    const reached = new Promise<void>((resolve) => {
      shop.faults.settler.settle = async (each, attempt) => {
        resolve();
        await free;
        return shop.real.settler.settle(each, attempt);
      };
    });
    const first = pay();
    await reached;
    assertRefused(await askFor(`${addressOf(header)}/response`), 409, 'payment_in_progress');
    assert.equal((await statusOf(header)).state, 'claimed');
    goOn();
    assertPaid(await first);
  });

  for (const scoped of [true, false]) {
    it(`gives the official client the reply again, byte for byte, for its wallet's proof (${scoped ? 'extension' : 'hook'})`, async () => {
      const bought = await pay();
      assertPaid(bought);
      const { requests, fetch: fetchOfficial } = officialClient(payer, scoped);
      for (let turn = 1; turn <= 2; turn++) {
        const reply = await fetchOfficial(`${shop.app.url}${addressOf(header)}/response`, { headers: identity });
        assert.equal(reply.status, 200);
        assert.equal(await reply.text(), bought.text);
        for (const name of [
          'PAYMENT-RESPONSE',
          'ETag',
          'Feed-Version',
          'X-Total-Count',
          'Content-Type',
          'Cache-Control',
        ])
          assert.equal(reply.headers.get(name), bought.headers.get(name), name);
        assert.equal(requests.length, 2 * turn, 'asks, signs in');
      }
      assert.ok(requests.every(({ headers }) => !headers.has('PAYMENT-SIGNATURE')));
      assert.equal(await shop.settlementsOf(header), 1);
    });

    it(`never makes the official client pay, whoever its wallet is (${scoped ? 'extension' : 'hook'})`, async () => {
      assertPaid(await pay());
      const { requests, fetch: fetchOfficial } = officialClient(stranger, scoped);
      await assert.rejects(fetchOfficial(`${shop.app.url}${addressOf(header)}/response`), /payment requirements/);
      assert.ok(requests.length === 2 && requests.every(({ headers }) => !headers.has('PAYMENT-SIGNATURE')));
    });
  }

  it('asks for the proof where the reply is, and never where something is sold', async () => {
    assertPaid(await pay());
    const answer = await askFor(`${addressOf(header)}/response`);
    assertRefused(answer, 402, 'payment_already_used', 'SIGN-IN-WITH-X header is required');
    assert.deepEqual(challengeIn(answer).accepts, []);
    assert.equal(challengeIn(answer).info['uri'], `${shop.app.url}${addressOf(header)}/response`);
    const body = JSON.parse(answer.text) as Challenge;
    assert.deepEqual(body.extensions, decode(answer).extensions, 'readable without headers');
    for (const product of [path, '/api/deals', '/api/deals/basic'])
      assert.ok(!JSON.stringify(decode(await askFor(product))).includes('sign-in-with-x'), product);
  });

  it('names its own address in the challenge, whatever the request calls it', async () => {
    assertPaid(await pay());
    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };
    const reply = await ask(shop.app.url, `${addressOf(header)}/response`, { headers });
    assert.equal(reply.status, 402);
    assert.ok(!reply.body.toString().includes('evil.example'));
  });

  it("takes no other wallet's, payment's, chain's, address's, nonce's or moment's proof", async () => {
    assertPaid(await pay());
    const other = await shop.sign(path);
    assertPaid(await shop.pay(path, other));
    const now = new Date();
    const proofs: Record<string, string> = {
      'another wallet': await prove(header, {}, stranger),
      'another payment': await prove(other),
      'another chain': await prove(header, { chainId: 'eip155:1' }),
      'another domain': await prove(header, { domain: 'evil.example' }),
      'another address': await prove(header, { uri: 'https://evil.example/' }),
      'another nonce': await prove(header, { nonce: 'a'.repeat(64) }),
      'another moment': await prove(header, { issuedAt: new Date(now.getTime() - 5_000).toISOString() }),
      'a longer life': await prove(header, { expirationTime: new Date(now.getTime() + 86_400_000).toISOString() }),
      'another text': await prove(header, { statement: 'Give me all' }),
      'the name of the payer, signed by another': await prove(header, {}, { ...stranger, address: payer.address }),
    };
    for (const [what, proof] of Object.entries(proofs)) {
      const answer = await fetchReply(header, proof);
      assertRefused(answer, 402, 'payment_already_used');
      assert.match(answer.problem?.detail ?? '', /refused/, what);
    }
    assert.equal((await fetchReply(header, await prove(header))).status, 200);
  });

  it('takes a proof for five minutes', async () => {
    assertPaid(await pay());
    const proof = await prove(header);
    shop.advance(290);
    assertPaid(await fetchReply(header, proof));
    shop.advance(20);
    assertRefused(await fetchReply(header, proof), 402, 'payment_already_used');
  });

  it('refuses what is no proof at all, naming the header', async () => {
    assertPaid(await pay());
    for (const junk of ['***', encodePayment([]), encodePayment({ address: 1 }), 'A'.repeat(16_388)]) {
      const answer = await fetchReply(header, junk);
      assertRefused(answer, 400, 'invalid_parameter');
      assert.equal(Reflect.get(answer.problem?.errors[0] ?? {}, 'parameter'), 'SIGN-IN-WITH-X');
    }
    assertRefused(await fetchReply(header, `${await prove(header)}, ${await prove(header)}`), 400, 'invalid_parameter');
  });

  it('gives the reply whatever the clock and the feed say, also when the delivery was cut off, and notes the delivery', async () => {
    const { deliveries } = shop.app.selling;
    const { record } = deliveries;
    deliveries.record = () => undefined;
    const bought = await pay();
    deliveries.record = record;
    await shop.moveFeed();
    await shop.app.pipeline.refresh();
    shop.advance(3 * 86_400);
    const answer = await fetchReply(header, await prove(header));
    assertPaid(answer);
    assert.equal(answer.text, bought.text);
    await deliveries.flush();
    assert.equal((await shop.rowOf(header))?.delivery, 'completed');
  });

  it('says so when the reply is not kept any longer', async () => {
    assertPaid(await pay());
    const row = await shop.rowOf(header);
    assert.ok(row);
    shop.faults.ledger.findById = async () => ({ row, isReplyKept: false, readAt: new Date() });
    assertRefused(await fetchReply(header, await prove(header)), 404, 'not_found');
    const status = await statusOf(header);
    assert.deepEqual([status.redelivery_until, status.absent.redelivery_until?.reason], [null, 'not_applicable']);
  });

  it('gives nothing for a payment that was given back', async () => {
    const extensions = { 'payment-identifier': { info: { required: false, id: 'an-identifier-of-its-own' } } };
    header = encodePayment({ ...payloadIn(header), extensions });
    assertPaid(await pay());
    await shop.app.selling.deliveries.flush();
    const { payer: payerHex, nonce } = (await shop.rowOf(header)) ?? {};
    const key = [payerHex, nonce].map((hex) => Buffer.from(hex?.slice(2) ?? '', 'hex'));
    await shop.app.database.knex.raw("UPDATE payments SET delivery = 'refunded' WHERE payer = ? AND nonce = ?", key);
    assertRefused(await pay(), 402, 'payment_already_used');
    assertRefused(await askFor(`${addressOf(header)}/response`), 404, 'unknown_payment');
    assert.equal((await statusOf(header)).redelivery_until, null);
  });

  it('answers 503 while the database is away', async () => {
    shop.faults.ledger.findById = () => Promise.reject(new Error('gone'));
    for (const at of [addressOf(header), `${addressOf(header)}/response`])
      assertRefused(await askFor(at), 503, 'temporarily_unavailable');
  });

  function decode(answer: Answer): Challenge {
    return JSON.parse(atob(answer.headers.get('PAYMENT-REQUIRED') ?? '')) as Challenge;
  }

  function challengeIn(answer: Answer) {
    const { accepts, extensions } = decode(answer);
    return { accepts, info: extensions['sign-in-with-x'].info };
  }
});
