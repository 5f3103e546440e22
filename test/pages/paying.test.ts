import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { buyer } from '../../src/demo/chain/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shareBrowser } from '../support/browser.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { findViolations } from './find-violations.js';
import { viewports } from './watch-page.js';

type Answer = (method: string, params: readonly unknown[]) => unknown;

/** The error of a wallet, by the code of EIP-1193 or JSON-RPC. */
class Refusal {
  constructor(readonly code: number) {}
}

const path = '/api/deals/hot?state=OH';

describe('paying on the page of a product', () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let asked: string[];
  let width = 0;

  before(async function () {
    browser = await shareBrowser(this as never);
    app = await startTestApp({ settler: createInstantSettler() });
  });
  afterEach(() => page?.context().close());
  after(() => app?.stop());

  const account = privateKeyToAccount(buyer.privateKey);
  /** A wallet on the chain of the demonstration with ten dollars. */
  const good: Answer = (method, params) => {
    switch (method) {
      case 'eth_requestAccounts':
        return [account.address.toLowerCase()];
      case 'eth_chainId':
        return '0x7a69';
      case 'wallet_switchEthereumChain':
        return null;
      case 'eth_call':
        return `0x${(10_000_000).toString(16).padStart(64, '0')}`;
      case 'eth_signTypedData_v4':
        return sign(String(params[1]));
      default:
        return new Refusal(4200);
    }
  };
  const sign = (text: string) => {
    const { domain, types, primaryType, message } = JSON.parse(text) as Parameters<typeof account.signTypedData>[0] & {
      types: Record<string, unknown>;
    };
    assert.ok('EIP712Domain' in types && typeof (message as { value: unknown }).value === 'string');
    return account.signTypedData({ domain, types, primaryType, message } as Parameters<
      typeof account.signTypedData
    >[0]);
  };
  const but =
    (method: string, answer: Answer | Refusal): Answer =>
    (each, params) =>
      each !== method ? good(each, params) : answer instanceof Refusal ? answer : answer(each, params);

  /** Opens the page with a wallet that is answered here; without one for undefined. Widths take turns. */
  async function open(answer: Answer | undefined, at = path): Promise<void> {
    const viewport = Object.values(viewports)[width++ % 2] ?? viewports.phone;
    const context = await browser.newContext({ viewport });
    page = await context.newPage();
    asked = [];
    if (answer !== undefined) {
      await page.exposeFunction('answerAsWallet', async (method: string, params: unknown[]) => {
        asked.push(method);
        const given = await answer(method, params);
        return given instanceof Refusal ? { code: given.code } : { value: given };
      });
      await page.addInitScript(() => {
        type Given = { code?: number; value?: unknown };
        const { answerAsWallet } = window as unknown as { answerAsWallet(...call: unknown[]): Promise<Given> };
        const provider = {
          async request({ method, params = [] }: { method: string; params?: unknown[] }) {
            const { code, value } = await answerAsWallet(method, params);
            if (code !== undefined) throw Object.assign(new Error('refused'), { code });
            return value;
          },
        };
        const detail = {
          info: { uuid: '1', name: 'Test Wallet', icon: 'https://elsewhere.example/x.png', rdns: 'test' },
          provider,
        };
        window.addEventListener('eip6963:requestProvider', () =>
          window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
        );
      });
    }
    await page.goto(app.url + at);
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
    await open(good);
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

  const refusals: readonly (readonly [name: string, answer: Answer, words: RegExp])[] = [
    [
      'a connection that is declined',
      but('eth_requestAccounts', new Refusal(4001)),
      /You declined\. Nothing was charged/,
    ],
    ['a wallet that is locked', but('eth_requestAccounts', new Refusal(-32002)), /Your wallet is waiting for you/],
    ['another chain after the switch', but('eth_chainId', () => '0x1'), /Your wallet is on Ethereum; this is paid on/],
    [
      'too little balance',
      but('eth_call', () => `0x${'0'.repeat(60)}2710`),
      /holds \$0\.01 tUSDC .+ this costs \$0\.02/,
    ],
    ['a wallet without typed data', but('eth_signTypedData_v4', new Refusal(4200)), /cannot sign this payment/],
    [
      'a signature that is declined',
      but('eth_signTypedData_v4', new Refusal(4001)),
      /You declined\. Nothing was charged/,
    ],
  ];
  for (const [name, answer, words] of refusals)
    it(`tells ${name} in words, and nothing is charged`, async () => {
      const before = (await settled()).count;
      await open(answer);
      await startPaying();
      if (name.includes('signature') || name.includes('typed data')) await press('Pay $0.02');
      await told(words);
      assert.ok((await page.getByRole('button', { name: 'Try again' }).count()) === 1);
      assert.equal((await settled()).count, before);
    });

  it('stops at a cap, which can be changed, and before it signs where this browser keeps nothing', async () => {
    await open(good);
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
    await open(good);
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
    const signatures = asked.filter((each) => each === 'eth_signTypedData_v4').length;
    await press('Finish');
    await page.locator('.open-payment', { hasText: 'Paid, and delivered' }).waitFor();
    assert.equal(Number((await settled()).count), before + 1);
    assert.equal(asked.filter((each) => each === 'eth_signTypedData_v4').length, signatures);
  });

  it('tells that there is no wallet, where there is no play money either', async () => {
    await open(undefined);
    await page.locator('#buy').evaluate((buy) => (buy as HTMLElement).removeAttribute('data-local'));
    await press('Buy this list, $0.02');
    await told(/This browser has no wallet\. Nothing was charged/);
  });
});
