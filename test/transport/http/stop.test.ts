import assert from 'node:assert/strict';
import { once } from 'node:events';
import { startTestApp } from '../../support/app.js';
import { createHeldSettler } from '../../support/instant-settler.js';
import { askPrice, signPayment } from '../../support/pay.js';
import { ask, openSocket } from '../../support/raw-http.js';

describe('a graceful stop', () => {
  it('lets a paid request finish its settlement, accepts no new connection, and ends', async () => {
    const { settler, begun, release } = createHeldSettler();
    const app = await startTestApp({ settler });
    const payment = await signPayment(await askPrice(`${app.url}/api/deals/hot`));
    const sale = ask(app.url, '/api/deals/hot?limit=3', { headers: { 'PAYMENT-SIGNATURE': payment } });
    await begun;

    const stopped = app.stop();
    await assert.rejects(ask(app.url, '/healthz', { close: true }), { code: 'ECONNREFUSED' });

    await release();
    const reply = await sale;
    assert.equal(reply.status, 200);
    assert.equal((JSON.parse(reply.body.toString()) as unknown[]).length, 3);
    assert.ok(reply.headers['payment-response']);
    assert.equal(reply.headers.connection, 'close');
    await stopped;
  });

  it('answers new requests until the proxy has turned to others: not ready, and each connection is closed', async () => {
    let endDrain = (): void => undefined;
    const drained = new Promise<void>((resolve) => (endDrain = resolve));
    const app = await startTestApp({ settler: createHeldSettler().settler, drained });
    const stopped = app.stop();
    const [ready, health, offer] = await Promise.all(
      ['/readyz', '/healthz', '/api/deals/hot'].map((path) => ask(app.url, path)),
    );
    assert.deepEqual([ready?.status, health?.status, offer?.status], [503, 200, 402]);
    assert.match(ready?.body.toString() ?? '', /this instance is stopping/);
    for (const reply of [ready, health, offer]) assert.equal(reply?.headers.connection, 'close');
    endDrain();
    await stopped;
    await assert.rejects(ask(app.url, '/healthz', { close: true }), { code: 'ECONNREFUSED' });
  });

  it('lets a finished reply reach its slow reader', async () => {
    const app = await startTestApp({ withData: false });
    const socket = openSocket(app.url);
    const wanted = 16;
    socket.pause();
    socket.write('GET /openapi.yaml HTTP/1.1\r\n\r\n'.repeat(wanted));
    await once(socket, 'readable');
    const stopped = app.stop();
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    await once(socket, 'close');
    await stopped;
    const lengths = [...text.matchAll(/content-length: (\d+)/gi)].map(([, length]) => Number(length));
    const [length = 0] = lengths;
    assert.equal(lengths.length, wanted);
    assert.ok(length > 300_000 && text.length > wanted * length, `${text.length} of ${wanted} times ${length}`);
  });

  it('does not wait for replies queued behind one whose connection has ended', async () => {
    const app = await startTestApp({ withData: false });
    const socket = openSocket(app.url);
    socket.write(`GET /healthz HTTP/1.1\r\nContent-Length: 1\r\n\r\nx${'GET /healthz HTTP/1.1\r\n\r\n'.repeat(50)}`);
    await once(socket.resume(), 'close');
    const half = openSocket(app.url);
    half.on('error', () => undefined);
    half.write('GET /healthz HTTP/1.1\r\nX-Half: ');
    await app.stop();
  });

  it('waits neither for idle connections nor for half-sent requests', async () => {
    const app = await startTestApp({ withData: false });
    const sockets = ['', 'GET /healthz HTTP/1.1\r\nX-Half: ', 'GET /healthz HTTP/1.1\r\n\r\n'].map((text) => {
      const socket = openSocket(app.url);
      socket.on('error', () => undefined);
      socket.write(text);
      return socket;
    });
    // The last one is answered, so the server knows all three.
    const [answered] = sockets.slice(-1);
    assert.ok(answered);
    await once(answered, 'data');
    const closed = sockets.map((socket) => once(socket.resume(), 'close'));
    // A settlement would get more time than this test may take.
    await app.stop();
    await Promise.all(closed);
  });
});
