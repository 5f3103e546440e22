import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { createLog } from '../../../src/log.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createInstantSettler } from '../../support/instant-settler.js';
import { askPrice, encodePayment, signPayment } from '../../support/pay.js';

const fields = [
  ...['requestId', 'operation', 'transport', 'status', 'outcome', 'reason', 'ms', 'bytes', 'caller', 'payer'],
  ...['paymentId', 'transaction', 'priceUsd', 'filters', 'feedVersion'],
];
const envelope = ['level', 'time', 'service', 'instance', 'version', 'msg'];
const path = '/api/deals?state=OH&limit=5';

type Line = Readonly<Record<string, unknown>> & { readonly caller: string };

describe('the line of a request in the log', () => {
  let app: TestApp;
  let texts: string[] = [];
  let now = new Date();
  const linesOf = (given: readonly string[]) =>
    given.map((text) => JSON.parse(text) as Line).filter(({ msg }) => msg === 'request');

  before(async () => {
    const out = new Writable({ write: (chunk, _, done) => (texts.push(String(chunk)), done()) });
    app = await startTestApp({
      log: createLog('info', out, { instance: 'deals-1', version: '1.0.0' }),
      settler: createInstantSettler(),
      now: () => now,
      environment: { TRUSTED_PROXIES: '127.0.0.1' },
    });
  });
  beforeEach(() => {
    texts = [];
    now = new Date();
  });
  after(() => app?.stop());

  const get = async (target: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(app.url + target, { headers });
    return reply.text();
  };
  const mcp = async (method: string, params: object) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    await (await fetch(`${app.url}/mcp`, { method: 'POST', headers, body })).text();
  };
  const only = () => {
    const [line, ...others] = linesOf(texts);
    assert.ok(line !== undefined && others.length === 0, texts.join(''));
    return line;
  };

  it('says of a sale who paid by a hash, which payment and transaction, the price, filters by name, and the feed version', async () => {
    const header = await signPayment(await askPrice(app.url + path));
    texts = [];
    const body = await get(path, { 'PAYMENT-SIGNATURE': header });
    const line = only();
    const { operation, transport, status, outcome, bytes, priceUsd, filters, feedVersion } = line;
    assert.deepEqual(
      { operation, transport, status, outcome, bytes, priceUsd, filters },
      {
        ...{ operation: 'listDeals', transport: 'http', status: 200, outcome: 'sold' },
        ...{ bytes: Buffer.byteLength(body), priceUsd: '0.05', filters: 'state,limit' },
      },
    );
    assert.equal(
      feedVersion,
      (await app.database.knex('feed_versions').where({ feed: 'deals' }).first('version')).version.toString(),
    );
    const row = await app.database.knex('payments').first();
    const hex = (bytes: Buffer) => `0x${bytes.toString('hex')}`;
    assert.equal(line['paymentId'], hex(row.payment_id).slice(0, 18));
    assert.equal(line['transaction'], hex(row.settle_transaction).slice(0, 18));
    assert.match(String(line['payer']), /^[\w-]{10}$/);

    texts = [];
    const again = await signPayment(await askPrice(app.url + path));
    await get(path, { 'PAYMENT-SIGNATURE': again });
    assert.equal(linesOf(texts).at(-1)?.['payer'], line['payer'], 'the same payer has the same hash');
  });

  it('names a refusal by its reason, an offer, a call of a tool, and a message of the protocol', async () => {
    const asks: readonly (readonly [() => Promise<unknown>, object])[] = [
      [() => get('/api/deals'), { operation: 'listDeals', status: 402, outcome: 'asked', reason: 'payment_required' }],
      [() => get('/api/deals?min_cpa=8'), { operation: 'listDeals', outcome: 'faulty', reason: 'unknown_parameter' }],
      [() => get('/nowhere'), { status: 404, outcome: 'refused', reason: 'not_found' }],
      [() => get('/api/meta'), { operation: 'getMeta', outcome: 'free', priceUsd: undefined }],
      [
        () => mcp('tools/call', { name: 'hot_deals', arguments: { state: 'OH' } }),
        { operation: 'listHotDeals', transport: 'mcp', status: 402, outcome: 'asked', filters: 'state' },
      ],
      [
        () => mcp('tools/call', { name: 'hot_deals', arguments: { state: ['OH'] } }),
        { operation: 'listHotDeals', transport: 'mcp', outcome: 'faulty', reason: 'invalid_parameter' },
      ],
      [() => mcp('tools/list', {}), { transport: 'mcp', operation: undefined, status: 200, outcome: 'free' }],
    ];
    for (const [ask, expected] of asks) {
      texts = [];
      await ask();
      const line = only();
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, line[name]])), expected);
    }
  });

  it('leaves probes of health out', async () => {
    await Promise.all([get('/healthz'), get('/readyz')]);
    assert.deepEqual(texts, []);
  });

  it('hashes a caller alike for a day, and never again', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.77' };
    const day = new Date(`${new Date().toISOString().slice(0, 10)}T06:00:00Z`);
    now = day;
    await get('/nowhere', from);
    await get('/nowhere', from);
    await get('/nowhere', { 'X-Forwarded-For': '203.0.113.78' });
    now = new Date(day.getTime() + 86_400_000);
    await get('/nowhere', from);
    now = day;
    await get('/nowhere', from);
    const [first, second, other, next, back] = linesOf(texts).map(({ caller }) => caller);
    assert.equal(first, second);
    assert.equal(new Set([first, other, next, back]).size, 4);
  });

  it('has its own fields alone, 400 bytes of them at most, and nothing of 20 kinds of secret and person', async () => {
    const of = (kind: string) => `canary-${kind}`;
    const challenge = await askPrice(app.url + path);
    const header = await signPayment(challenge, {
      alter: (payload) => ({
        ...payload,
        extensions: { 'payment-identifier': { info: { required: false, id: of('of-the-buyers-identifier') } } },
      }),
    });
    const { payload } = JSON.parse(Buffer.from(header, 'base64').toString()) as {
      payload: { signature: string; authorization: { from: string; nonce: string } };
    };
    const canaries = [
      ...[header, payload.signature, payload.signature.slice(2, 66), payload.authorization.from.toLowerCase()],
      ...[payload.authorization.nonce, '203.0.113.99', '2001:db8:77', 'canary'],
    ];
    const wide = 'min_price=1&max_price=2&min_cap=1&max_cap=2&min_dscr=1&min_units=2&max_units=4&min_year=1900&city=x';
    const headers: Record<string, string> = {
      Authorization: `Bearer ${of('token')}`,
      Cookie: of('cookie'),
      Referer: `https://user:${of('password')}@example.com/`,
      'User-Agent': of('agent'),
      'X-Forwarded-For': '203.0.113.99',
      'X-Forwarded-Host': of('host'),
      'Request-Id': of('request-id'),
      'If-None-Match': `"${of('etag')}"`,
      'SIGN-IN-WITH-X': Buffer.from(of('proof')).toString('base64'),
      Accept: `${of('accept')}/json`,
    };
    texts = [];
    await get(path, { 'PAYMENT-SIGNATURE': header });
    await get(path, { 'PAYMENT-SIGNATURE': header });
    await get(`/api/deals?${wide}&owner=${of('owner')}&${of('name')}=1`, { 'PAYMENT-SIGNATURE': of('malformed') });
    await get(`/api/lookup?address=${of('property')}%20Elm%20St`);
    await get(`/api/deals/${of('id')}/report`);
    await get(`/api/payments/${of('payment')}?token=${of('reply-token')}`);
    await get(`/api/pages/${of('page-token')}`);
    await get(`/${of('path')}`);
    for (const [name, value] of Object.entries(headers)) await get('/api/meta', { [name]: value });
    await get('/api/meta', { 'X-Forwarded-For': '2001:db8:77::1' });
    await mcp('tools/call', { name: 'deals', arguments: { state: 'OH', [of('argument')]: of('value') } });
    await mcp('tools/call', { name: of('tool'), arguments: {} });
    await mcp(of('method'), {});
    await mcp('tools/call', { name: 'deals', arguments: {}, _meta: { 'x402/payment': { x: of('mcp-payment') } } });
    await get(path, { 'PAYMENT-SIGNATURE': encodePayment({ ...payload, x: of('inside') } as never) });

    const lines = linesOf(texts);
    assert.ok(lines.length >= 24, `${lines.length}`);
    assert.ok(lines.some(({ outcome }) => outcome === 'sold'));
    for (const line of lines) {
      const own = Object.fromEntries(Object.entries(line).filter(([name]) => !envelope.includes(name)));
      assert.deepEqual(
        Object.keys(own).filter((name) => !fields.includes(name)),
        [],
      );
      assert.ok(JSON.stringify(own).length <= 400, JSON.stringify(own));
    }
    for (const text of texts)
      for (const canary of canaries)
        assert.ok(!text.toLowerCase().includes(canary.toLowerCase()), `${canary}: ${text}`);
  });
});
