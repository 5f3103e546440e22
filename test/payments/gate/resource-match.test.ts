import assert from 'node:assert/strict';
import type { PaymentRequired } from '@x402/core/types';
import { extractReceiptFromResponse, isEIP712SignedReceipt } from '@x402/extensions/offer-receipt';
import { askPrice } from '../../support/pay.js';
import { assertPaid, assertRefused } from '../answer.js';
import { openShop, type Shop } from '../shop.js';

describe('the resource of a payment', () => {
  let shop: Shop;
  let reports: readonly string[];
  before(async () => {
    shop = await openShop();
    reports = [0, 1].map((index) => `/api/deals/${shop.app.feeds.deals.current().records.at(index)?.id}/report`);
  });
  after(() => shop.close());

  const urlAskedFor = async (path: string) =>
    ((await askPrice(shop.app.url + path)) as unknown as PaymentRequired).resource.url;
  const named = (url: string) => ({ alter: (payload: object) => ({ ...payload, resource: { url } }) });

  // RS-PR-003 of the public conformance suite: the address of the 402 is the requested one.
  it('is what was asked, for 12 canonical addresses with a query as they stand, and for reports', async () => {
    for (const path of [
      '/api/deals?max_year_built=1980&state=OH',
      '/api/deals?state=OH',
      '/api/deals?min_cap=8.5&state=OH',
      '/api/deals?city=St.%20Louis&limit=5',
      '/api/deals?city=O%27Fallon',
      '/api/deals?max_price=150000&min_units=2',
      '/api/deals/basic?state=TX',
      '/api/signals?min_amount=20000',
      '/api/auctions?include_past=true',
      '/api/leads?state=OH',
      '/api/deals/hot?limit=5',
      '/api/signals?state=OH',
      ...reports,
    ])
      assert.equal(await urlAskedFor(path), shop.app.url + path);
  });

  it('is canonical: no order and no spelling of the query makes another address', async () => {
    for (const query of ['?state=OH&min_cap=8.50', '?min_cap=0.85e1&state=%4FH', '?&min_cap=8.5&&state=OH'])
      assert.equal(await urlAskedFor(`/api/deals${query}`), `${shop.app.url}/api/deals?min_cap=8.5&state=OH`);
    assert.equal(await urlAskedFor('/api/deals?city=St.+Louis'), `${shop.app.url}/api/deals?city=St.%20Louis`);
  });

  it('is the path alone with a query over 512 bytes, and for any looked-up address; a faulty request has none', async () => {
    const faulty = await fetch(`${shop.app.url}/api/deals?state=OH&colour=red`);
    assert.equal(faulty.status, 402);
    assert.equal(Reflect.get((await faulty.json()) as object, 'resource'), undefined);
    const long = encodeURIComponent('\u{1f3e0}'.repeat(60));
    assert.equal(await urlAskedFor(`/api/deals?city=${long}&state=OH`), `${shop.app.url}/api/deals`);
    const lookup = await fetch(`${shop.app.url}/api/lookup?address=1%20Secret%20Ave%2C%20Cleveland%2C%20OH%2044105`);
    const header = Buffer.from(lookup.headers.get('payment-required') ?? '', 'base64').toString();
    assert.doesNotMatch(header + (await lookup.text()), /Secret/);
    assert.ok(header.includes(`"url":"${shop.app.url}/api/lookup"`));
  });

  it('is accepted in each form that names this request, and where none is named', async () => {
    const [report = ''] = reports;
    const { url } = shop.app;
    for (const [path, resource] of [
      ['/api/deals/basic?min_cap=1&state=OH', `${url}/api/deals/basic?state=O%48&min_cap=1.0`],
      ['/api/deals/basic?state=OH', `${url}/api/deals/basic`],
      ['/api/deals/basic?state=OH', 'mcp://tool/basic_deals'],
      [report, `${url}${report}`],
      [report, `${url}/api/deals/{id}/report`],
      [report, `${url}/api/deals/%7Bid%7D/report`],
      [report, 'mcp://tool/report'],
    ] as const)
      assertPaid(await shop.pay(path, await shop.sign(path, named(resource))));
    const path = '/api/deals/basic?state=OH';
    const header = await shop.sign(path, { alter: (payload) => ({ ...(payload as object), resource: undefined }) });
    assertPaid(await shop.pay(path, header));
  });

  it('is refused where it names another request, with both names and nothing used', async () => {
    const [a = '', b = ''] = reports;
    for (const [path, other] of [
      [a, b],
      ['/api/deals/basic?state=TX', '/api/deals/basic?state=OH'],
      ['/api/deals/basic', '/api/deals/basic?state=OH'],
      ['/api/deals/basic?state=OH', '/api/deals/hot'],
      ['/api/deals/basic?state=OH', '/api/deals/basic?state=OH&limit=1'],
    ] as const) {
      const header = await shop.sign(path, named(shop.app.url + other));
      const answer = await shop.pay(path, header);
      assertRefused(answer, 402, 'payment_wrong_resource');
      const { detail } = JSON.parse(answer.text) as { detail: string };
      for (const name of [path, other]) assert.ok(detail.includes(shop.app.url + name), detail);
      assert.equal(await shop.rowOf(header), undefined);
    }
  });

  it('stands in the receipt: each report has a receipt of its own', async () => {
    for (const path of [...reports, '/api/deals/basic?min_cap=1&state=OH']) {
      const answer = await shop.pay(path, await shop.sign(path));
      assertPaid(answer);
      assert.ok((answer.headers.get('PAYMENT-RESPONSE') ?? '').length <= 2_048);
      const receipt = extractReceiptFromResponse(new Response(null, { headers: answer.headers }));
      assert.ok(receipt && isEIP712SignedReceipt(receipt));
      assert.equal(receipt.payload.resourceUrl, shop.app.url + path);
    }
  });
});
