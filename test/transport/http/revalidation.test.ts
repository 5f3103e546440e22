import assert from 'node:assert/strict';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createInstantSettler, type InstantSettler } from '../../support/instant-settler.js';
import { askPrice, signPayment } from '../../support/pay.js';
import { ask, type RawReply } from '../../support/raw-http.js';

const dayMs = 86_400_000;

describe('revalidation', () => {
  let app: TestApp;
  let settler: InstantSettler;
  let day = 0;
  before(async () => {
    settler = createInstantSettler();
    app = await startTestApp({ settler, now: () => new Date(Date.now() + day * dayMs) });
  });
  after(() => app.stop());

  async function pay(target: string, headers: Record<string, string> = {}): Promise<RawReply> {
    const validBefore = BigInt(Math.floor(app.now().getTime() / 1000) + 240);
    const payment = await signPayment(await askPrice(`${app.url}/api/deals`), { validBefore });
    return ask(app.url, target, { headers: { ...headers, 'PAYMENT-SIGNATURE': payment } });
  }

  async function countRows(): Promise<number> {
    const { rows } = await app.database.knex.raw<{ rows: { n: string }[] }>('SELECT count(*) AS n FROM payments');
    return Number(rows[0]?.n);
  }

  for (const encoding of ['identity', 'gzip', 'br']) {
    it(`is free for a reply that was bought in ${encoding}: unpaid and paid, in a list, weak, by HEAD`, async () => {
      const accept = { 'Accept-Encoding': encoding };
      const bought = await pay('/api/deals?state=OH', accept);
      const etag = String(bought.headers.etag);
      assert.equal(bought.status, 200);
      const [rows, settled] = [await countRows(), settler.settled.length];
      for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, `${etag},"other"`, `"a","b" , W/${etag}`]) {
        const headers = { ...accept, 'If-None-Match': ifNoneMatch };
        const replies = [
          await ask(app.url, '/api/deals?state=OH', { headers }),
          await ask(app.url, '/api/deals?state=%4f%48', { headers }),
          await ask(app.url, '/api/deals?state=OH', { headers, method: 'HEAD' }),
          await pay('/api/deals?state=OH', headers),
        ];
        for (const reply of replies) {
          assert.deepEqual([reply.status, reply.body.length], [304, 0], ifNoneMatch);
          assert.equal(reply.headers.etag, etag);
          assert.equal(reply.headers['cache-control'], 'private, no-store');
          assert.equal(reply.headers['payment-response'], undefined);
        }
      }
      assert.deepEqual([await countRows(), settler.settled.length], [rows, settled]);
    });
  }

  it('leaves the payment of its request unused', async () => {
    const etag = String((await pay('/api/deals?state=OH&limit=1')).headers.etag);
    const payment = await signPayment(await askPrice(`${app.url}/api/deals`));
    const headers = { 'PAYMENT-SIGNATURE': payment };
    const target = '/api/deals?state=OH&limit=1';
    assert.equal((await ask(app.url, target, { headers: { ...headers, 'If-None-Match': etag } })).status, 304);
    assert.equal((await ask(app.url, target, { headers })).status, 200);
  });

  it('requires payment when the tag is that of another query or operation, invented, or a star', async () => {
    const etag = String((await pay('/api/deals?state=OH&limit=2')).headers.etag);
    for (const target of ['/api/deals?state=OH', '/api/deals?state=TX&limit=2', '/api/deals/basic?state=OH&limit=2']) {
      assert.equal((await ask(app.url, target, { headers: { 'If-None-Match': etag } })).status, 402, target);
    }
    for (const ifNoneMatch of ['*', '""', '"AAAAAAAAAAAAAAAAAAAAAA"', etag.slice(1, -1), `"${etag.slice(2)}`]) {
      const reply = await ask(app.url, '/api/deals?state=OH&limit=2', { headers: { 'If-None-Match': ifNoneMatch } });
      assert.equal(reply.status, 402, ifNoneMatch);
    }
  });

  it('reveals nothing through a query with faults, even with a tag', async () => {
    const etag = String((await pay('/api/deals?limit=3')).headers.etag);
    const reply = await ask(app.url, '/api/deals?limit=3&foo=1', { headers: { 'If-None-Match': etag } });
    assert.equal(reply.status, 402);
  });

  it('is free for every free document, in every encoding', async () => {
    const paths = [
      '/api/meta',
      '/api/deals/ids',
      '/openapi.json',
      '/openapi.yaml',
      '/llms.txt',
      '/.well-known/x402',
      '/docs',
    ];
    for (const path of paths) {
      for (const encoding of ['identity', 'gzip', 'br']) {
        const accept = { 'Accept-Encoding': encoding };
        const etag = String((await ask(app.url, path, { headers: accept })).headers.etag);
        for (const method of ['GET', 'HEAD']) {
          const reply = await ask(app.url, path, { method, headers: { ...accept, 'If-None-Match': etag } });
          assert.deepEqual(
            [reply.status, reply.body.length, reply.headers.etag],
            [304, 0, etag],
            `${path} ${encoding}`,
          );
          assert.equal(reply.headers['cache-control'], 'public, max-age=60');
          assert.equal(reply.headers.vary, 'Accept-Encoding');
        }
      }
    }
  });

  it('names the same bytes by the same tag, whatever was asked between', async () => {
    for (const [path, other] of [
      ['/api/meta', '?view=short'],
      ['/api/coverage', '?state=OH'],
    ] as const) {
      const first = await ask(app.url, path);
      await ask(app.url, path + other);
      const second = await ask(app.url, path);
      if (second.headers.etag === first.headers.etag) assert.equal(String(second.body), String(first.body));
    }
  });

  it('gives each encoding its own tag', async () => {
    const tags = await Promise.all(
      ['identity', 'gzip', 'br'].map(
        async (encoding) =>
          (await ask(app.url, '/api/meta', { headers: { 'Accept-Encoding': encoding } })).headers.etag,
      ),
    );
    assert.equal(new Set(tags).size, 3);
  });

  it('ends when a new feed version is published: the old tag buys and shows nothing any more', async () => {
    const bought = await pay('/api/deals?limit=4');
    const meta = await ask(app.url, '/api/meta');
    day += 1;
    await app.pipeline.publish('day');
    const headers = { 'If-None-Match': String(bought.headers.etag) };
    assert.equal((await ask(app.url, '/api/deals?limit=4', { headers })).status, 402);
    const renewed = await ask(app.url, '/api/meta', { headers: { 'If-None-Match': String(meta.headers.etag) } });
    assert.equal(renewed.status, 200);
    assert.notEqual(renewed.headers.etag, meta.headers.etag);
  });
});
