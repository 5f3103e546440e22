import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createUpstream, type UpstreamOptions } from '../../../src/sources/upstream/create-upstream.js';
import type { Upstream, UpstreamRequest } from '../../../src/sources/upstream/upstream.js';

/** A mock server for a foreign server, on a free local port. */
export interface MockServer {
  readonly url: string;
  /** Every request that it received, as `GET /path?query`. */
  readonly seen: string[];
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

export async function startMockServer(answer: RequestListener): Promise<MockServer> {
  const seen: string[] = [];
  const requests: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A clock that sleeping advances, and the list of sleeps. */
export function createTestClock(start = '2026-11-22T06:00:00.000Z') {
  let at = Date.parse(start);
  const slept: number[] = [];
  return {
    slept,
    now: () => new Date(at),
    set: (text: string) => void (at = Date.parse(text)),
    sleep: async (ms: number) => {
      slept.push(ms);
      at += ms;
    },
  };
}

/**
 * A client with the test's clock and no randomness, which can reach mock servers when a request allows private
 * addresses.
 */
export function createTestUpstream(clock = createTestClock(), options: Partial<UpstreamOptions> = {}): Upstream {
  return createUpstream({
    product: 'deals-feed-test',
    version: '1.2.3',
    contactUrl: 'https://example.com/crawler',
    now: clock.now,
    sleep: clock.sleep,
    random: () => 1,
    ...options,
  });
}

/** A request to a mock server, without a rate limit. */
export function request(url: string, rest: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return { url, accept: 'application/json', allowPrivate: true, requestsPerMinute: 6000, ...rest };
}

/** Passes when the promise is rejected with this code and message. */
export function rejects(promise: Promise<unknown>, code: string, words = /./): Promise<void> {
  return assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof Error && 'code' in error);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}
