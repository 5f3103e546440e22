import assert from 'node:assert/strict';
import { loadContract } from '../../../src/contract/load-contract.js';
import { ask, type RawReply, type RawRequest } from '../../support/raw-http.js';
import { livePath } from '../../support/live-path.js';
import { openShop, type Shop } from '../shop.js';

const path = '/api/deals/hot';
const priced = loadContract().operations.filter(({ priceUsd }) => priceUsd !== undefined);

interface Stored {
  readonly reply: RawReply;
  readonly varied: Readonly<Record<string, unknown>>;
}

/**
 * A mock server for a shared cache in front of the service, as greedy as RFC 9111 lets one be: it keeps every reply to
 * a GET, whatever its status, that does not forbid it, for ever, and gives it to whoever asks alike in what `Vary`
 * names.
 */
function createGreedyCache(origin: string) {
  const stored = new Map<string, Stored[]>();
  let hits = 0;

  async function get(target: string, headers: RawRequest['headers'] = {}): Promise<RawReply> {
    const asked = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const hit = stored.get(target)?.find(({ varied }) => Object.entries(varied).every(([n, v]) => asked[n] === v));
    if (hit !== undefined) {
      hits++;
      return hit.reply;
    }
    const reply = await ask(origin, target, { headers });
    const policy = (reply.headers['cache-control'] ?? '').split(/\s*,\s*/);
    const vary = (reply.headers.vary ?? '')
      .toLowerCase()
      .split(/\s*,\s*/)
      .filter(Boolean);
    if (policy.includes('no-store') || policy.includes('private') || vary.includes('*')) return reply;
    const varied = Object.fromEntries(vary.map((name) => [name, asked[name]]));
    stored.set(target, [...(stored.get(target) ?? []), { reply, varied }]);
    return reply;
  }

  return { get, hits: () => hits };
}

describe('a shared cache in front of the service', () => {
  let shop: Shop;
  let cache: ReturnType<typeof createGreedyCache>;

  before(async () => {
    shop = await openShop();
  });
  beforeEach(() => {
    cache = createGreedyCache(shop.app.url);
  });
  after(() => shop.close());

  async function buy(target: string): Promise<RawReply> {
    return cache.get(target, { 'PAYMENT-SIGNATURE': await shop.sign(target) });
  }

  it('hands nothing that was paid for to anybody else, and no price to anybody who pays', async () => {
    for (const target of priced.map(({ path }) => livePath(shop.app, path))) {
      assert.equal((await cache.get(target)).status, 402);
      const replies = [await buy(target), await cache.get(target), await buy(target)];
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 402, 200],
        target,
      );
      const [first, , second] = replies.map(({ headers }) => headers['payment-response']);
      assert.notEqual(first, second, 'each has its own receipt');
    }
    assert.equal(cache.hits(), 0);
  });

  it('keeps no refusal: what is sent again reaches the service', async () => {
    const header = await shop.sign('/api/deals');
    const targets: [string, Record<string, string>, number][] = [
      ['/api/deals?state=WY', { 'PAYMENT-SIGNATURE': header }, 404],
      ['/api/deals?stat=OH', { 'PAYMENT-SIGNATURE': header }, 400],
      [path, { 'PAYMENT-SIGNATURE': '%' }, 400],
      [path, { Accept: 'text/csv' }, 406],
      ['/api/nothing', {}, 404],
      [`/api/payments/0x${'ab'.repeat(32)}`, {}, 404],
    ];
    for (const [target, headers, status] of targets)
      for (let turn = 0; turn < 2; turn++) assert.equal((await cache.get(target, headers)).status, status, target);
    assert.equal(cache.hits(), 0);
  });

  it('keeps no answer to a tag for whoever has no such tag', async () => {
    const { etag = '' } = (await buy(path)).headers;
    assert.equal((await cache.get(path, { 'If-None-Match': etag })).status, 304);
    assert.equal((await cache.get(path)).status, 402);
  });

  it('keeps what is free, in the encoding that each caller reads', async () => {
    const replies: RawReply[] = [];
    for (const encoding of ['identity', 'gzip', 'br', 'identity', 'gzip', 'br'])
      replies.push(await cache.get('/api/meta', { 'Accept-Encoding': encoding }));
    assert.deepEqual(
      replies.map(({ headers }) => headers['content-encoding']),
      [undefined, 'gzip', 'br', undefined, 'gzip', 'br'],
    );
    assert.equal(cache.hits(), 3);
  });
});
