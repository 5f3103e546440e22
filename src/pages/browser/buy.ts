import { createCaller } from '../../client/create-caller.js';
import type { Account, Quote } from '../../client/deals-client.js';
import type { CallResult } from '../../client/wire/call.js';
import { createMemoryStorage, createWebStorage } from '../../client/payments/payment-storage.js';
import { paymentIdOf } from '../../client/payments/payment-id.js';
import { formatDollars, parseUsd } from '../../client/payments/usd.js';
import { findNetwork, type Network } from '../../wire/networks.js';
import { canKeep, keepItem, type BoughtItem } from './purchases.js';
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
  options: Partial<BuyOptions> & { readonly account?: Account; onBeforePay?: (quote: Quote) => Promise<boolean> },
) {
  const caps = readCaps();
  const { account, onBeforePay, tell } = options;
  return createCaller({
    baseUrl: location.origin,
    storage: options.isUnkept ? memory : createWebStorage(),
    maxPricePerCall: caps.perCall,
    budget: { perDay: caps.perDay },
    ...(account && { account }),
    ...(onBeforePay && { onBeforePay }),
    onWait: (seconds) => tell?.(`The server asks to wait ${seconds} s. Then the same request goes on …`),
  });
}

/**
 * Buys an item once. A payment of this browser whose outcome is open is presented again before another is signed.
 * @throws PurchaseError, WalletError
 */
export async function buy(item: Item, options: BuyOptions): Promise<BoughtItem> {
  const { purse, tell, isUnkept = false } = options;
  if (!isUnkept && !(await canKeep()))
    throw new WalletError(
      'cannot_keep',
      'This browser keeps nothing, so a lost reply could not be had again. Nothing was charged.',
    );
  // Without payment first: what has a fault or matches nothing asks no wallet.
  await callerOf({ tell }).price(item.path);
  tell('Your wallet is waiting for you.');
  const account = 'wallet' in purse ? await connect(purse.wallet) : purse.account;
  if ('wallet' in purse) rememberWallet(purse.wallet);
  const caller = callerOf({
    ...options,
    account,
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
  return keep(item, await caller.get(item.path));
}

/** The wallet is on the network and holds the price. @throws WalletError before anything is signed */
async function prepare(wallet: Wallet, network: Network, address: string, price: string): Promise<void> {
  await switchTo(wallet, network);
  const held = await balanceOf(wallet, network, address);
  if (held === undefined || held >= (parseUsd(price) ?? 0n)) return;
  throw new WalletError(
    'too_little',
    `${address.slice(0, 6)}…${address.slice(-4)} holds $${formatDollars(held)} ${network.symbol} on ${network.label}; this costs $${price}. Nothing was charged.`,
  );
}

async function keep(item: Item, { reply, paid }: CallResult): Promise<BoughtItem> {
  const bought: BoughtItem = {
    paymentId: paid === undefined ? '' : paymentIdOf(paid.payment),
    url: item.path,
    title: item.title,
    priceUsd: paid === undefined ? '0.00' : formatDollars(BigInt(paid.payment.amount)),
    payer: paid?.payment.payer ?? '',
    network: paid?.payment.network ?? '',
    transaction: paid?.receipt?.transaction,
    receipt: reply.headers.get('payment-response'),
    boughtAt: new Date().toISOString(),
    body: reply.text,
  };
  // It is shown in any case; the server gives it again for a day.
  if (paid !== undefined) await keepItem(bought).catch(() => undefined);
  return bought;
}

/** Ends the payments of this browser whose outcome is open: each is presented again, none is signed. */
export async function finishOpen(tell: (text: string) => void): Promise<readonly BoughtItem[]> {
  const caller = callerOf({ tell });
  const { open } = await caller.spending();
  const bought: BoughtItem[] = [];
  for (const { url } of open) {
    const path = url.slice(location.origin.length);
    bought.push(await keep({ path, title: path, price: '' }, await caller.get(path)));
  }
  return bought;
}

/** The reply of a payment again, free, for the wallet that paid, which signs a proof and no payment. */
export async function fetchReply(paymentId: string, purse: Purse): Promise<string> {
  const account = 'wallet' in purse ? await connect(purse.wallet) : purse.account;
  const { reply } = await callerOf({ account }).get(`/api/payments/${paymentId}/response`);
  return reply.text;
}
