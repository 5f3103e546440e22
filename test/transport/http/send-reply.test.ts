import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wholeBytes } from '../../../src/contract/rendered.js';
import { sendReply } from '../../../src/transport/http/send-reply.js';

describe('sendReply', () => {
  it('reports a paid reply as not delivered when it could not be prepared for sending', async () => {
    const deliveries: boolean[] = [];
    const body = wholeBytes(Buffer.alloc(100_000, 'x'));
    const reply = {
      status: 200,
      headers: { 'Content-Type': 'application/json', ETag: '"tag"' },
      body,
      cacheKey: '"tag"',
      onDelivery: (completed: boolean) => void deliveries.push(completed),
    };
    const copies = { get: () => Promise.reject(new Error('no memory left')) };
    const server = createServer((request, response) => {
      sendReply(request, response, reply, 'request1', copies, false).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`, { headers: { 'Accept-Encoding': 'br' } }));
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(deliveries, [false]);
  });
});
