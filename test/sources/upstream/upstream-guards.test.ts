import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSendRequest } from '../../../src/sources/upstream/send-request.js';
import { createCookieJar } from '../../../src/sources/upstream/cookie-jar.js';
import {
  createTestClock,
  createTestUpstream,
  rejects,
  request,
  type MockServer,
  startMockServer,
} from './mock-server.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

describe('createUpstream, against attacks', () => {
  let mockServers: MockServer[];
  let clock: ReturnType<typeof createTestClock>;
  beforeEach(() => {
    mockServers = [];
    clock = createTestClock();
  });
  afterEach(() => Promise.all(mockServers.map((each) => each.close())));

  async function start(answer: Answer): Promise<MockServer> {
    const mockServer = await startMockServer(answer);
    mockServers.push(mockServer);
    return mockServer;
  }
  describe('redirects', () => {
    it('are followed within the host with the credentials, and not to a private host behind it', async () => {
      const other = await start((_, response) => response.end('other'));
      const home = await start((incoming, response) => {
        if (incoming.url === '/done') response.end('home');
        else response.writeHead(302, { location: incoming.url === '/in' ? '/done' : other.url }).end();
      });
      const upstream = createTestUpstream(clock);
      const credentials = { authorization: 'Bearer key' };
      const inside = await upstream.get(request(`${home.url}/in`, { credentials }));
      assert.equal(inside.body.toString(), 'home');
      assert.equal(home.requests[1]?.headers.authorization, 'Bearer key');
      await rejects(upstream.get(request(`${home.url}/out`, { credentials })), 'address_forbidden', /127/);
      assert.equal(other.seen.length, 0);
    });
    it('never carry credentials or cookies to another origin', async () => {
      const other = await start((_, response) => response.end('other'));
      const home = await start((_, response) =>
        response.writeHead(302, { location: other.url, 'set-cookie': 'session=1; Path=/' }).end(),
      );
      // The other origin represents a public one, so this sender may reach it.
      const reach = createSendRequest(async () => []);
      const upstream = createTestUpstream(clock, { send: (each) => reach({ ...each, allowPrivate: true }) });
      const cookies = createCookieJar(home.url);
      const credentials = { authorization: 'Bearer key', 'x-api-key': 'key' };
      const reply = await upstream.get(request(home.url, { credentials, cookies }));
      assert.equal(reply.body.toString(), 'other');
      const { headers } = other.requests[0] ?? assert.fail('the redirect was not followed');
      assert.deepEqual(
        [headers.authorization, headers['x-api-key'], headers.cookie],
        [undefined, undefined, undefined],
      );
      assert.equal(cookies.header(home.url), 'session=1');
    });
    it('that are circular end', async () => {
      const { url, seen } = await start((_, response) => response.writeHead(301, { location: '/again' }).end());
      await rejects(createTestUpstream(clock).get(request(url)), 'delivery_unreadable', /circles/);
      assert.equal(seen.length, 6);
    });
    it('to schemes other than http and https are not followed', async () => {
      const { url } = await start((_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end());
      await rejects(createTestUpstream(clock).get(request(url)), 'upstream_refused');
    });
  });

  describe('addresses', () => {
    it('that are private are refused behind a public name, before anything is sent', async () => {
      const { url, seen } = await start((_, response) => response.end());
      const { port } = new URL(url);
      for (const address of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1']) {
        const resolve = async () => [
          { address: '8.8.8.8', family: 4 },
          { address, family: address.includes(':') ? 6 : 4 },
        ];
        const upstream = createTestUpstream(clock, { send: createSendRequest(resolve) });
        const refused = upstream.get(request(`http://public.example:${port}/`, { allowPrivate: false }));
        await rejects(refused, 'address_forbidden');
      }
      assert.equal(seen.length, 0);
    });
    it('that are private are refused in any notation', async () => {
      for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:7f00:1]', '0', '192.168.0.1']) {
        await rejects(
          createTestUpstream(clock).get(request(`http://${host}/`, { allowPrivate: false })),
          'address_forbidden',
        );
      }
    });
    it('are allowed when the source is configured as local', async () => {
      const { url } = await start((_, response) => response.end('local'));
      assert.equal((await createTestUpstream(clock).get(request(url))).body.toString(), 'local');
    });
    it('reached as local are not reused by others over the kept connection', async () => {
      const { url, seen } = await start((_, response) => response.end('local'));
      const upstream = createTestUpstream(clock);
      await upstream.get(request(url));
      await rejects(upstream.get(request(url, { allowPrivate: false })), 'address_forbidden');
      assert.equal(seen.length, 1);
    });
  });

  describe('robots.txt', () => {
    const site = (robots: string | number) =>
      start((incoming, response) => {
        if (incoming.url !== '/robots.txt') response.end('page');
        else if (typeof robots === 'number') response.writeHead(robots).end();
        else response.end(robots);
      });
    it('is read once a day and obeyed for pages', async () => {
      const { url, seen } = await site('User-agent: *\nDisallow: /private\n');
      const upstream = createTestUpstream(clock);
      await upstream.get(request(`${url}/open`, { obeysRobots: true }));
      await rejects(upstream.get(request(`${url}/private/1`, { obeysRobots: true })), 'robots_disallowed');
      assert.deepEqual(seen, ['GET /robots.txt', 'GET /open']);
      clock.set('2026-11-23T06:30:00.000Z');
      await upstream.get(request(`${url}/open`, { obeysRobots: true }));
      assert.equal(seen.filter((line) => line.endsWith('robots.txt')).length, 2);
    });
    it('is not read for APIs', async () => {
      const { url, seen } = await site('User-agent: *\nDisallow: /\n');
      await createTestUpstream(clock).get(request(`${url}/api`));
      assert.deepEqual(seen, ['GET /api']);
    });
    it('allows everything when missing or forbidden', async () => {
      for (const status of [400, 401, 403, 404, 405, 410, 451]) {
        const { url } = await site(status);
        await createTestUpstream(clock).get(request(`${url}/open`, { obeysRobots: true }));
      }
    });
    for (const [status, code] of [
      [500, 'upstream_unavailable'],
      [429, 'upstream_unavailable'],
      [304, 'delivery_unreadable'],
    ] as const) {
      it(`allows nothing when temporarily unavailable: ${status}`, async () => {
        const { url, seen } = await site(status);
        await rejects(createTestUpstream(clock).get(request(`${url}/open`, { obeysRobots: true })), code);
        assert.ok(!seen.includes('GET /open'));
      });
    }
    it('sets the pause between any two requests', async () => {
      const at: number[] = [];
      const { url } = await start((_, response) => {
        at.push(clock.now().getTime());
        response.end('User-agent: deals-feed-test\nCrawl-delay: 10\n');
      });
      const upstream = createTestUpstream(clock);
      for (let index = 0; index < 5; index += 1) await upstream.get(request(`${url}/${index}`, { obeysRobots: true }));
      const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0));
      assert.deepEqual(pauses, [10_000, 10_000, 10_000, 10_000, 10_000]);
    });
  });

  describe('cookies', () => {
    it('of a session return to their own origin, and a deleted one is gone', async () => {
      const { url, requests } = await start((incoming, response) => {
        const set = incoming.url === '/out' ? 'a=; Max-Age=0' : ['a=1; HttpOnly; Path=/', 'b=x=y'];
        response.writeHead(200, { 'set-cookie': set }).end();
      });
      const upstream = createTestUpstream(clock);
      const cookies = createCookieJar(url);
      await upstream.get(request(url, { cookies }));
      await upstream.get(request(`${url}/out`, { cookies }));
      await upstream.get(request(`${url}/last`, { cookies }));
      assert.deepEqual(
        requests.map(({ headers }) => headers.cookie),
        [undefined, 'a=1; b=x=y', 'b=x=y'],
      );
    });
  });
});
