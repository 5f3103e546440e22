import assert from 'node:assert/strict';
import { request } from 'node:http';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createHeldSettler } from '../../support/instant-settler.js';
import { assertToolPaid, connectAgent } from './agent.js';

const accept = 'application/json, text/event-stream';
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

interface PostOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a message with headers that fetch would not allow. */
function post(app: TestApp, body: string, { method = 'POST', headers = {} }: PostOptions = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const sent = request(
      `${app.url}/mcp`,
      { method, headers: { 'Content-Type': 'application/json', Accept: accept, ...headers } },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('the MCP endpoint', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false });
  });
  after(() => app.stop());

  it('answers a single message, uncacheable', async () => {
    const { status, headers, text } = await post(app, list);
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.ok(headers['request-id']);
    assert.ok(text.includes('deals'));
  });

  it('accepts only posted messages', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
      const { status, headers } = await post(app, '', { method });
      assert.deepEqual([status, headers['allow']], [405, 'POST, OPTIONS'], method);
    }
    const preflight = await post(app, '', { method: 'OPTIONS' });
    assert.equal(preflight.status, 204);
    assert.match(String(preflight.headers['access-control-allow-headers']), /Mcp-Protocol-Version/);
  });

  it('refuses invalid messages and keeps running', async () => {
    for (const body of ['', '{', 'null', '7', '{}', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1,"method":7}']) {
      const { status } = await post(app, body);
      assert.equal(status, 400, body);
    }
    for (const params of ['null', '7', '{"name":{"toString":1}}', '{"name":"meta","_meta":null}', '{"name":7}']) {
      const { status } = await post(app, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
      assert.ok(status < 500, params);
    }
    assert.equal((await post(app, list, { headers: { 'Content-Type': 'text/plain' } })).status, 415);
    assert.equal((await post(app, list)).status, 200);
  });

  it('refuses batches, since every call is counted', async () => {
    assert.equal((await post(app, `[${list}]`)).status, 400);
  });

  it('refuses a message above the size limit, with or without a stated length', async () => {
    const long = list.replace('{', `{${' '.repeat(70_000)}`);
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      const { status, text } = await post(app, long, { headers });
      assert.equal(status, 413);
      assert.match(text, /payload_too_large/);
    }
  });

  it('answers a caller that expects 100-continue', async () => {
    assert.equal((await post(app, list, { headers: { Expect: '100-continue' } })).status, 200);
  });

  it('refuses pages that use DNS rebinding and, on a local service, pages of other origins', async () => {
    assert.equal((await post(app, list, { headers: { Host: 'evil.example' } })).status, 403);
    assert.equal((await post(app, list, { headers: { Origin: 'https://evil.example' } })).status, 403);
    assert.equal((await post(app, list, { headers: { Origin: 'http://localhost:6274' } })).status, 200);
  });

  it('opens no stream, since nothing changes at run time', async () => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { _meta: envelope, notifications: { toolsListChanged: true } };
    const { text } = await post(
      app,
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
      {
        headers: { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' },
      },
    );
    assert.match(text, /error/);
  });
});

describe('the MCP endpoint of a public service', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({
      withData: false,
      environment: { PUBLIC_BASE_URL: 'https://deals.example.com', UNPAID_CALLS_PER_MINUTE: '10' },
    });
  });
  after(() => app.stop());

  it('answers under its own name, to pages of any origin, and under no other name', async () => {
    const named = { Host: 'deals.example.com', Origin: 'https://agents.example.org' };
    assert.equal((await post(app, list, { headers: named })).status, 200);
    assert.equal((await post(app, list, { headers: { Host: 'evil.example' } })).status, 403);
  });

  it('limits calls by address, and states when to retry', async () => {
    for (let call = 0; call < 20; call++) {
      const { status, headers } = await post(app, list);
      if (status === 200) continue;
      assert.equal(status, 429);
      assert.ok(Number(headers['retry-after']) > 0);
      return;
    }
    assert.fail('20 calls were let through');
  });
});

describe('a graceful stop with an agent at work', () => {
  it('lets a call finish its settlement', async () => {
    const { settler, begun, release } = createHeldSettler();
    const app = await startTestApp({ settler });
    const agent = await connectAgent(app.url);
    const payment = await agent.sign('hot_deals');
    const sale = agent.call('hot_deals', {}, payment);
    await begun;
    const stopped = app.stop();
    await release();
    assertToolPaid(await sale);
    await stopped;
    await agent.close();
  });
});
