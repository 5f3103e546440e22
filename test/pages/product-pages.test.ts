import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { ask, type RawReply } from '../support/raw-http.js';
import { attributeOf, readHtml, textOf } from './read-html.js';
import { operationNames } from '../../src/wire/operation-names.js';
import type { Deal } from '../../generated/types.gen.js';
import { showUsd } from '../../src/pages/show-usd.js';
import { buy } from '../support/pay.js';

const sold = loadContract().operations.filter(({ priceUsd }) => priceUsd !== undefined);
const navigation = { 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the page of a paid address', () => {
  let app: SharedApp;
  let pathOf: (template: string) => string;
  before(async () => {
    app = await shareApp();
    const id = app.feeds.deals.current().records.at(0)?.id ?? '';
    pathOf = (template) => template.replace('{id}', id) + (template === '/api/lookup' ? '?address=1+Main+St' : '');
  });

  const navigate = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    ask(app.url, path, { headers: { ...navigation, ...headers } });
  const isPage = ({ headers }: RawReply) => headers['content-type'] === 'text/html; charset=utf-8';
  const told = ({ status, headers }: RawReply) => [status, headers['payment-required'], headers['cache-control']];
  const withoutId = ({ body, headers }: RawReply) => body.toString().replaceAll(String(headers['request-id']), '');

  it('answers a navigation alone: status, price and caching stay, for each product', async () => {
    assert.equal(sold.length, 10);
    for (const { path: template, operationId, priceUsd } of sold) {
      const path = pathOf(template);
      const [plain, page] = [await ask(app.url, path), await navigate(path)];
      assert.ok(isPage(page) && operationId in operationNames, path);
      assert.deepEqual(told(page), told(plain), path);
      assert.equal(page.headers['vary'], 'Accept, Sec-Fetch-Mode, Accept-Encoding');
      const elements = readHtml(page.body.toString());
      const heading = elements.filter(({ tagName }) => tagName === 'h1').map(textOf);
      assert.ok(heading[0]?.includes(`$${priceUsd}`), heading[0]);
      assert.ok(
        elements.some((each) => attributeOf(each, 'class') === 'record'),
        path,
      );
    }
  });

  it('leaves every other request its bytes', async () => {
    const others = [
      {},
      { Accept: '*/*' },
      { Accept: 'application/json' },
      { Accept: navigation.Accept, 'User-Agent': 'Mozilla/5.0' },
      { Accept: navigation.Accept, 'Sec-Fetch-Mode': 'cors' },
      { Accept: '*/*', 'Sec-Fetch-Mode': 'navigate' },
    ];
    for (const path of [
      '/api/deals?state=OH',
      '/api/deals?foo=1',
      '/api/deals/xx/report',
      '/nothing',
      '/api/count?of=x',
    ]) {
      const plain = await ask(app.url, path);
      for (const headers of others) {
        const reply = await ask(app.url, path, { headers });
        assert.deepEqual(told(reply), told(plain), path);
        assert.equal(withoutId(reply), withoutId(plain));
      }
      const head = await ask(app.url, path, { method: 'HEAD', headers: navigation });
      assert.equal(head.headers['content-type'], plain.headers['content-type']);
    }
    assert.equal((await ask(app.url, '/api/deals', { headers: { Accept: 'text/html' } })).status, 406);
    const paid = await navigate('/api/deals', { 'PAYMENT-SIGNATURE': 'AAAA', Accept: 'text/html' });
    assert.deepEqual([paid.status, isPage(paid)], [406, false]);
    assert.ok(!isPage(await navigate('/api/count?of=x')), 'free paths of data stay JSON');
  });

  it('tells errors by the same rule, each fault at its field, and nothing can be bought until it is right', async () => {
    const faulty = await navigate('/api/deals/hot?foo=1&min_price=150k&city=St.+Louis');
    assert.equal(faulty.status, 402);
    const elements = readHtml(faulty.body.toString());
    const field = elements.find((each) => attributeOf(each, 'name') === 'min_price') ?? assert.fail('no field');
    const note = elements.find((each) => attributeOf(each, 'id') === attributeOf(field, 'aria-describedby'));
    assert.deepEqual([attributeOf(field, 'value'), attributeOf(field, 'aria-invalid')], ['150k', 'true']);
    assert.match(note ? textOf(note) : '', /write 150000/);
    assert.equal(
      attributeOf(elements.find((each) => attributeOf(each, 'name') === 'city') ?? field, 'value'),
      'St. Louis',
    );
    assert.ok(!elements.some((each) => attributeOf(each, 'id') === 'buy'));
    const bad = await navigate('/api/deals/xx/report');
    assert.ok(bad.status === 400 && /href="\/api\/deals\/[0-9a-f-]{36}\/report"/.test(bad.body.toString()));
    assert.ok(isPage(await navigate('/no-such-page')));
    const posted = await ask(app.url, '/api/deals', { method: 'POST', headers: navigation });
    assert.ok(posted.status === 405 && !isPage(posted));
  });

  it('leaves the empty fields of its form out of the address', async () => {
    const own = { 'Sec-Fetch-Site': 'same-origin' };
    const { status, headers } = await navigate('/api/deals?state=OH&city=&zip=', own);
    assert.deepEqual([status, headers['location']], [303, '/api/deals?state=OH']);
    assert.equal((await navigate('/api/deals?state=OH', own)).status, 402);
    assert.equal((await navigate('/api/deals?city=')).status, (await ask(app.url, '/api/deals?city=')).status);
  });

  it('and the page of the deals show no address, figure or link of a deal but the free sample, whatever is asked', async () => {
    const secret = new Set<string>();
    const all = (await (await buy(`${app.url}/api/deals`)).json()) as Deal[];
    // The page has round figures of its own, as examples and bands.
    const isRound = (price: string) => Number(price) % 10_000 === 0 || Number(price) < 10_000;
    for (const { address, list_price: price, listing_url: url } of all) {
      const prices = price === null || isRound(price) ? [] : [price, price.replace('.00', ''), showUsd(price)];
      for (const text of [address, url, ...prices]) if (text !== null) secret.add(text);
    }
    assert.ok(secret.size > 1_000, String(secret.size));
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const values = {
      state: ['OH', 'TX', 'IN'],
      max_price: ['150000', '2000000'],
      status: ['Hot', 'Warm'],
      min_units: ['2', '20'],
    };
    for (let index = 0; index < 200; index++) {
      const query = Object.entries(values)
        .filter(() => random() < 0.5)
        .map(([name, each]) => `${name}=${each[Math.floor(random() * each.length)]}`);
      const path = ['/api/deals', '/api/deals/hot', '/api/deals/basic', '/deals'][index % 4] ?? '';
      const page = (await navigate(`${path}?${query.join('&')}`)).body.toString();
      const [text = '', sample = ''] = page.split('<section aria-labelledby="sample">');
      assert.equal(sample !== '', path === '/deals');
      const offer = /<(?:section|div)[^>]* class="offer"[^]*?<section id="bought"/.exec(text)?.[0] ?? '';
      assert.ok(offer !== '' && !/score/i.test(offer.replaceAll('class="score"', '')), path);
      for (const each of secret) assert.ok(!text.includes(each), `${path}?${query.join('&')}: ${each}`);
    }
  });
});
