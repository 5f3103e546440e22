import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page, Request, Route } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { buyer } from '../../src/demo/chain/accounts.js';
import { deep } from '../support/depth.js';
import type { Answer as HttpAnswer } from '../client/mock-server.js';
import { viewports } from './watch-page.js';

/** What a wallet answers; a Refusal rejects. */
export type WalletAnswer = (method: string, params: readonly unknown[]) => unknown;

/** The error of a wallet, by the code of EIP-1193 or JSON-RPC. */
export class Refusal {
  constructor(readonly code: number) {}
}

const account = privateKeyToAccount(buyer.privateKey);

/** A wallet on the chain of the demonstration with ten dollars. */
export const goodWallet: WalletAnswer = (method, params) => {
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

function sign(text: string): Promise<string> {
  type Typed = Parameters<typeof account.signTypedData>[0];
  const { domain, types, primaryType, message } = JSON.parse(text) as Typed & { types: Record<string, unknown> };
  assert.ok('EIP712Domain' in types && typeof (message as { value: unknown }).value === 'string');
  return account.signTypedData({ domain, types, primaryType, message } as Typed);
}

/** The good wallet, but for one method. */
export const but =
  (method: string, answer: WalletAnswer | Refusal): WalletAnswer =>
  (each, params) =>
    each !== method ? goodWallet(each, params) : answer instanceof Refusal ? answer : answer(each, params);

export interface PayingPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The methods that the wallet was asked, in order. */
  readonly asked: string[];
  /** The PAYMENT-SIGNATURE headers that were sent. */
  readonly presented: string[];
  press(name: string | RegExp): Promise<void>;
  /** Waits for a text in the dialog. */
  told(text: RegExp): Promise<void>;
  /** Up to the confirmation of a price. */
  startPaying(): Promise<void>;
}

export interface PayingOptions {
  readonly viewport?: (typeof viewports)[keyof typeof viewports];
  /** Their makers; the first answers. */
  readonly wallets?: readonly string[];
  /** The page's clock is set by the test. */
  readonly hasClock?: boolean;
  /** A window of this browser, which shares what it keeps. */
  readonly context?: BrowserContext;
}

/** Opens a page with a wallet that is answered here; without one for undefined. */
export async function openPayingPage(
  browser: Browser,
  url: string,
  answer: WalletAnswer | undefined,
  { viewport = viewports.phone, wallets = ['Test Wallet'], hasClock = false, ...options }: PayingOptions = {},
): Promise<PayingPage> {
  const context = options.context ?? (await browser.newContext({ viewport }));
  const page = await context.newPage();
  if (hasClock) await page.clock.install();
  const [asked, presented]: string[][] = [[], []];
  page.on('request', (request: Request) => {
    const header = request.headers()['payment-signature'];
    if (header !== undefined) presented?.push(header);
  });
  if (answer !== undefined) {
    await page.exposeFunction('answerAsWallet', async (method: string, params: unknown[]) => {
      asked?.push(method);
      const given = await answer(method, params);
      return given instanceof Refusal ? { code: given.code } : { value: given };
    });
    await page.addInitScript((names) => {
      type Given = { code?: number; value?: unknown };
      const { answerAsWallet } = window as unknown as { answerAsWallet(...call: unknown[]): Promise<Given> };
      const hearing = new EventTarget();
      Object.assign(window, { tellOfWallet: (event: string) => hearing.dispatchEvent(new Event(event)) });
      const provider = {
        async request({ method, params = [] }: { method: string; params?: unknown[] }) {
          const { code, value } = await answerAsWallet(method, params);
          if (code !== undefined) throw Object.assign(new Error('refused'), { code });
          return value;
        },
        on: (event: string, listener: () => void) => hearing.addEventListener(event, listener),
        removeListener: (event: string, listener: () => void) => hearing.removeEventListener(event, listener),
      };
      window.addEventListener('eip6963:requestProvider', () => {
        for (const name of names) {
          const info = { uuid: name, name, icon: 'https://elsewhere.example/x.png', rdns: `test.${name}` };
          window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }));
        }
      });
    }, wallets);
  }
  await page.goto(url);
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  return {
    page,
    context,
    asked: asked ?? [],
    presented: presented ?? [],
    press,
    told: (text) => page.locator('dialog .told').filter({ hasText: text }).waitFor(),
    async startPaying() {
      await press(/^Buy this list, \$/);
      await press(`Pay with ${wallets[0] ?? ''}`);
    },
  };
}

/** Whether a request carries a payment. */
export const isPaying = (route: Route): boolean => route.request().headers()['payment-signature'] !== undefined;

/** Answers a request of a page as a server would. */
export async function answerRoute(route: Route, answer: HttpAnswer): Promise<void> {
  if (answer === 'hang_up') return route.abort();
  const { status, headers = {}, body } = answer;
  await route.fulfill({
    status,
    headers: { 'Content-Type': status === 200 ? 'application/json' : 'application/problem+json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

let turn = 0;
/** Both widths; in an ordinary test run one of them, in turn. */
export const eachViewport = () =>
  deep(Object.values(viewports), [Object.values(viewports)[turn++ % 2] ?? viewports.phone]);
