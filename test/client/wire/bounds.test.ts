import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { UnexpectedAnswerError } from '../../../src/client/entry.js';
import type { DealsClientOptions } from '../../../src/client/deals-client.js';
import { createToolLink } from '../../../src/client/mcp/tool-link.js';
import type { StartTimer } from '../../../src/client/wire/fetch-bounded.js';
import { account, failureOf } from '../buyer.js';
import { createDealsClient } from '../../../src/client/create-deals-client.js';
import { createMemoryStorage } from '../../../src/client/payments/payment-storage.js';
import { challengeOf } from '../mock-server.js';

const megabyte = 1_000_000;
const block = Buffer.alloc(megabyte / 10, ' ');
const json = { 'Content-Type': 'application/json' };

/** Sends blocks for as long as somebody reads them. */
function sendForever(response: ServerResponse, status: number, headers = {}): void {
  response.writeHead(status, { ...json, ...headers });
  Readable.from(forever())
    .on('error', () => undefined)
    .pipe(response);
}

function* forever(): Generator<Buffer> {
  for (;;) yield block;
}

/** Two gigabytes of spaces, as two megabytes. */
function sendBomb(response: ServerResponse): void {
  response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' });
  const whole = Array.from({ length: 20_000 }, () => block);
  Readable.from(whole)
    .pipe(createGzip())
    .on('error', () => undefined)
    .pipe(response);
}

const challenge = Buffer.from(JSON.stringify(challengeOf())).toString('base64');

/** A 402 to the unpaid request; the paid one is answered by `sell`. */
const priced = (sell: (response: ServerResponse) => void) => (response: ServerResponse, isPaid: boolean) => {
  if (isPaid) sell(response);
  else response.writeHead(402, { 'PAYMENT-REQUIRED': challenge }).end('{}');
};

type Answer = (response: ServerResponse, isPaid: boolean) => void;

/** A client of a server on loopback that answers like this. */
async function withServer(
  answer: Answer,
  use: (client: ReturnType<typeof createDealsClient>, url: string) => Promise<void>,
  options: Partial<DealsClientOptions> = {},
): Promise<void> {
  const server = createServer((request, response) => answer(response, 'payment-signature' in request.headers));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port, not a pipe
  const baseUrl = url;
  try {
    await use(createDealsClient({ baseUrl, account, storage: createMemoryStorage(), ...options }), url);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Asserts that the resident memory grows by 100 MB at most meanwhile. */
async function withinMemory(use: () => Promise<void>): Promise<void> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  await use().finally(() => clearInterval(watch));
  const grown = (Math.max(most, process.memoryUsage.rss()) - before) / megabyte;
  assert.ok(grown <= 100, `grown by ${grown.toFixed(0)} MB`);
}

/** Timers that run out when the test says so. */
function createTimers() {
  const running = new Set<{ readonly ms: number; readonly end: () => void }>();
  const startTimer: StartTimer = (ms, end) => {
    const timer = { ms, end };
    running.add(timer);
    return () => void running.delete(timer);
  };
  return {
    startTimer,
    running: () => [...running].map(({ ms }) => ms).sort((a, b) => a - b),
    runOut(ms: number): void {
      for (const timer of [...running].filter((each) => each.ms === ms)) timer.end();
    },
  };
}

describe('the bounds of an answer', function () {
  for (const [name, answer] of [
    ['an endless 200', (response) => sendForever(response, 200)],
    ['an endless 402', (response) => sendForever(response, 402, { 'PAYMENT-REQUIRED': challenge })],
    ['an endless 500', (response) => sendForever(response, 500)],
    ['a gzip bomb', sendBomb],
  ] satisfies [string, Answer][]) {
    it(`end ${name} as reply_too_large, with 100 MB of memory at most`, () =>
      withServer(answer, (client) =>
        withinMemory(async () => {
          const error = await failureOf(client.meta());
          assert.ok(error instanceof UnexpectedAnswerError);
          assert.equal(error.reason, 'reply_too_large');
        }),
      ));
  }

  it('end an endless answer to a payment, which stays kept and is named, and is presented again', () => {
    const signatures: boolean[] = [];
    const answer = priced((response) => (signatures.push(true), sendForever(response, 200)));
    return withServer(answer, (client) =>
      withinMemory(async () => {
        for (const times of [1, 2]) {
          const error = await failureOf(client.deals());
          assert.ok(error instanceof UnexpectedAnswerError);
          const { open } = await client.spending();
          assert.deepEqual(
            [error.reason, error.context.payment, error.context.paymentId, signatures.length],
            ['reply_too_large', 'unknown', open[0]?.paymentId, times],
          );
          assert.equal(open.length, 1);
        }
      }),
    );
  });

  it('count bytes after decoding: maxReplyBytes are read, one more is not', () => {
    const body = JSON.stringify('x'.repeat(98));
    const send: Answer = (response) =>
      response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(gzipSync(body));
    const read = (maxReplyBytes: number) =>
      withServer(send, async (client) => void (await client.meta()), { maxReplyBytes });
    return read(100).then(() => assert.rejects(read(99), { reason: 'reply_too_large' }));
  });

  it('leave 256 kB to an error and 16 kB to its headers', async () => {
    const refuse =
      (bytes: number): Answer =>
      (response) =>
        response.writeHead(404).end('x'.repeat(bytes));
    const reasonOf = async (answer: Answer) => {
      let reason: string | undefined;
      await withServer(answer, async (client) => void ({ reason } = await failureOf(client.meta())));
      return reason;
    };
    assert.equal(await reasonOf(refuse(256_000)), 'unexpected_answer');
    assert.equal(await reasonOf(refuse(256_001)), 'reply_too_large');
    for (const bytes of [16_000, 17_000])
      assert.equal(
        await reasonOf((response) => response.writeHead(200, { 'X-Long': 'x'.repeat(bytes) }).end('{}')),
        'reply_too_large',
      );
  });

  it('refuse a maxReplyBytes that is no positive number', () => {
    for (const maxReplyBytes of [0, -1, 1.5, NaN])
      assert.throws(() => createDealsClient({ baseUrl: 'http://127.0.0.1:1', maxReplyBytes }), RangeError);
  });

  it('hold for the tools of the bridge', () =>
    withServer(
      (response) => sendForever(response, 200),
      (_, url) =>
        withinMemory(() => assert.rejects(createToolLink(url).ask('tools/list'), { reason: 'reply_too_large' })),
    ));
});

describe('the time of an answer', () => {
  it('ends as reply_stalled after 15 s without a byte', async () => {
    const timers = createTimers();
    const stalled: Answer = (response) => response.writeHead(200, json).write('[');
    await withServer(
      (response) => (stalled(response, false), setImmediate(() => setImmediate(() => timers.runOut(15_000)))),
      async (client) => {
        const error = await failureOf(client.meta());
        assert.ok(error instanceof UnexpectedAnswerError);
        assert.deepEqual([error.reason, timers.running()], ['reply_stalled', []]);
      },
      { startTimer: timers.startTimer },
    );
  });

  it('ends after 90 s in all, whatever comes', async () => {
    const timers = createTimers();
    await withServer(
      (response) => {
        response.writeHead(200, json).write('[');
        setImmediate(() => timers.runOut(90_000));
      },
      async (client) => assert.equal((await failureOf(client.meta())).reason, 'reply_stalled'),
      { startTimer: timers.startTimer },
    );
  });

  it('is counted anew with each byte', async () => {
    const timers = createTimers();
    let started = 0;
    await withServer(
      (response) => response.writeHead(200, json).end('[]'),
      async (client) => void (await client.meta()),
      { startTimer: (ms, end) => ((started += Number(ms === 15_000)), timers.startTimer(ms, end)) },
    );
    assert.ok(started >= 3, `${started}`);
    assert.deepEqual(timers.running(), []);
  });

  it('leaves a payment up to 90 s until the first byte, and keeps and names it', async () => {
    const timers = createTimers();
    const silent = priced(() => {
      assert.deepEqual(timers.running(), [90_000, 90_000]);
      timers.runOut(90_000);
    });
    await withServer(
      silent,
      async (client) => {
        const error = await failureOf(client.deals());
        const { open } = await client.spending();
        assert.ok(error instanceof UnexpectedAnswerError);
        assert.deepEqual([error.reason, error.context.paymentId], ['reply_stalled', open[0]?.paymentId]);
      },
      { startTimer: timers.startTimer },
    );
  });
});
