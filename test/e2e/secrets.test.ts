import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { createLog } from '../../src/log.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createAccount, startTestChain, type TestChain } from '../support/chain.js';
import { dropListings } from '../support/drop-listings.js';
import { askPrice, encodePayment, signPayment, type ChallengeBody, type PaymentChanges } from '../support/pay.js';
import { faults, startMockFacilitator, type MockFacilitator } from '../support/mock-facilitator.js';

const path = '/api/deals/hot';

describe('the log at its most detailed level', function () {
  // Two services, one of which loses its chain.
  let chain: TestChain;
  let facilitator: MockFacilitator;
  let challenge: ChallengeBody;
  let lines: string[];
  /** Secrets given to the service or sent to it. */
  let secrets: string[];
  const [relayer, receiptSigner, payTo, payer] = [createAccount(), createAccount(), createAccount(), createAccount()];
  const serverSecret = 'secret-of-the-server-0123456789abcdef';

  beforeEach(async () => {
    chain = await startTestChain(84532);
    await chain.ask('anvil_setBalance', [relayer.address, '0xde0b6b3a7640000']);
    await chain.fund(payer.address, 10_000_000n);
    facilitator = await startMockFacilitator(chain);
    lines = [];
    secrets = ['secret-of-', relayer.privateKey, receiptSigner.privateKey, serverSecret];
  });
  afterEach(async () => {
    await facilitator?.stop();
    await chain?.stop();
  });

  /** Serves as its operator would configure it, at the most detailed log level. */
  async function serve(settles: Readonly<Record<string, string>>, use: (app: TestApp) => Promise<void>): Promise<void> {
    const out = new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) });
    const app = await startTestApp({
      withData: false,
      log: createLog('trace', out),
      environment: {
        NETWORK: 'eip155:84532',
        PAY_TO: payTo.address,
        RPC_URL: `${chain.rpcUrl}/?key=secret-of-the-rpc`,
        RECEIPT_PRIVATE_KEY: receiptSigner.privateKey,
        PUBLIC_BASE_URL: 'https://deals.example',
        DATABASE_URL: 'postgres://deals:secret-of-the-database@127.0.0.1:1/deals',
        SERVER_SECRET: serverSecret,
        ...settles,
      },
    });
    try {
      dropListings(app.config.dropDirectory);
      await app.pipeline.ingest();
      await app.pipeline.publish('day');
      challenge = await askPrice(app.url + path);
      await use(app);
    } finally {
      await app.stop();
    }
  }

  async function sign(changes: PaymentChanges = {}): Promise<string> {
    const header = await signPayment(challenge, {
      signer: payer,
      alter: (payload) => ({
        ...payload,
        extensions: { 'payment-identifier': { info: { required: false, id: 'secret-of-the-buyer-1' } } },
      }),
      ...changes,
    });
    const { payload } = JSON.parse(Buffer.from(header, 'base64').toString()) as { payload: { signature: string } };
    secrets.push(header, payload.signature, payload.signature.slice(2, 66));
    return header;
  }

  async function send(app: TestApp, target: string, headers: Record<string, string>): Promise<number> {
    const reply = await fetch(app.url + target, { headers });
    await reply.text();
    return reply.status;
  }

  const pay = (app: TestApp, header: string, target = path) => send(app, target, { 'PAYMENT-SIGNATURE': header });

  function assertSilent(): void {
    const text = lines.join('');
    assert.ok(lines.length > 10, 'something was logged');
    for (const secret of secrets) {
      const at = text.toLowerCase().indexOf(secret.toLowerCase());
      assert.equal(at, -1, `${secret} stands in ${text.slice(Math.max(0, at - 300), at + 300)}`);
    }
  }

  it('contains no secret of a service with a relayer: after sales, refusals, and a failing chain', async () => {
    await serve({ RELAYER_PRIVATE_KEYS: relayer.privateKey }, async (app) => {
      const header = await sign();
      assert.deepEqual([await pay(app, header), await pay(app, header)], [200, 200]);
      assert.equal(await pay(app, await sign()), 409, 'the same identifier for another payment');
      assert.equal(await pay(app, `${await sign()}=`), 400);
      assert.equal(await pay(app, await sign({ value: 1n })), 402);
      assert.equal(await pay(app, await sign({ signer: createAccount() })), 402);
      const proof = encodePayment({ signature: `secret-of-the-wallet`, address: payer.address });
      const commands = `/api/payments/0x${'ab'.repeat(32)}/response`;
      assert.equal(await send(app, commands, { 'SIGN-IN-WITH-X': proof }), 404);
      secrets.push(proof);
      await chain.stop();
      chain = { ...chain, stop: async () => undefined };
      assert.equal(await pay(app, await sign({ alter: (payload) => payload })), 503);
      await app.selling.reconcile().catch(() => undefined);
    });
    assertSilent();
  });

  it('contains no secret of a service with a facilitator: neither its keys nor its tokens, even when it fails', async () => {
    const settles = {
      FACILITATOR_URL: facilitator.url,
      FACILITATOR_HEADERS: '{"X-Api-Key":"secret-of-the-facilitator"}',
      FACILITATOR_KEY_ID: 'key-1',
      FACILITATOR_KEY_SECRET: Buffer.alloc(64, 7).toString('base64'),
    };
    secrets.push(settles.FACILITATOR_KEY_SECRET);
    await serve(settles, async (app) => {
      assert.equal(await pay(app, await sign()), 200);
      for (const [at, fault] of [
        ['/verify', faults.fails],
        ['/settle', faults.resetsAfterwards],
        // Two in a row would close the shop.
        ['/verify', faults.sendsHtml],
        ['/settle', faults.saysFailed],
        ['/supported', faults.fails],
      ] as const) {
        facilitator.behaviours = { [at]: fault };
        const status = await pay(app, await sign({ alter: (payload) => payload }));
        assert.equal(status, at === '/verify' ? 503 : 200, `${at} ${fault.name}`);
      }
    });
    const tokens = facilitator.calls.map(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? '');
    assert.ok(tokens.length > 5 && tokens.every((token) => token.length > 100));
    secrets.push(...tokens);
    assertSilent();
  });
});
