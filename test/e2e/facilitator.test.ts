import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { assertPaid, assertRefused, readAnswer } from '../payments/answer.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { startTestChain, type TestChain } from '../support/chain.js';
import { dropListings } from '../support/drop-listings.js';
import { askPrice, signPayment } from '../support/pay.js';
import { faults, sendJson, startMockFacilitator, type MockFacilitator } from '../support/mock-facilitator.js';

const path = '/api/deals/hot';
const publicBaseUrl = 'https://deals.example';

describe('a service with a facilitator', () => {
  let chain: TestChain;
  let facilitator: MockFacilitator;
  const payTo = privateKeyToAccount(generatePrivateKey()).address;
  const privateKey = generatePrivateKey();
  const payer = { address: privateKeyToAccount(privateKey).address, privateKey };

  before(async () => {
    chain = await startTestChain(84532);
    await chain.fund(payer.address);
    facilitator = await startMockFacilitator(chain);
  });
  afterEach(() => {
    facilitator.behaviours = {};
  });
  after(async () => {
    await facilitator?.stop();
    await chain?.stop();
  });

  /** Starts the service as its operator would configure it, and runs a test with it. */
  async function serve(use: (app: TestApp) => Promise<void>): Promise<void> {
    const app = await startTestApp({
      withData: false,
      environment: {
        NETWORK: 'eip155:84532',
        PAY_TO: payTo,
        RPC_URL: chain.rpcUrl,
        FACILITATOR_URL: facilitator.url,
        FACILITATOR_KEY_ID: 'key-1',
        FACILITATOR_KEY_SECRET: Buffer.alloc(64, 7).toString('base64'),
        PUBLIC_BASE_URL: publicBaseUrl,
        DATABASE_URL: 'postgres://unused', // required to sell; the test's own database replaces it
        SERVER_SECRET: randomBytes(32).toString('hex'),
      },
    });
    // An unpublished feed asks nobody for money.
    await app.pipeline.publish('all');
    await use(app).finally(() => app.stop());
  }

  it('sells without a key of its own, and sends the facilitator the operation, never the query', async () => {
    await serve(async (app) => {
      dropListings(app.config.dropDirectory);
      await app.pipeline.ingest();
      await app.pipeline.publish('day');
      const url = `${app.url}/api/deals?min_price=12345`;
      const header = await signPayment(await askPrice(url), { signer: payer });
      assertPaid(await readAnswer(await fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } })));
      assert.equal(await chain.balanceOf(payTo), 50_000n);
    });
    for (const call of facilitator.calls.filter((each) => each.path !== '/supported')) {
      const { paymentPayload } = JSON.parse(call.text) as { paymentPayload: { resource: { url: string } } };
      assert.equal(paymentPayload.resource.url, `${publicBaseUrl}/api/deals`);
      assert.doesNotMatch(call.text, /12345/);
      assert.match(call.headers.authorization ?? '', /^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
    }
  });

  it('asks nobody for money while the facilitator does not support its kind of payment', async () => {
    const kinds = [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }];
    facilitator.behaviours = { '/supported': (response) => sendJson(response, 200, { kinds }) };
    await serve(async (app) => {
      const answer = await readAnswer(await fetch(app.url + path));
      assertRefused(answer, 503, 'facilitator_unavailable');
      assert.match(answer.problem?.detail ?? '', /does not take payments on eip155:84532 now/);
    });
  });

  it('starts while the facilitator is down, asks nobody for money meanwhile, and sells once it is back', async () => {
    facilitator.behaviours = { '/supported': faults.fails };
    await serve(async (app) => {
      assertRefused(await readAnswer(await fetch(app.url + path)), 503, 'facilitator_unavailable');
      assert.equal((await fetch(`${app.url}/readyz`)).status, 503);
      facilitator.behaviours = {};
      let status: number;
      do ({ status } = await fetch(app.url + path));
      while (status === 503);
      assert.equal(status, 402);
    });
  });

  it('asks nobody for money after two failed payments in a row', async () => {
    await serve(async (app) => {
      const header = await signPayment(await askPrice(app.url + path), { signer: payer });
      facilitator.behaviours = { '/verify': faults.fails, '/supported': faults.fails };
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const answer = await readAnswer(await fetch(app.url + path, { headers: { 'PAYMENT-SIGNATURE': header } }));
        assertRefused(answer, 503, 'facilitator_unavailable');
      }
      assertRefused(await readAnswer(await fetch(app.url + path)), 503, 'facilitator_unavailable');
    });
  });
});
