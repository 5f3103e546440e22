import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createCompressedCopies, pickEncoding } from '../../../src/transport/http/send-reply.js';
import { wholeBytes } from '../../../src/contract/rendered.js';
import { askPrice, signPayment } from '../../support/pay.js';
import { ask } from '../../support/raw-http.js';
import { shareApp, type SharedApp } from '../../support/shared-app.js';

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (body) => body,
};

describe('compression', () => {
  let app: SharedApp;
  before(async () => void (app = await shareApp()));

  async function askIn(target: string, acceptEncoding: string | undefined) {
    const payment = target.startsWith('/api/deals') ? await signPayment(await askPrice(app.url + target)) : '';
    const headers = {
      ...(payment === '' ? {} : { 'PAYMENT-SIGNATURE': payment }),
      ...(acceptEncoding === undefined ? {} : { 'Accept-Encoding': acceptEncoding }),
    };
    const reply = await ask(app.url, target, { headers });
    assert.equal(reply.status, 200);
    assert.equal(Number(reply.headers['content-length']), reply.body.length);
    const encoding = reply.headers['content-encoding'] ?? 'identity';
    return { reply, encoding, text: decoders[encoding]?.(reply.body).toString('utf8') };
  }

  for (const target of ['/api/meta', '/api/deals?limit=40', '/skill.md', '/openapi.yaml', '/', '/assets/home.css']) {
    it(`returns the same text in every encoding: ${target}`, async () => {
      const plain = await askIn(target, undefined);
      assert.equal(plain.encoding, 'identity');
      for (const encoding of ['br', 'gzip', 'identity']) {
        const { text, reply, ...given } = await askIn(target, encoding);
        assert.equal(given.encoding, encoding);
        assert.equal(reply.headers.vary, 'Accept-Encoding');
        assert.ok(text === plain.text, `${encoding} of ${target} differs`);
        if (encoding !== 'identity') assert.ok(reply.body.length < plain.reply.body.length / 2);
      }
    });
  }

  it('leaves short replies and errors uncompressed', async () => {
    for (const target of ['/healthz', '/api/nothing']) {
      const { headers } = await ask(app.url, target, { headers: { 'Accept-Encoding': 'br, gzip' } });
      assert.equal(headers['content-encoding'], undefined, target);
    }
  });

  it('uses the best encoding that the caller allows, and no other', () => {
    assert.equal(pickEncoding(undefined), undefined);
    assert.equal(pickEncoding(''), undefined);
    assert.equal(pickEncoding('gzip, deflate, br'), 'br');
    assert.equal(pickEncoding('GZIP'), 'gzip');
    assert.equal(pickEncoding('gzip;q=0.5 , br;q=0'), 'gzip');
    assert.equal(pickEncoding('br;q=0.0, gzip ; q=0.000'), undefined);
    assert.equal(pickEncoding('zstd, deflate, identity'), undefined);
    assert.equal(pickEncoding('*;q=0'), undefined);
    assert.equal(pickEncoding('broken;;;,,gzip'), 'gzip');
  });

  it('compresses each copy once, even for many concurrent requests', async () => {
    const copies = createCompressedCopies(1_000_000);
    const body = wholeBytes(Buffer.from('x'.repeat(10_000)));
    const [one, ...others] = await Promise.all(Array.from({ length: 20 }, () => copies.get('key', 'br', body)));
    for (const other of others) assert.equal(other, one);
    assert.notEqual(await copies.get('other key', 'br', body), one);
  });
});
