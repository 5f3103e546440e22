import assert from 'node:assert/strict';
import type { Browser, Route } from 'playwright-core';
import { problem, sold, type Answer } from '../client/mock-server.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shareBrowser } from '../support/browser.js';
import { createInstantSettler } from '../support/instant-settler.js';
import {
  answerRoute,
  but,
  eachViewport,
  goodWallet,
  isPaying,
  openPayingPage,
  Refusal,
  type PayingOptions,
  type PayingPage,
  type WalletAnswer,
} from './paying-page.js';

const path = '/api/deals/hot?state=OH';

describe('what a person reads when a payment in the browser fails', () => {
  let app: TestApp;
  let browser: Browser;
  let shown: PayingPage | undefined;

  before(async function () {
    browser = await shareBrowser(this as never);
    app = await startTestApp({ settler: createInstantSettler() });
  });
  afterEach(() => shown?.context.close());
  after(() => app?.stop());

  const count = async () => Number((await app.database.knex('payments').count('* as count'))[0]?.['count']);

  /** Tries it at each width, and counts what was charged. */
  async function charging(
    expected: number,
    answer: WalletAnswer | undefined,
    options: PayingOptions,
    attempt: (page: PayingPage) => Promise<void>,
  ): Promise<void> {
    for (const viewport of eachViewport()) {
      const before = await count();
      shown = await openPayingPage(browser, app.url + path, answer, { ...options, viewport });
      await attempt(shown);
      assert.equal((await count()) - before, expected);
      await shown.context.close();
    }
  }

  /** The answers to the payments that the page presents, one by one; the service has the later ones. */
  async function answerPayments({ page }: PayingPage, ...answers: (Answer | 'service')[]): Promise<void> {
    await page.route('**/api/deals/hot?*', async (route) => {
      const answer = isPaying(route) ? (answers.shift() ?? 'service') : 'service';
      return answer === 'service' ? route.continue() : answerRoute(route, answer);
    });
  }

  /** Changes what the unpaid request is offered. */
  async function offer({ page }: PayingPage, change: object): Promise<void> {
    await page.route('**/api/deals/hot?*', async (route: Route) => {
      if (isPaying(route)) return route.continue();
      const response = await route.fetch();
      const header = response.headers()['payment-required'] ?? '';
      const challenge = JSON.parse(Buffer.from(header, 'base64').toString()) as { accepts: object[] };
      challenge.accepts = challenge.accepts.map((each) => ({ ...each, ...change }));
      const encoded = Buffer.from(JSON.stringify(challenge)).toString('base64');
      return route.fulfill({ response, headers: { ...response.headers(), 'payment-required': encoded } });
    });
  }
  const onBase = { network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' };

  /** A wallet on another chain that refuses to switch. */
  const elsewhere =
    (chain: string, code: number): WalletAnswer =>
    (method, params) =>
      method === 'eth_chainId' ? chain : but('wallet_switchEthereumChain', new Refusal(code))(method, params);
  const refusals: readonly (readonly [name: string, answer: WalletAnswer, words: RegExp, again: string])[] = [
    [
      'a connection that is declined',
      but('eth_requestAccounts', new Refusal(4001)),
      /You declined\. Nothing was charged/,
      'Buy again',
    ],
    [
      'a wallet that is locked',
      but('eth_requestAccounts', new Refusal(-32002)),
      /Your wallet is waiting for you/,
      'Try again',
    ],
    [
      'another chain after the switch',
      but('eth_chainId', () => '0x1'),
      /Your wallet is on Ethereum; this is paid on .+ Nothing was charged/,
      'Switch',
    ],
    [
      'a chain that the wallet does not know and nobody can add',
      elsewhere('0x2105', 4902),
      /Your wallet is on Base; this is paid on local demonstration chain\. Nothing was charged/,
      'Switch',
    ],
    ['a switch that is declined', elsewhere('0x1', 4001), /You declined\. Nothing was charged/, 'Buy again'],
    [
      'too little balance, with the address to copy',
      but('eth_call', () => `0x${'0'.repeat(60)}2710`),
      /0xf39f…2266 holds \$0\.01 tUSDC .+ this costs \$0\.02\. Nothing was charged/,
      'Copy the address',
    ],
    [
      'a wallet without typed data',
      but('eth_signTypedData_v4', new Refusal(-32601)),
      /cannot sign this payment\. Nothing was charged/,
      'Another way to pay',
    ],
    [
      'a signature that is declined',
      but('eth_signTypedData_v4', new Refusal(4001)),
      /You declined\. Nothing was charged/,
      'Buy again',
    ],
  ];
  for (const [name, answer, words, again] of refusals)
    it(`tells ${name} in words, and nothing is charged`, () =>
      charging(0, answer, {}, async ({ page, startPaying, press, told }) => {
        await startPaying();
        if (name.includes('signature') || name.includes('typed data')) await press('Pay $0.02');
        await told(words);
        await page.getByRole('button', { name: again }).waitFor();
      }));

  it('a chain that the wallet does not know is added, or where that is refused, named', async () => {
    for (const isAdded of [true, false]) {
      let chain = '0x1';
      const answer: WalletAnswer = (method, params) => {
        if (method === 'eth_chainId') return chain;
        if (method === 'wallet_switchEthereumChain') return new Refusal(4902);
        if (method !== 'wallet_addEthereumChain') return goodWallet(method, params);
        assert.deepEqual((params[0] as { chainId: string }).chainId, '0x2105');
        if (!isAdded) return new Refusal(4001);
        chain = '0x2105';
        return null;
      };
      await charging(0, answer, {}, async (paying) => {
        chain = '0x1';
        await offer(paying, onBase);
        await paying.startPaying();
        await paying.told(
          isAdded ? /\$0\.02 to 0x.+ on Base\. Spent/ : /Your wallet is on Ethereum; this is paid on Base\. Nothing/,
        );
        assert.equal(paying.asked.filter((each) => each === 'eth_chainId').length, isAdded ? 2 : 3);
      });
    }
  });

  for (const [name, end] of [
    ['does not answer in two minutes', 'clock'],
    ['changes its account meanwhile', 'accountsChanged'],
    ['changes its network meanwhile', 'chainChanged'],
  ] as const)
    it(`presents no late signature of a wallet that ${name}, and counts it until it has expired`, () => {
      let release = (_: unknown): void => undefined;
      let hasAsked = (): void => undefined;
      let begun = new Promise<void>((resolve) => (hasAsked = resolve));
      const answer = but('eth_signTypedData_v4', async (method, params) => {
        hasAsked();
        await new Promise((resolve) => (release = resolve));
        return goodWallet(method, params);
      });
      return charging(0, answer, { hasClock: true }, async (paying) => {
        const { page, press, told, startPaying, presented } = paying;
        begun = new Promise<void>((resolve) => (hasAsked = resolve));
        await page.evaluate(() => localStorage.setItem('deals-feed-caps', '{"perCall":"2.00","perDay":"0.03"}'));
        await startPaying();
        await press('Pay $0.02');
        await begun;
        if (end === 'clock') await page.clock.fastForward(121_000);
        else
          await page.evaluate(
            (event) => (window as never as { tellOfWallet(e: string): void }).tellOfWallet(event),
            end,
          );
        await told(
          end === 'clock'
            ? /did not answer in two minutes\. Nothing/
            : /account or network changed meanwhile\. Nothing/,
        );
        release(undefined);
        await press('Try again');
        await press('Pay $0.02');
        await told(/\$0\.02 of the \$0\.03 for each day are spent or held/);
        assert.deepEqual(presented, []);
        await page.clock.fastForward(12 * 60_000);
        await press('Another way to pay');
        await press('Pay with Test Wallet');
        begun = new Promise<void>((resolve) => (hasAsked = resolve));
        await press('Pay $0.02');
        await begun;
        assert.deepEqual(presented, []);
      });
    });

  it('a price that has changed is told beside the one that was shown, and confirmed again', () =>
    charging(0, goodWallet, {}, async (paying) => {
      await offer(paying, { amount: '30000' });
      await paying.startPaying();
      await paying.told(/The price has changed from \$0\.02\. \$0\.03 to 0x/);
      await paying.page.getByRole('button', { name: 'Pay $0.03' }).waitFor();
      assert.ok(!paying.asked.includes('eth_signTypedData_v4'));
    }));

  const unsettled = { payment: 'not_settled' };
  const later = { ...unsettled, retryable: true, retry_same_payment: true };
  const wait = { 'Retry-After': '7' };
  const waits: readonly (readonly [string, Answer])[] = [
    ['409', problem(409, 'payment_in_progress', { ...later, payment: 'unknown' }, wait)],
    ['429', problem(429, 'rate_limited', { ...later, payment: 'none' }, wait)],
    ['503 before the settlement', problem(503, 'chain_unavailable', later, wait)],
  ];
  for (const [name, answer] of waits)
    it(`a ${name} is waited for with a countdown, then the same payment goes on`, () =>
      charging(1, goodWallet, { hasClock: true }, async (paying) => {
        const { page, presented } = paying;
        await answerPayments(paying, answer);
        await paying.startPaying();
        await paying.press('Pay $0.02');
        await paying.told(/wait 7 s/);
        await page.clock.runFor(2_000);
        await paying.told(/wait [1-5] s/);
        await page.clock.runFor(10_000);
        await page.locator('#bought table, #bought .cards').first().waitFor();
        assert.equal(presented.length, 2);
        assert.equal(new Set(presented).size, 1);
      }));

  const ends: readonly (readonly [string, Answer, RegExp])[] = [
    ['404', problem(404, 'no_records_match', unsettled), /^Nothing matches now\. Nothing was charged\.$/],
    [
      '402 with a reason',
      problem(402, 'payment_invalid', { ...unsettled, detail: 'The signature is of another wallet.' }),
      /^The signature is of another wallet\. Nothing was charged\.$/,
    ],
  ];
  for (const [name, answer, words] of ends)
    it(`a ${name} ends the payment, in words`, () =>
      charging(0, goodWallet, {}, async (paying) => {
        await answerPayments(paying, answer);
        await paying.startPaying();
        await paying.press('Pay $0.02');
        await paying.told(words);
        assert.equal(
          await paying.page.evaluate(() => localStorage.getItem('x402-payments')?.includes('"header"')),
          false,
        );
      }));

  it('a lost connection is told as not known yet, and going on presents the same payment', () =>
    charging(1, goodWallet, { hasClock: true }, async (paying) => {
      const { page, presented, asked } = paying;
      const lost = Array.from({ length: 6 }, () => 'hang_up' as const);
      await answerPayments(paying, ...lost);
      await paying.startPaying();
      await paying.press('Pay $0.02');
      for (let seen = 1; seen < lost.length; seen++) {
        while (presented.length < seen) await page.evaluate(() => 1);
        await paying.told(/asks to wait/);
        await page.clock.runFor(25_000);
      }
      await paying.told(/^Not known yet whether you paid\. You will not pay twice/);
      await paying.press('Go on with the same payment');
      await page.locator('#bought table, #bought .cards').first().waitFor();
      assert.equal(new Set(presented).size, 1);
      assert.equal(asked.filter((each) => each === 'eth_signTypedData_v4').length, 1);
    }));

  it('a paid reply that cannot be drawn is given as it came, with its payment, and is called no failure', () =>
    charging(0, goodWallet, {}, async (paying) => {
      const { page } = paying;
      await answerPayments(paying, sold('[{"list_price":'));
      await paying.startPaying();
      await paying.press('Pay $0.02');
      await page.locator('#bought').getByRole('link', { name: 'Download it as it came' }).waitFor();
      const text = await page.locator('#bought').innerText();
      assert.match(text, /^Paid: Hot deals/);
      assert.match(text, /0x[0-9a-f]{64}/);
      assert.doesNotMatch(text, /fail/i);
    }));

  it('tells that there is no wallet, where there is no play money either', () =>
    charging(0, undefined, {}, async ({ page, press, told }) => {
      await page.locator('#buy').evaluate((buy) => (buy as HTMLElement).removeAttribute('data-local'));
      await press('Buy this list, $0.02');
      await told(/This browser has no wallet\. Nothing was charged/);
    }));
});
