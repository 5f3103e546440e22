import assert from 'node:assert/strict';
import { request } from 'node:http';
import { openOperatorPort } from '../../../src/operator/port/operator-port.js';
import { readMetrics, startWatchedApp } from '../watched-app.js';
import { startTestApp } from '../../support/app.js';

/** fetch would set Host itself. */
function statusOf(url: string, headers: Record<string, string>, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers, method }, (reply) => resolve(reply.resume().statusCode))
      .once('error', reject)
      .end();
  });
}

const at = (token?: string) =>
  openOperatorPort({ host: '127.0.0.1', port: 0, token }, async (path) =>
    path === '/metrics' ? { mediaType: 'text/plain', body: 'figures' } : undefined,
  );

describe("the operator's port", () => {
  it('answers only a name of this machine where it asks for no token, so that no other site reads it', async () => {
    const { url, close } = await at();
    try {
      for (const host of ['localhost:4022', '127.0.0.1', '[::1]:4022'])
        assert.equal(await statusOf(`${url}/metrics`, { host }), 200, host);
      for (const host of ['deals.example.com', 'localhost.example.com', '127.0.0.1.example.com'])
        assert.equal(await statusOf(`${url}/metrics`, { host }), 403, host);
    } finally {
      await close();
    }
  });

  it('asks for its token as a bearer or as a password, and after ten wrong ones hears no more for a while', async () => {
    const token = 'a-token-of-thirty-two-characters';
    const { url, close } = await at(token);
    const ask = (authorization?: string) =>
      statusOf(`${url}/metrics`, authorization === undefined ? {} : { authorization });
    const basic = (password: string) => `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;
    try {
      assert.equal(await ask(`Bearer ${token}`), 200);
      assert.equal(await ask(basic(token)), 200);
      for (const wrong of [undefined, 'Bearer ', `Bearer ${token}x`, basic('no'), 'Basic', token])
        assert.equal(await ask(wrong), 401, wrong);
      for (let left = 4; left > 0; left--) await ask('Bearer no');
      assert.equal(await ask('Bearer no'), 429);
    } finally {
      await close();
    }
  });

  it('changes nothing: it takes GET and HEAD, with headers that keep and embed nothing', async () => {
    const { url, close } = await at();
    try {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
        assert.equal(await statusOf(`${url}/metrics`, {}, method), 405, method);
      assert.equal(await statusOf(`${url}/nowhere`, {}), 404);
      const { headers } = await fetch(`${url}/metrics`);
      assert.equal(headers.get('Cache-Control'), 'no-store');
      assert.equal(headers.get('Access-Control-Allow-Origin'), null);
      assert.match(headers.get('Content-Security-Policy') ?? '', /frame-ancestors 'none'/);
    } finally {
      await close();
    }
  });

  it('has the checks of the doctor, and the readiness that buyers are told', async () => {
    const { app, operator, stop } = await startWatchedApp();
    try {
      const [own, public_] = await Promise.all([fetch(`${operator.url}/readyz`), fetch(`${app.url}/readyz`)]);
      assert.deepEqual([own.status, await own.json()], [public_.status, await public_.json()]);
      assert.deepEqual(await (await fetch(`${operator.url}/healthz`)).json(), { status: 'alive' });
      const { verdict, checks } = (await (await fetch(`${operator.url}/checks.json`)).json()) as {
        verdict: string;
        checks: { id: string }[];
      };
      assert.ok(['ok', 'warn', 'fail'].includes(verdict));
      assert.ok(checks.some(({ id }) => id === 'machine.runtime'));
    } finally {
      await stop();
    }
  });

  it('tells at once what keeps the service from selling, as readiness, as a finding and as a figure', async () => {
    const { app, operator, stop } = await startWatchedApp();
    const [check, why] = ['facilitator.reach', 'It is away.'] as const;
    try {
      app.selling.problems.tell(check, why);
      const [own, public_] = await Promise.all([fetch(`${operator.url}/readyz`), fetch(`${app.url}/readyz`)]);
      assert.deepEqual([own.status, public_.status], [503, 503]);
      const [{ detail }, told] = [
        (await own.json()) as { detail: string },
        (await public_.json()) as { detail: string },
      ];
      assert.match(detail, /^Not ready: facilitator\.reach: It is away\./);
      assert.equal(detail, told.detail);
      const { checks } = (await (await fetch(`${operator.url}/checks.json`)).json()) as { checks: { id: string }[] };
      const found = checks.filter(({ id }) => id === check) as { state?: string; sentence?: string }[];
      assert.deepEqual(
        found.map(({ state, sentence }) => [state, sentence]),
        [['finding', why]],
      );
      const metrics = await readMetrics(operator.url);
      assert.equal(metrics.get('deals_ready'), 0);
      assert.equal(metrics.get(`deals_check{check="${check}"}`), 2);
      assert.equal(metrics.get('deals_check{check="chain.reach"}'), 0);
    } finally {
      await stop();
    }
  });

  it('is not told of by the public port', async () => {
    const app = await startTestApp({ withData: false });
    try {
      for (const path of ['/metrics', '/checks.json']) assert.equal((await fetch(app.url + path)).status, 404);
    } finally {
      await app.stop();
    }
  });
});
