import assert from 'node:assert/strict';
import { getJson } from '../../../src/sources/upstream/get-json.js';
import { createTestUpstream, rejects, request, startMockServer } from './mock-server.js';

describe('getJson', () => {
  const get = async (body: string | Buffer, status = 200) => {
    const { url, close } = await startMockServer((_, response) => response.writeHead(status).end(body));
    return getJson(createTestUpstream(), request(url, { expects: [404] })).finally(close);
  };

  it('reads a document with or without a byte order mark', async () => {
    for (const mark of ['', '\ufeff']) assert.deepEqual((await get(`${mark}["JOSÉ"]`)).body, ['JOSÉ']);
  });

  it('rejects a document that is not in UTF-8, instead of reading broken characters', () =>
    rejects(get(Buffer.from('["JOSÉ"]', 'latin1')), 'delivery_unreadable', /UTF-8/));

  it('returns no body for an error page, in any encoding', async () => {
    const { status, body } = await get(Buffer.from('<html>Página', 'latin1'), 404);
    assert.deepEqual([status, body], [404, undefined]);
  });
});
