import assert from 'node:assert/strict';
import { loadContract } from '../../../src/contract/load-contract.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createInstantSettler, type InstantSettler } from '../../support/instant-settler.js';
import { livePath } from '../../support/live-path.js';
import { askPrice, buy, signPayment } from '../../support/pay.js';
import { ask, assertProblem, type RawReply } from '../../support/raw-http.js';

const { operations } = loadContract();
const paid = operations.filter(({ priceUsd }) => priceUsd !== undefined);
const free = operations.filter(({ path, priceUsd }) => priceUsd === undefined && !path.includes('{'));

describe('the headers of a reply', () => {
  let app: TestApp;
  let settler: InstantSettler;
  let paidPaths: readonly string[];
  let freePaths: readonly string[];
  before(async () => {
    settler = createInstantSettler();
    app = await startTestApp({ settler });
    paidPaths = paid.map(({ path }) => livePath(app, path));
    freePaths = free.map(({ path }) => livePath(app, path));
  });
  after(() => app.stop());

  /** One reply of every kind: free, unpaid, paid, refused, unknown. */
  async function everyKind(headers: Record<string, string> = {}): Promise<readonly RawReply[]> {
    const payment = { 'PAYMENT-SIGNATURE': await signPayment(await askPrice(`${app.url}/api/deals`)) };
    const etag = (await ask(app.url, '/api/meta')).headers.etag ?? '';
    const targets: [string, Record<string, string>?, string?][] = [
      ...[...paidPaths, ...freePaths].map((path): [string] => [path]),
      ['/api/deals?limit=2', payment],
      ['/api/deals?state=WY', payment],
      ['/api/deals?foo=1', payment],
      ['/api/deals', { 'PAYMENT-SIGNATURE': '!' }],
      ['/api/meta', { 'If-None-Match': etag }],
      ['/api/meta', { Accept: 'image/png' }],
      ['/api/nothing'],
      ['/api/pages/abcdefghijklmnopqrst'],
      ['/api/meta', {}, 'DELETE'],
      ['/api/meta', {}, 'HEAD'],
      ['/api/deals', {}, 'HEAD'],
      ['/api/deals', {}, 'OPTIONS'],
    ];
    return Promise.all(
      targets.map(([target, own = {}, method = 'GET']) =>
        ask(app.url, target, { method, headers: { ...headers, ...own } }),
      ),
    );
  }

  it('identify each request by an id of this server, never by one from the client', async () => {
    const chosen = {
      'Request-Id': 'mine-1',
      'X-Request-Id': 'mine-2',
      'X-Correlation-Id': 'mine-3',
      Traceparent: 'mine-4',
    };
    const replies = await everyKind(chosen);
    const ids = replies.map(({ headers }) => headers['request-id']);
    for (const id of ids) assert.match(String(id), /^[0-9a-z]{12,}$/);
    assert.equal(new Set(ids).size, ids.length);
    for (const { body, headers } of replies) assert.doesNotMatch(JSON.stringify(headers) + body.toString(), /mine-/);
  });

  it('let every browser read the headers that a buyer needs, on every reply', async () => {
    const needed = [
      ...['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'Retry-After', 'Link', 'ETag', 'Request-Id', 'X-Total-Count'],
      ...['Feed-Version', 'Repr-Digest', 'RateLimit'],
    ];
    for (const { headers, status } of await everyKind({ Origin: 'https://agent.example' })) {
      assert.equal(headers['access-control-allow-origin'], '*', String(status));
      const exposed = String(headers['access-control-expose-headers']).split(', ');
      assert.deepEqual(
        needed.filter((name) => !exposed.includes(name)),
        [],
        String(status),
      );
      assert.equal(headers['access-control-allow-credentials'], undefined);
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
  });

  it('answer OPTIONS with 204 everywhere, never with 402, and allow what official clients send', async () => {
    for (const target of [...paidPaths, ...freePaths, '/api/nothing', '*']) {
      const reply = await ask(app.url, target, { method: 'OPTIONS', headers: { Origin: 'https://agent.example' } });
      assert.deepEqual([reply.status, reply.body.length], [204, 0], target);
      const allowed = String(reply.headers['access-control-allow-headers']);
      const sent = [
        'PAYMENT-SIGNATURE',
        'SIGN-IN-WITH-X',
        'If-None-Match',
        'Content-Type',
        'Access-Control-Expose-Headers',
      ];
      for (const name of sent) assert.ok(allowed.includes(name), `${target} ${name}`);
      assert.equal(reply.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
    }
  });

  it('state who may cache a reply: free ones anyone for a minute, paid ones only the buyer, errors nobody', async () => {
    for (const path of freePaths) {
      const health = path === '/healthz' || path === '/readyz';
      const { headers, status } = await ask(app.url, path);
      assert.equal(status, 200, path);
      assert.equal(headers['cache-control'], health ? 'no-store' : 'public, max-age=60', path);
      assert.equal(headers.etag === undefined, health, path);
    }
    for (const path of paidPaths) {
      assert.equal((await ask(app.url, path)).headers['cache-control'], 'no-store', path);
      const paid = await buy(app.url + path);
      assert.equal(paid.status, 200, path);
      assert.equal(paid.headers.get('cache-control'), 'private, no-store', path);
      assert.ok(paid.headers.get('etag'), path);
    }
  });

  it('never contain the Host or a forwarded host from the client', async () => {
    const evil = {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'gopher',
      Forwarded: 'host=evil.example',
    };
    for (const { headers, body } of await everyKind(evil)) {
      const required = headers['payment-required'];
      const challenge = typeof required === 'string' ? Buffer.from(required, 'base64').toString() : '';
      assert.doesNotMatch(JSON.stringify(headers) + challenge + body.toString(), /evil\.example|gopher/);
    }
  });

  it('reveal no software', async () => {
    for (const { headers } of await everyKind()) {
      assert.equal(headers['x-powered-by'], undefined);
      assert.equal(headers['server'], undefined);
    }
  });

  it('keep 402 small: PAYMENT-REQUIRED within 4,096 bytes, all headers within 5,120', async () => {
    for (const path of paidPaths) {
      const reply = await ask(app.url, `${path}?${'x'.repeat(70)}=1`);
      const sizes = Object.entries(reply.headers).map(([name, value]) => name.length + String(value).length + 4);
      assert.ok(String(reply.headers['payment-required']).length <= 4096, path);
      assert.ok(sizes.reduce((a, b) => a + b) <= 5120, path);
    }
  });

  it('carry the same challenge in the header and in the body of a 402', async () => {
    for (const path of paidPaths) {
      const reply = await ask(app.url, path);
      const body = assertProblem(reply, 402, 'payment_required');
      const header = JSON.parse(Buffer.from(String(reply.headers['payment-required']), 'base64').toString()) as object;
      for (const [name, value] of Object.entries(header)) assert.deepEqual(body[name], value, `${path} ${name}`);
    }
  });

  it('name the allowed methods in a 405', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
      for (const path of ['/api/deals', '/api/meta', '/api/pages/abcdefghijklmnopqrst']) {
        const reply = await ask(app.url, path, { method, headers: { 'Content-Length': '0' } });
        assertProblem(reply, 405, 'method_not_allowed');
        assert.equal(reply.headers.allow, 'GET, HEAD, OPTIONS');
      }
      assertProblem(
        await ask(app.url, '/api/nothing', { method, headers: { 'Content-Length': '0' } }),
        404,
        'not_found',
      );
    }
  });

  it('answer HEAD of a paid path with 402, run nothing and use no payment', async () => {
    for (const path of paidPaths) {
      const payment = await signPayment(await askPrice(app.url + path));
      const before = settler.settled.length;
      for (const headers of [{}, { 'PAYMENT-SIGNATURE': payment }]) {
        const reply = await ask(app.url, path, { method: 'HEAD', headers });
        assert.deepEqual([reply.status, reply.body.length], [402, 0]);
        assert.ok(reply.headers['payment-required']);
      }
      assert.equal(settler.settled.length, before);
      assert.equal(
        (await ask(app.url, path, { headers: { 'PAYMENT-SIGNATURE': payment } })).status,
        200,
        'still unused',
      );
    }
  });

  it('answer HEAD of a free path like GET, without the body', async () => {
    for (const path of freePaths) {
      for (const encoding of ['identity', 'br', 'gzip']) {
        const headers = { 'Accept-Encoding': encoding };
        const [get, head] = [
          await ask(app.url, path, { headers }),
          await ask(app.url, path, { method: 'HEAD', headers }),
        ];
        assert.equal(head.body.length, 0);
        const { date: _1, 'request-id': _2, ...expected } = get.headers;
        const { date: _3, 'request-id': _4, ...given } = head.headers;
        assert.deepEqual([head.status, given], [get.status, expected], path);
        assert.equal(Number(head.headers['content-length']), get.body.length);
      }
    }
  });

  it('refuse an unacceptable Accept with 406, before any payment', async () => {
    const payment = await signPayment(await askPrice(`${app.url}/api/deals`));
    const before = settler.settled.length;
    for (const accept of ['text/csv', 'image/*', 'application/xml, text/html', 'application/json;q=0', 'nonsense']) {
      const reply = await ask(app.url, '/api/deals', { headers: { Accept: accept, 'PAYMENT-SIGNATURE': payment } });
      assertProblem(reply, 406, 'not_acceptable');
    }
    assert.equal(settler.settled.length, before);
    for (const accept of [
      'application/json',
      '*/*',
      'application/*;q=0.1',
      'text/html, application/json;q=0.9',
      'APPLICATION/JSON',
    ]) {
      assertProblem(await ask(app.url, '/api/deals', { headers: { Accept: accept } }), 402);
    }
    for (const [path, accept] of [
      ['/docs', 'text/html'],
      ['/llms.txt', 'text/*'],
      ['/openapi.yaml', 'application/yaml'],
    ] as const) {
      assert.equal((await ask(app.url, path, { headers: { Accept: accept } })).status, 200, path);
    }
    assertProblem(await ask(app.url, '/docs', { headers: { Accept: 'application/json' } }), 406);
  });
});
