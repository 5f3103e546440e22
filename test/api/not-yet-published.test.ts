import assert from 'node:assert/strict';
import { createInstantSettler } from '../support/instant-settler.js';
import { fillAsBefore, startTestApp, type TestApp } from '../support/app.js';
import { signPayment } from '../support/pay.js';
import { requirementsFor } from '../../src/payments/terms.js';
import { connectAgent } from '../transport/mcp/agent.js';

const settler = createInstantSettler();
const id = '3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11';
const address = '3458 E 93rd St, Cleveland, OH 44105';

describe('before the first publication', () => {
  let app: TestApp;
  before(async () => (app = await startTestApp({ withData: false, settler })));
  after(() => app.stop());

  const priced = () => app.contract.operations.filter(({ priceUsd }) => priceUsd !== undefined);
  const urlOf = (path: string) =>
    app.url + path.replace('{id}', id) + (path === '/api/lookup' ? `?address=${encodeURIComponent(address)}` : '');

  async function expectUnpublished(url: string, init: RequestInit = {}): Promise<void> {
    const reply = await fetch(url, init);
    const told = `${init.method ?? 'GET'} ${url}`;
    assert.deepEqual([reply.status, reply.headers.get('Retry-After')], [503, '5'], told);
    assert.equal(reply.headers.get('PAYMENT-REQUIRED'), null, told);
    if (init.method === 'HEAD') return;
    const body = (await reply.json()) as Record<string, unknown>;
    const { reason, payment, retryable, billed } = body;
    assert.deepEqual(
      { reason, payment, retryable, billed },
      {
        reason: 'not_yet_published',
        payment: 'none',
        retryable: true,
        billed: false,
      },
    );
    assert.match(String(body['detail']), /^\w+ are published for the first time; first data in about 10 seconds\.$/);
  }

  it('each paid operation and the ids return 503 not_yet_published with Retry-After, for GET and HEAD', async () => {
    const paths = [...priced().map(({ path }) => path), '/api/deals/ids'];
    assert.ok(paths.length > 8);
    for (const path of paths) {
      await expectUnpublished(urlOf(path));
      await expectUnpublished(urlOf(path), { method: 'HEAD' });
    }
  });

  it('a payment is neither claimed nor settled', async () => {
    for (const { path, priceUsd } of priced()) {
      const amount = BigInt(Math.round(Number(priceUsd) * 1_000_000));
      const accepts = [requirementsFor(app.selling.terms, amount)];
      const payment = await signPayment({ resource: { url: urlOf(path) }, accepts });
      await expectUnpublished(urlOf(path), { headers: { 'PAYMENT-SIGNATURE': payment } });
    }
    assert.deepEqual([settler.settled.length, (await app.database.knex('payments')).length], [0, 0]);
  });

  it('each tool of a paid operation returns the same, with the seconds to wait', async () => {
    const agent = await connectAgent(app.url);
    try {
      for (const { tool, path } of priced()) {
        const given = path.includes('{id}') ? { id } : path === '/api/lookup' ? { address } : {};
        const { isError, structuredContent, _meta } = await agent.client.callTool({
          name: tool?.name ?? '',
          arguments: given,
        });
        const { reason } = (structuredContent ?? {}) as { reason?: string };
        assert.deepEqual([isError, reason, _meta], [true, 'not_yet_published', { 'retry-after': 5 }], path);
      }
    } finally {
      await agent.close();
    }
  });

  it('metadata and coverage are available, and the probe names no feed as ready', async () => {
    for (const path of ['/api/meta', '/api/coverage']) assert.equal((await fetch(app.url + path)).status, 200);
    assert.equal((await fetch(`${app.url}/readyz`)).status, 503);
  });

  it('a faulty request without a price gets its faults', async () => {
    assert.equal((await fetch(`${app.url}/api/deals/ids?nonsense=1`)).status, 400);
  });

  it('the first publication ends this state', async () => {
    await fillAsBefore(app);
    for (const { path } of priced()) assert.equal((await fetch(urlOf(path))).status, 402, path);
    assert.equal((await fetch(`${app.url}/api/deals/ids`)).status, 200);
  });
});
