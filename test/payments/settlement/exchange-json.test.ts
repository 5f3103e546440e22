import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { exchangeJson, type JsonExchange } from '../../../src/payments/settlement/facilitator/exchange-json.js';

describe('an exchange of JSON', () => {
  /** What comes of one request to a server that answers so. */
  async function exchangeWith(listener: RequestListener, timeoutMs = 5_000): Promise<JsonExchange> {
    const server = createServer(listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-of-the-path`;
    const request = { method: 'POST', url, headers: { 'x-api-key': 'secret-of-mine' }, body: '{}' } as const;
    const exchange = await exchangeJson(request, timeoutMs);
    server.closeAllConnections();
    server.close();
    assert.doesNotMatch(JSON.stringify(exchange), /secret-of/);
    return exchange;
  }

  it('reads the body whatever the status', async () => {
    for (const status of [200, 400, 500]) {
      const body = { success: false };
      const exchange = await exchangeWith((_, reply) => reply.writeHead(status).end(JSON.stringify(body)));
      assert.deepEqual(exchange, { kind: 'answered', status, body });
    }
  });

  it('has no body where there is no JSON, nor where there is too much of it', async () => {
    for (const text of ['', '<html>', '{"a":', JSON.stringify('x'.repeat(300_000))]) {
      const exchange = await exchangeWith((_, reply) => reply.end(text));
      assert.deepEqual(exchange, { kind: 'answered', status: 200, body: undefined });
    }
  });

  it('goes nowhere else when it is redirected', async () => {
    let requests = 0;
    const exchange = await exchangeWith((_, reply) => {
      requests += 1;
      reply.writeHead(307, { location: '/elsewhere' }).end();
    });
    assert.deepEqual(exchange, { kind: 'answered', status: 307, body: undefined });
    assert.equal(requests, 1);
  });

  it('is lost when the other side may have had it', async () => {
    const endings: readonly RequestListener[] = [
      (request) => request.socket.destroy(),
      (_, reply) => {
        reply.writeHead(200, { 'content-length': 100 }).write('{');
        setImmediate(() => reply.destroy());
      },
    ];
    for (const ending of endings) assert.equal((await exchangeWith(ending)).kind, 'lost');
    assert.equal((await exchangeWith(() => undefined, 100)).kind, 'lost', 'slow');
    assert.equal((await exchangeWith((_, reply) => void reply.writeHead(200).write('{'), 100)).kind, 'lost', 'slower');
  });

  it('was surely not sent when nobody listens, or nobody has the name', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    for (const url of [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`, 'http://nobody.invalid/']) {
      const exchange = await exchangeJson({ method: 'GET', url, headers: {} }, 5_000);
      assert.equal(exchange.kind, 'not_sent', url);
    }
  });
});
