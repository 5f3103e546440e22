import assert from 'node:assert/strict';
import { createInstantSettler } from '../../support/instant-settler.js';
import { askPrice, buy, signPayment } from '../../support/pay.js';
import { readMetrics, startWatchedApp, type WatchedApp } from '../watched-app.js';

describe('what /metrics says of calls', () => {
  let watched: WatchedApp;
  before(async () => {
    watched = await startWatchedApp({ settler: createInstantSettler() });
  });
  after(() => watched?.stop());

  /** What `work` adds to each series that it changes. */
  async function added(work: () => Promise<unknown>, names: RegExp): Promise<Record<string, number>> {
    const before = await readMetrics(watched.operator.url);
    await work();
    const after = await readMetrics(watched.operator.url);
    return Object.fromEntries(
      [...after].flatMap(([name, value]) => {
        const more = value - (before.get(name) ?? 0);
        return names.test(name) && more !== 0 ? [[name.replace(/^deals_/, ''), more]] : [];
      }),
    );
  }
  const counts = /^deals_(calls|signed|revenue|refund|refusals|unmatched|limited)/;
  const get = (path: string, headers = {}) => fetch(watched.app.url + path, { headers });

  it('counts a sale, its price, and the same payment again as what it is', async () => {
    const url = `${watched.app.url}/api/deals?limit=5`;
    const header = await signPayment(await askPrice(url));
    const sale = await added(() => get('/api/deals?limit=5', { 'PAYMENT-SIGNATURE': header }), counts);
    assert.deepEqual(sale, {
      'calls_total{operation="listDeals",transport="http",outcome="sold"}': 1,
      'signed_total{operation="listDeals",transport="http"}': 1,
      'revenue_microusdc_total{operation="listDeals",transport="http"}': 50_000,
    });
    const again = await added(
      () => get('/api/deals?limit=5', { 'PAYMENT-SIGNATURE': header }),
      /^deals_(calls|revenue)/,
    );
    const [[name = '', count] = []] = Object.entries(again);
    assert.match(name, /outcome="(redelivered|refused)"/);
    assert.equal(count, 1);
    assert.equal(Object.keys(again).length, 1);
  });

  it('counts each other call once, by what it came to', async () => {
    const cases: readonly (readonly [path: string, series: string, reason?: string])[] = [
      ['/api/deals', 'listDeals",transport="http",outcome="asked'],
      ['/api/deals?min_cpa=8', 'listDeals",transport="http",outcome="faulty', 'listDeals",reason="unknown_parameter'],
      ['/api/meta', 'getMeta",transport="http",outcome="free'],
      [
        '/api/deals/nothing/report',
        'getReport",transport="http",outcome="faulty',
        'getReport",reason="invalid_deal_id',
      ],
      ['/nowhere', 'none",transport="http",outcome="refused', 'none",reason="not_found'],
    ];
    for (const [path, series, reason] of cases)
      assert.deepEqual(
        await added(() => get(path), counts),
        {
          [`calls_total{operation="${series}"}`]: 1,
          ...(reason && { [`refusals_total{operation="${reason}"}`]: 1 }),
        },
        path,
      );
  });

  it('says what was asked for and not found: by operation, by the names of filters, and by a place of ours', async () => {
    const query = 'state=OH&metro=cleveland&min_price=999999999&city=Springfield';
    const found = await added(async () => {
      assert.equal((await buy(`${watched.app.url}/api/deals?${query}`)).status, 404);
    }, /^deals_unmatched/);
    assert.deepEqual(found, {
      'unmatched_total{operation="listDeals"}': 1,
      ...Object.fromEntries(
        ['city', 'metro', 'min_price', 'state'].map((name) => [
          `unmatched_filter_total{operation="listDeals",filter="${name}"}`,
          1,
        ]),
      ),
      'unmatched_place_total{operation="listDeals",place="cleveland"}': 1,
    });
  });

  it('counts a tool of agents under its own transport', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'deals', arguments: { state: 'OH' } } };
    const found = await added(async () => {
      const reply = await fetch(`${watched.app.url}/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify(call),
      });
      await reply.text();
    }, counts);
    assert.deepEqual(found, { 'calls_total{operation="listDeals",transport="mcp",outcome="asked"}': 1 });
  });

  it('keeps labels closed: whatever is sent, no value of a query, no payer and no secret is in it, in 3,000 series and 400 kB', async () => {
    for (let index = 0; index < 300; index++)
      await get(`/api/deals?state=Q${index % 9}&canary${index}=canary&city=canary${index}&metro=canary${index}`);
    await buy(`${watched.app.url}/api/deals?city=Canary+City&state=ZZ&county=canary`);
    await watched.app.selling.heartbeat.beat();
    const text = await (await fetch(`${watched.operator.url}/metrics`)).text();
    assert.doesNotMatch(text, /canary/i);
    assert.doesNotMatch(text, /0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266/i, 'the payer of the tests');
    assert.ok(text.length <= 400_000, `${text.length} bytes`);
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    assert.ok(series.length <= 3_000, `${series.length} series`);
  });
});
