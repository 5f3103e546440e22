import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { startTestApp, type TestApp } from '../../support/app.js';
import { ask, assertProblem, openSocket, parseReply, speak } from '../../support/raw-http.js';

describe('the limits of a connection', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false });
    await app.pipeline.publish('all');
  });
  after(() => app.stop());
  afterEach('the server is unharmed', async () => assert.equal((await ask(app.url, '/healthz')).status, 200));

  for (const bytes of [40_000, 1_000_000]) {
    it(`refuses a header of ${bytes} bytes with 431`, async () => {
      const reply = parseReply(
        await speak(app.url, `GET /api/deals HTTP/1.1\r\nPAYMENT-SIGNATURE: ${'A'.repeat(bytes)}\r\n\r\n`),
      );
      assertProblem(reply, 431, 'payload_too_large');
    });
  }

  it('refuses an address of 40,000 bytes with 431', async () => {
    assertProblem(parseReply(await speak(app.url, `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n\r\n`)), 431);
  });

  it('refuses a payment header over 16 KB with 400', async () => {
    const headers = { 'PAYMENT-SIGNATURE': 'A'.repeat(16_388) };
    assertProblem(await ask(app.url, '/api/deals', { headers }), 400, 'payment_malformed');
  });

  it('refuses a payment header that is sent twice', async () => {
    for (const twice of [['e30=', 'e30='], 'e30=, e30=']) {
      const reply = await ask(app.url, '/api/deals', { headers: { 'PAYMENT-SIGNATURE': twice } });
      assertProblem(reply, 400, 'payment_malformed');
    }
  });

  it('refuses a query over 4,096 characters with one fault', async () => {
    const body = assertProblem(await ask(app.url, `/api/deals?city=${'x'.repeat(5000)}`), 402);
    assert.equal((body['errors'] as unknown[]).length, 1);
  });

  for (const [name, head] of [
    ['a length', 'Content-Length: 5\r\n\r\nhello'],
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['a length and an expectation', 'Expect: 100-continue\r\nContent-Length: 5\r\n\r\n'],
  ] as const) {
    for (const method of ['GET', 'POST']) {
      it(`refuses the body of a ${method} with ${name}, without reading it, and closes the connection`, async () => {
        const text = await speak(app.url, `${method} /api/meta HTTP/1.1\r\nHost: x\r\n${head}`);
        assertProblem(parseReply(text), 413, 'payload_too_large');
        assert.doesNotMatch(text, /100 Continue/);
      });
    }
  }

  it('answers an unsupported expectation like any request', async () => {
    const text = await speak(app.url, 'GET /healthz HTTP/1.1\r\nExpect: miracles\r\nConnection: close\r\n\r\n');
    assert.equal(parseReply(text).status, 200);
  });

  for (const [name, text] of [
    ['no HTTP', 'hello\r\n\r\n'],
    ['TLS', Buffer.from('16030100a5010000a10303', 'hex')],
    ['another version', 'GET / HTTP/9.9\r\n\r\n'],
    ['an unknown method', 'BREW /healthz HTTP/1.1\r\n\r\n'],
    [
      'both lengths of a smuggler',
      'GET / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'GET / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n'],
    ['a control character in a header', 'GET / HTTP/1.1\r\nPAYMENT-SIGNATURE: a\0b\r\n\r\n'],
    ['a bare line feed within a header', 'GET / HTTP/1.1\r\nX: a\nPAYMENT-SIGNATURE: b\r\n\r\n'],
    ['a folded header', 'GET / HTTP/1.1\r\nX: a\r\n b\r\n\r\n'],
  ] as const) {
    it(`refuses ${name} with a readable problem, or answers it as an ordinary request`, async () => {
      const reply = parseReply(await speak(app.url, text, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'));
      assert.ok([400, 404].includes(reply.status), String(reply.status));
      assertProblem(reply, reply.status);
    });
  }

  it('requires no Host, because no reply depends on one', async () => {
    for (const version of ['1.0', '1.1']) {
      const text = await speak(app.url, `GET /healthz HTTP/${version}\r\nConnection: close\r\n\r\n`);
      assert.equal(parseReply(text).status, 200, version);
    }
  });

  it('closes the connection even when the caller does not close its side', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => undefined);
    socket.resume();
    socket.write('no request\r\n\r\n');
    const drip = setInterval(() => socket.writable && socket.write('x'), 200);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
  });

  it('does not answer a request after a connection error behind it', async () => {
    const text = await speak(app.url, 'GET /api/meta HTTP/1.1\r\n\r\n{}');
    assert.doesNotMatch(text, /^HTTP\/1\.1 400/);
  });

  it('closes slow connections: half a header, a header byte by byte, nothing at all', async function () {
    this.timeout(50_000);
    const texts = ['GET /healthz HTTP/1.1\r\nX-Slow: ', 'GET /healthz HTTP/1.1\r\n', ''];
    const sockets = Array.from({ length: 60 }, () => openSocket(app.url));
    const heard = sockets.map(() => '');
    const drip = setInterval(() => sockets.slice(0, 20).forEach((socket) => socket.writable && socket.write('x')), 500);
    const closed = sockets.map(async (socket, index) => {
      socket.on('data', (chunk) => (heard[index] += chunk.toString('latin1')));
      socket.on('error', () => undefined);
      socket.write(texts[index % 3] ?? '');
      await once(socket, 'close');
    });
    try {
      // The time limit of this test is the guarantee: Node's defaults leave them open for a minute.
      await Promise.all(closed);
    } finally {
      clearInterval(drip);
    }
    heard.forEach((text, index) => {
      if (index % 3 !== 2) assertProblem(parseReply(text), 408);
    });
  });
});
