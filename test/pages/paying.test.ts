import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { problem, type Answer } from '../client/mock-server.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shareBrowser } from '../support/browser.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { findViolations } from './find-violations.js';
import {
  answerRoute,
  eachViewport,
  goodWallet,
  isPaying,
  openPayingPage,
  type PayingOptions,
  type WalletAnswer,
} from './paying-page.js';

const path = '/api/deals/hot?state=OH';

describe('paying on the page of a product', () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let asked: string[];

  before(async function () {
    browser = await shareBrowser(this as never);
    app = await startTestApp({ settler: createInstantSettler() });
  });
  afterEach(() => page?.context().close());
  after(() => app?.stop());

  /** Opens the page with a wallet that is answered here; without one for undefined. Widths take turns. */
  async function open(answer: WalletAnswer | undefined, at = path, options: PayingOptions = {}): Promise<void> {
    const [viewport] = eachViewport();
    const opened = await openPayingPage(browser, app.url + at, answer, { ...(viewport && { viewport }), ...options });
    ({ page, asked } = opened);
  }

  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const told = (text: RegExp) => page.locator('dialog .told').filter({ hasText: text }).waitFor();
  async function startPaying(): Promise<void> {
    await press('Buy this list, $0.02');
    await press('Pay with Test Wallet');
  }
  const settled = async () =>
    (await app.database.knex('payments').count('* as count'))[0] as { count: number | string };

  it('buys a list by keyboard alone with a wallet that announces itself, and says before what, how much and to whom', async () => {
    await open(goodWallet);
    await page.locator('#buy').focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog button', { hasText: 'Test Wallet' }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    assert.equal(await page.locator('dialog img').count(), 0, 'no icon of another site');
    await page.keyboard.press('Enter');
    await told(/\$0\.02 to 0x.+ on local demonstration chain\. Spent in 24 hours: \$0\.00 of \$5\.00/);
    await page.locator('dialog button', { hasText: 'Pay $0.02' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#bought table').waitFor();
    assert.match(await page.locator('#bought h2').innerText(), /^Paid: Hot deals/);
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(asked, ['eth_requestAccounts', 'eth_chainId', 'eth_call', 'eth_signTypedData_v4']);
    const rows = Number(/^\d+/.exec(await page.locator('#bought caption').innerText())?.[0]);
    assert.equal(await page.locator('#bought tbody tr').count(), rows);
    assert.equal(await page.locator('#bought a[download]').count(), 2);
  });

  it('buys a report with play money, and opens it from what this browser keeps', async () => {
    const id = app.feeds.deals.current().records.at(0)?.id ?? '';
    await open(undefined, `/api/deals/${id}/report`);
    await press('Buy this report, $1.50');
    await press('Pay $1.50');
    await page.locator('#evidence').waitFor();
    assert.match(page.url(), /\/report#0x[0-9a-f]{64}$/);
  });

  it('stops at a cap, which can be changed, and before it signs where this browser keeps nothing', async () => {
    await open(goodWallet);
    await page.evaluate(() => localStorage.setItem('deals-feed-caps', '{"perCall":"0.01","perDay":"5.00"}'));
    await startPaying();
    await told(/above the limit of \$0\.01/);
    await press('Change the caps');
    await page.getByLabel('Most for one call, $').fill('0.10');
    await press('Keep these caps');
    await page.getByRole('button', { name: 'Pay $0.02' }).waitFor();
    await page.reload();
    await page.evaluate(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
    asked.length = 0;
    await startPaying();
    await told(/This browser keeps nothing/);
    assert.deepEqual(asked, []);
    await press('Pay anyway');
    await told(/it is paid and gone/);
    await press('Yes, pay without keeping it');
    await press('Pay $0.02');
    await page.locator('#bought table').waitFor();
  });

  it('pays once when the reply is lost and the tab is closed: the next page finishes the same payment', async () => {
    const before = Number((await settled()).count);
    await open(goodWallet);
    await page.route('**/api/deals/hot?*', async (route) => {
      if (route.request().headers()['payment-signature'] === undefined) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await startPaying();
    await press('Pay $0.02');
    await page.waitForFunction(() => localStorage.getItem('x402-payments')?.includes('"header"'));
    while (Number((await settled()).count) === before) await page.waitForFunction(() => true);
    // The first page would finish it by itself.
    await page.goto(`${app.url}/api/deals/hot?state=IN`);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.locator('.open-payment').waitFor();
    assert.deepEqual(await findViolations(page), []);
    const signatures = asked.filter((each) => each === 'eth_signTypedData_v4').length;
    await press('Finish');
    await page.locator('.open-payment', { hasText: 'Paid, and delivered' }).waitFor();
    assert.equal(Number((await settled()).count), before + 1);
    assert.equal(asked.filter((each) => each === 'eth_signTypedData_v4').length, signatures);
  });

  it('offers the wallet that was used last first, by its maker', async () => {
    await open(goodWallet, path, { wallets: ['First', 'Second'] });
    await press('Buy this list, $0.02');
    await press('Pay with Second');
    await page.getByRole('button', { name: 'Pay $0.02' }).waitFor();
    await page.reload();
    await press('Buy this list, $0.02');
    await page
      .getByRole('button', { name: /^Pay with/ })
      .first()
      .waitFor();
    const names = await page.getByRole('button', { name: /^Pay with/ }).allInnerTexts();
    assert.deepEqual(names.slice(0, 2), ['Pay with Second', 'Pay with First']);
  });

  it('asks for one signature, whatever tab is pressed: the second tab is told where it is being paid', async () => {
    let [sign, begin] = [() => {}, () => {}];
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const slow: WalletAnswer = async (method, params) => {
      if (method === 'eth_signTypedData_v4') {
        begin();
        await new Promise<void>((resolve) => (sign = resolve));
      }
      return goodWallet(method, params);
    };
    const before = Number((await settled()).count);
    await open(slow);
    const first = page;
    await startPaying();
    await press('Pay $0.02');
    await begun;
    await open(goodWallet, path, { context: first.context() });
    await startPaying();
    await told(/^Not paid here: this browser is paying for it already/);
    assert.deepEqual(asked, []);
    sign();
    await first.locator('#bought tbody tr').first().waitFor();
    assert.equal(Number((await settled()).count), before + 1);
  });

  it('shows an open payment on every page, and tells by itself what became of it when it can be charged no more', async () => {
    await open(goodWallet, path, { hasClock: true });
    let answer: Answer = 'hang_up';
    await page.route('**/api/deals/hot?*', (route) =>
      isPaying(route) ? answerRoute(route, answer) : route.continue(),
    );
    await startPaying();
    await press('Pay $0.02');
    await page.waitForFunction(() => localStorage.getItem('x402-payments')?.includes('"header"'));
    for (const at of ['/', '/report', '/errors', '/deals']) {
      await page.goto(app.url + at);
      await page.locator('.open-payment', { hasText: /^1 payment open: not known yet/ }).waitFor();
    }
    const aheadMs = 720_000;
    answer = problem(402, 'payment_expired', { payment: 'not_settled' });
    await page.route('**/api/payments/*', async (route) => {
      const response = await route.fetch();
      const date = new Date(Date.now() + aheadMs).toUTCString();
      await route.fulfill({ response, headers: { ...response.headers(), date } });
    });
    await page.clock.fastForward(aheadMs);
    await page.locator('.open-payment', { hasText: 'Nothing was charged.' }).waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('x402-payments')?.includes('"header"')), false);
  });
});
