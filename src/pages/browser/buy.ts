import { createCaller } from '../../client/create-caller.js';
import type { Account, Quote } from '../../client/deals-client.js';
import type { KeepReply } from '../../client/wire/present.js';
import { nextPagePath } from '../../client/wire/read-answer.js';
import { readReceipt } from '../../client/payments/challenge.js';
import type { SignedPayment } from '../../client/payments/payment-journal.js';
import { createMemoryStorage, createWebStorage } from '../../client/payments/payment-storage.js';
import { paymentIdOf } from '../../client/payments/payment-id.js';
import { PurchaseError } from '../../client/payments/purchase-error.js';
import { formatDollars, parseUsd } from '../../client/payments/usd.js';
import type { Reply } from '../../client/service-client.js';
import { findNetwork, type Network } from '../../wire/networks.js';
import { canKeep, findItem, keepItem, type BoughtItem } from './purchases.js';
import { balanceOf, connect, rememberWallet, switchTo, WalletError, type Wallet } from './wallets.js';

export { messageOf } from './messages.js';
export { renderCsv } from '../../client/wire/render-csv.js';
export { findWallets } from './wallets.js';
export { deleteItem, findItem, listItems } from './purchases.js';

/** What a page sells. */
export interface Item {
  /** Path and query. */
  readonly path: string;
  readonly title: string;
  /** As the button shows it, without its sign. */
  readonly price: string;
}

/** Who pays: a wallet of the browser, or the account of play money. */
export type Purse = { readonly wallet: Wallet } | { readonly account: Account };

export interface Caps {
  readonly perCall: string;
  readonly perDay: string;
}

const capsKey = 'deals-feed-caps';

/** What may be spent, in dollars: $2.00 a call and $5.00 a day unless changed. */
export function readCaps(): Caps {
  const kept = JSON.parse(localStorage.getItem(capsKey) ?? '{}') as Partial<Caps>;
  return { perCall: kept.perCall ?? '2.00', perDay: kept.perDay ?? '5.00' };
}

/** False for what is no amount. */
export function keepCaps(caps: Caps): boolean {
  if (parseUsd(caps.perCall) === undefined || parseUsd(caps.perDay) === undefined) return false;
  localStorage.setItem(capsKey, JSON.stringify(caps));
  return true;
}

export interface BuyOptions {
  readonly purse: Purse;
  /** Shows what is paid, to whom and where, and what was spent. False: nothing is signed. */
  readonly confirm: (quote: Quote, network: Network, spentToday: string) => Promise<boolean>;
  readonly tell: (text: string) => void;
  /** Pays although this browser keeps nothing. */
  readonly isUnkept?: boolean;
}

const memory = createMemoryStorage();

/** The calls of a page: the journal of all its tabs, within the caps. */
function callerOf(
  options: Partial<BuyOptions> & {
    readonly account?: Account;
    readonly keepReply?: KeepReply;
    onBeforePay?: (quote: Quote) => Promise<boolean>;
  },
) {
  const caps = readCaps();
  const { account, onBeforePay, keepReply, tell } = options;
  return createCaller({
    baseUrl: location.origin,
    storage: options.isUnkept ? memory : createWebStorage(),
    maxPricePerCall: caps.perCall,
    budget: { perDay: caps.perDay },
    ...(account && { account }),
    ...(onBeforePay && { onBeforePay }),
    ...(keepReply && { keepReply }),
    onWait: (seconds) => tell?.(`The server asks to wait ${seconds} s. Then the same request goes on …`),
  });
}

/**
 * Buys an item once. A payment of this browser whose outcome is open is presented again before another is signed.
 * @throws PurchaseError, WalletError
 */
export const buy = (item: Item, options: BuyOptions): Promise<BoughtItem> =>
  alone(item.path, () => buyAlone(item, options));

/** While a tab buys or finishes a payment, no other signs one for the same. @throws WalletError there */
async function alone<T>(path: string, work: () => Promise<T>): Promise<T> {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (locks === undefined) return work();
  return locks.request(`deals-feed-buy ${path}`, { ifAvailable: true }, (lock) => {
    if (lock !== null) return work();
    throw new WalletError(
      'elsewhere',
      'Not paid here: this browser is paying for it already, in another tab or window. Finish it there.',
    );
  });
}

async function buyAlone(item: Item, options: BuyOptions): Promise<BoughtItem> {
  const { purse, tell, isUnkept = false } = options;
  if (!isUnkept && !(await canKeep()))
    throw new WalletError(
      'cannot_keep',
      'This browser keeps nothing, so a lost reply could not be had again. Nothing was charged.',
    );
  // Without payment first: what has a fault or matches nothing asks no wallet. An open payment goes on in any case.
  const { open } = await callerOf({}).spending();
  if (!open.some(({ url }) => url === location.origin + item.path)) await callerOf({ tell }).price(item.path);
  tell('Your wallet is waiting for you.');
  const account = 'wallet' in purse ? await connect(purse.wallet) : purse.account;
  if ('wallet' in purse) rememberWallet(purse.wallet);
  const caller = callerOf({
    ...options,
    account,
    keepReply: (reply, payment) => keepItem(boughtItem(item, reply, payment)),
    onBeforePay: async (quote) => {
      const network = findNetwork(quote.network);
      if (network === undefined) return false; // the client pays in its own networks alone
      if ('wallet' in purse) await prepare(purse.wallet, network, account.address, quote.price);
      const { lastDay } = await caller.spending();
      const isApproved = await options.confirm(quote, network, lastDay);
      if (isApproved) tell('Your wallet is waiting for you.');
      return isApproved;
    },
  });
  const { reply, paid } = await caller.get(item.path);
  return boughtItem(item, reply, paid?.payment);
}

/** The wallet is on the network and holds the price. @throws WalletError before anything is signed */
async function prepare(wallet: Wallet, network: Network, address: string, price: string): Promise<void> {
  await switchTo(wallet, network);
  const held = await balanceOf(wallet, network, address);
  if (held === undefined || held >= (parseUsd(price) ?? 0n)) return;
  throw new WalletError(
    'too_little',
    `${address.slice(0, 6)}…${address.slice(-4)} holds $${formatDollars(held)} ${network.symbol} on ${network.label}; this costs $${price}. Nothing was charged.`,
    address,
  );
}

function boughtItem(item: Item, reply: Reply, payment: SignedPayment | undefined): BoughtItem {
  return {
    paymentId: payment === undefined ? '' : paymentIdOf(payment),
    url: item.path,
    title: item.title,
    priceUsd: payment === undefined ? '0.00' : formatDollars(BigInt(payment.amount)),
    payer: payment?.payer ?? '',
    network: payment?.network ?? '',
    transaction: readReceipt(reply.headers)?.transaction,
    receipt: reply.headers.get('payment-response'),
    boughtAt: new Date().toISOString(),
    body: reply.text,
    next: nextPagePath(reply),
  };
}

/**
 * Ends the payments of this browser whose outcome is open: each is presented again, none is signed.
 * @returns what was paid and has come; what is missing was not charged
 * @throws PurchaseError of the last that stays open
 */
export async function finishOpen(tell: (text: string) => void): Promise<readonly BoughtItem[]> {
  const { open } = await callerOf({}).spending();
  const bought: BoughtItem[] = [];
  let failed: unknown;
  for (const { url, paymentId } of open) {
    const path = url.slice(location.origin.length);
    const item = { path, title: path, price: '' };
    const keepReply: KeepReply = async (reply, payment) => {
      const each = boughtItem(item, reply, payment);
      bought.push(each);
      await keepItem(each);
    };
    const caller = callerOf({ tell, keepReply });
    await alone(path, () => caller.get(path)).catch(async (error: unknown) => {
      // Nothing was charged, and nobody is asked to pay again; or another tab has finished it.
      if (!(error instanceof PurchaseError && error.reason === 'key_needed')) return void (failed = error);
      const kept = await findItem(paymentId).catch(() => undefined);
      if (kept !== undefined) bought.push(kept);
    });
  }
  if (failed !== undefined && bought.length === 0) throw failed;
  return bought;
}

/** A bought list with its next page, which is free. @throws PurchaseError */
export async function addNextPage(item: BoughtItem): Promise<BoughtItem> {
  const { reply } = await callerOf({}).get(item.next ?? '');
  const rows = [item.body, reply.text].flatMap((text) => JSON.parse(text) as unknown[]);
  const grown = { ...item, body: JSON.stringify(rows), next: nextPagePath(reply) };
  await keepItem(grown).catch(() => undefined);
  return grown;
}

/** The reply of a payment again, free, for the wallet that paid, which signs a proof and no payment. */
export async function fetchReply(paymentId: string, purse: Purse): Promise<string> {
  const account = 'wallet' in purse ? await connect(purse.wallet) : purse.account;
  const { reply } = await callerOf({ account }).get(`/api/payments/${paymentId}/response`);
  return reply.text;
}
