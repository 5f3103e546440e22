import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { readValidators } from '../../../src/sources/upstream/upstream.js';
import {
  createTestClock,
  createTestUpstream,
  rejects,
  request,
  type MockServer,
  startMockServer,
} from './mock-server.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

describe('createUpstream', () => {
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
  it('identifies itself, with a version and a contact', async () => {
    const { url, requests } = await start((_, response) => response.end('{}'));
    await createTestUpstream(clock).get(request(url));
    assert.equal(requests[0]?.headers['user-agent'], 'deals-feed-test/1.2.3 (+https://example.com/crawler)');
    assert.equal(requests[0]?.headers.accept, 'application/json');
  });

  describe('retries', () => {
    for (const status of [408, 429, 500, 502, 503, 504]) {
      it(`after a ${status}, with growing pauses, up to a limit`, async () => {
        const { url, seen } = await start((_, response) => response.writeHead(status).end());
        await rejects(createTestUpstream(clock).get(request(url)), 'upstream_unavailable', new RegExp(`${status}`));
        assert.equal(seen.length, 5);
        assert.deepEqual(clock.slept, [1000, 2000, 4000, 8000]);
      });
    }
    for (const status of [400, 401, 403, 404, 501]) {
      it(`never after a ${status}`, async () => {
        const { url, seen } = await start((_, response) => response.writeHead(status).end('secret words'));
        await rejects(createTestUpstream(clock).get(request(url)), 'upstream_refused', /^(?!.*secret)/);
        assert.equal(seen.length, 1);
      });
    }
    it('after a broken connection, and after a truncated body', async () => {
      let calls = 0;
      const { url } = await start((incoming, response) => {
        calls += 1;
        if (calls === 1) incoming.socket.destroy();
        else if (calls === 2) {
          response.writeHead(200, { 'content-length': 100 });
          response.write('half');
          response.socket?.end();
        } else response.end('whole');
      });
      assert.equal((await createTestUpstream(clock).get(request(url))).body.toString(), 'whole');
    });
    it('after its deadline, even if bytes still arrive', async () => {
      let calls = 0;
      const { url } = await start((_, response) => {
        calls += 1;
        if (calls > 1) return void response.end('whole');
        const drip = setInterval(() => response.write('.'), 5);
        response.on('close', () => clearInterval(drip));
      });
      const reply = await createTestUpstream(clock).get(request(url, { deadlineMs: 60 }));
      assert.equal(reply.body.toString(), 'whole');
    });
    it('after silence', async () => {
      let calls = 0;
      const { url } = await start((_, response) => void ((calls += 1) > 1 && response.end('late')));
      const upstream = createTestUpstream(clock, { idleMs: 50 });
      assert.equal((await upstream.get(request(url))).body.toString(), 'late');
    });
    it('with a random delay, between half and all of it', async () => {
      const { url } = await start((_, response) => response.writeHead(503).end());
      await rejects(createTestUpstream(clock, { random: () => 0 }).get(request(url)), 'upstream_unavailable');
      assert.deepEqual(clock.slept, [500, 1000, 2000, 4000]);
    });
    it('a 202 when the request says that it means "not yet"', async () => {
      let calls = 0;
      const { url } = await start((_, response) => response.writeHead((calls += 1) < 3 ? 202 : 200).end('ready'));
      const reply = await createTestUpstream(clock).get(request(url, { isPending: (status) => status === 202 }));
      assert.equal(reply.body.toString(), 'ready');
      calls = -10;
      const never = createTestUpstream(clock).get(request(url, { isPending: (status) => status === 202 }));
      await rejects(never, 'upstream_not_ready');
    });
  });

  describe('stops at its signal', () => {
    const reason = new Error('The process is stopping.');

    it('during a body, within the deadline of the request, and does not retry', async () => {
      const stop = new AbortController();
      const { url, seen } = await start((_, response) => void response.writeHead(200).write('the first of many'));
      const reading = createTestUpstream(clock).read(request(url, { signal: stop.signal }), async (body) => {
        for await (const _ of body) stop.abort(reason);
      });
      await assert.rejects(reading, reason);
      assert.equal(seen.length, 1);
    });

    it('and listens to it only during a request, however that ends', async () => {
      const { signal } = new AbortController();
      const listening: number[] = [];
      const { url } = await start(({ url: path }, response) => {
        listening.push(getEventListeners(signal, 'abort').length);
        if (path === '/gone') response.writeHead(404).end();
        else if (path === '/moved') response.writeHead(302, { location: '/page' }).end();
        else response.end('a page');
      });
      const upstream = createTestUpstream(clock);
      await upstream.get(request(`${url}/page`, { signal }));
      await upstream.get(request(`${url}/moved`, { signal }));
      await rejects(upstream.get(request(`${url}/gone`, { signal })), 'upstream_refused');
      const broken = upstream.read(request(`${url}/page`, { signal }), () => Promise.reject(new Error('unreadable')));
      await rejects(broken, 'upstream_unavailable');
      assert.ok(listening.every((count) => count === 1));
      assert.deepEqual(getEventListeners(signal, 'abort'), []);
    });

    it('during a pause', async () => {
      const stop = new AbortController();
      const { url, seen } = await start((_, response) => response.writeHead(503).end());
      const upstream = createTestUpstream(clock, {
        sleep: (_, signal) => {
          setImmediate(() => stop.abort(reason));
          return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(reason)));
        },
      });
      await assert.rejects(upstream.get(request(url, { signal: stop.signal })), reason);
      assert.equal(seen.length, 1);
    });

    it('during the request for robots.txt', async () => {
      const stop = new AbortController();
      const { url, seen } = await start(() => stop.abort(reason));
      const page = request(`${url}/page`, { signal: stop.signal, obeysRobots: true });
      await assert.rejects(createTestUpstream(clock).get(page), reason);
      assert.deepEqual(seen, ['GET /robots.txt']);
    });
  });

  describe('Retry-After', () => {
    it('is followed in seconds and as a date', async () => {
      for (const text of ['90', 'Sun, 22 Nov 2026 06:01:30 GMT']) {
        clock.set('2026-11-22T06:00:00.000Z');
        clock.slept.length = 0;
        let calls = 0;
        const { url } = await start((_, response) =>
          (calls += 1) === 1 ? response.writeHead(429, { 'retry-after': text }).end() : response.end('ok'),
        );
        await createTestUpstream(clock).get(request(url));
        assert.deepEqual(clock.slept, [90_000]);
      }
    });
    it('ends the run when beyond five minutes, instead of an early retry', async () => {
      const { url, seen } = await start((_, response) => response.writeHead(503, { 'retry-after': '301' }).end());
      const upstream = createTestUpstream(clock);
      await rejects(upstream.get(request(url)), 'upstream_unavailable');
      assert.equal(seen.length, 1);
      // Another source of the same host waits as well.
      await rejects(upstream.get(request(`${url}/other`)), 'upstream_unavailable');
      assert.equal(seen.length, 1);
    });
    it('delays every other request to the same host', async () => {
      const { url } = await start((incoming, response) =>
        incoming.url === '/busy' ? response.writeHead(429, { 'retry-after': '200' }).end() : response.end('ok'),
      );
      // The first caller's own wait never ends here; the second one meets the delayed host.
      const waits: number[] = [];
      const upstream = createTestUpstream(clock, {
        sleep: (ms) => {
          waits.push(ms);
          return waits.length === 1 ? new Promise(() => undefined) : Promise.resolve();
        },
      });
      void upstream.get(request(`${url}/busy`));
      while (waits.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await upstream.get(request(`${url}/other`));
      assert.deepEqual(waits, [200_000, 200_000]);
    });
  });

  it('limits the rate per host, over any number of sources', async () => {
    const { url } = await start((_, response) => response.end('{}'));
    const upstream = createTestUpstream(clock);
    const begin = clock.now().getTime();
    for (let index = 0; index < 13; index += 1) await upstream.get(request(url, { requestsPerMinute: 60 }));
    assert.equal(clock.now().getTime() - begin, 10_000);
  });

  describe('conditional requests', () => {
    it('send back the ETag and date of the server, and accept its 304', async () => {
      const { url } = await start((incoming, response) => {
        const same = incoming.headers['if-none-match'] === '"v1"' && incoming.headers['if-modified-since'] === 'then';
        response.writeHead(same ? 304 : 200, { etag: '"v1"', 'last-modified': 'then' }).end(same ? '' : 'body');
      });
      const upstream = createTestUpstream(clock);
      const first = await upstream.get(request(url));
      const validators = readValidators(first.headers) ?? {};
      const second = await upstream.get(request(url, { validators }));
      assert.deepEqual([first.status, second.status, second.body.length], [200, 304, 0]);
    });
    it('are required for a 304: a request without validators has no earlier version', async () => {
      const { url } = await start((_, response) => response.writeHead(304).end());
      for (const rest of [{}, { validators: {} }]) {
        await rejects(createTestUpstream(clock).get(request(url, rest)), 'delivery_unreadable', /304/);
      }
    });
  });

  describe('bodies', () => {
    const mebibyte = Buffer.alloc(1024 * 1024);
    for (const [coding, pack] of [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
    ] as const) {
      it(`in ${coding} are decoded, and refused beyond the unpacked limit`, async () => {
        const bomb = pack(Buffer.concat(Array.from({ length: 20 }, () => mebibyte)));
        const { url } = await start((incoming, response) => {
          response.writeHead(200, { 'content-encoding': coding });
          response.end(incoming.url === '/bomb' ? bomb : pack(Buffer.from('plain')));
        });
        const upstream = createTestUpstream(clock);
        assert.ok(bomb.length < 100_000);
        assert.equal((await upstream.get(request(url))).body.toString(), 'plain');
        await rejects(upstream.get(request(`${url}/bomb`, { maxBytes: 1_000_000 })), 'upstream_too_large');
      });
    }
    it('with a stated length beyond the limit are refused unread, and endless ones in the middle', async () => {
      const { url, seen } = await start((incoming, response) => {
        if (incoming.url === '/stated') response.writeHead(200, { 'content-length': 10_000_000 });
        response.on('error', () => undefined);
        const more = () => void (response.destroyed || response.write(mebibyte, more));
        more();
      });
      const upstream = createTestUpstream(clock);
      await rejects(upstream.get(request(`${url}/stated`, { maxBytes: 5_000_000 })), 'upstream_too_large');
      await rejects(upstream.get(request(`${url}/endless`, { maxBytes: 5_000_000 })), 'upstream_too_large');
      assert.equal(seen.length, 2);
    });
    it('in an unrequested coding are refused', async () => {
      const { url } = await start((_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip, br' }).end('x'),
      );
      await rejects(createTestUpstream(clock).get(request(url)), 'delivery_unreadable');
    });
    it('can be read as a stream, which restarts when the connection breaks', async () => {
      let calls = 0;
      const { url } = await start((_, response) => {
        calls += 1;
        response.writeHead(200, { 'content-length': 6 });
        response.write('abc');
        if (calls === 1) response.socket?.end();
        else response.end('def');
      });
      const texts: string[] = [];
      const reply = await createTestUpstream(clock).read(request(url), async (body) => {
        let text = '';
        for await (const chunk of body) text += chunk.toString();
        texts.push(text);
        return text;
      });
      assert.equal(reply.body, 'abcdef');
      assert.deepEqual(texts, ['abcdef']);
    });
  });
});
