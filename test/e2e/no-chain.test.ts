import assert from 'node:assert/strict';
import { startTestApp, type TestApp } from '../support/app.js';

describe('a machine that cannot run the local chain', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ environment: { ANVIL_BIN: '/nowhere/anvil' } });
  });
  after(() => app.stop());

  it('serves free operations', async () => {
    const reply = await fetch(`${app.url}/api/meta`);
    assert.equal(reply.status, 200);
  });

  it('answers 503 with the remedy, and never asks for a payment that could not settle', async () => {
    for (const path of ['/api/deals', '/api/deals/hot', '/api/deals/basic']) {
      const reply = await fetch(app.url + path);
      const problem = (await reply.json()) as Record<string, unknown>;
      assert.equal(reply.status, 503, path);
      assert.equal(problem['reason'], 'chain_unavailable');
      assert.match(String(problem['detail']), /ANVIL_BIN/);
      assert.equal(reply.headers.get('PAYMENT-REQUIRED'), null);
      assert.equal(problem['accepts'], undefined);
    }
  });

  it('reports it to probes', async () => {
    const reply = await fetch(`${app.url}/readyz`);
    assert.equal(reply.status, 503);
    assert.match(await reply.text(), /ANVIL_BIN/);
  });
});
