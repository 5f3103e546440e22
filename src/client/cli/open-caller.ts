import { privateKeyToAccount } from 'viem/accounts';
import { createProgressLine } from '../../terminal/progress-line.js';
import type { Caller } from '../create-caller.js';
import {
  createKeyNeededError,
  createProofKeyNeededError,
  demonstrationKey,
  type PrivateKey,
} from '../payments/choose-payer.js';
import { createCaller } from '../create-caller.js';
import type { Quote } from '../deals-client.js';
import { type Network, networks } from '../../wire/networks.js';
import { describePrice } from './describe-purchase.js';
import { parseUsd } from '../payments/usd.js';
import { readBalances, type Balance } from './read-balances.js';
import { readProblem } from '../wire/read-problem.js';
import { isNotYetPublished } from '../wire/send-patiently.js';
import type { Surroundings } from './surroundings.js';

/** The account that pays, and the tokens that it can use. */
export interface Wallet {
  readonly account: ReturnType<typeof privateKeyToAccount>;
  readonly tokens: readonly Network[];
}

/** The account of the key, or the demonstration's buyer, for its local chain only. */
export function openWallet(privateKey: PrivateKey | undefined): Wallet {
  if (privateKey !== undefined) return { account: privateKeyToAccount(privateKey), tokens: networks };
  return { account: privateKeyToAccount(demonstrationKey), tokens: networks.filter(({ isLocal }) => isLocal) };
}

/** Creates the caller that pays from the wallet. It prints each price before signing, and a balance below it. */
export function openCaller(
  baseUrl: string,
  wallet: Wallet,
  rpcUrl: string | undefined,
  surroundings: Surroundings,
): Caller {
  const { notes, storage, sleep, signal, now, random, randomBytes } = surroundings;
  /** True after the wait for the first publication was announced; it is announced once. */
  let isTold = false;
  return createCaller({
    storage,
    sleep,
    now,
    random,
    randomBytes,
    ...(signal && { signal }),
    baseUrl,
    account: wallet.account,
    outlastsSilence: false,
    onWait(seconds, reply) {
      const isFirstPublication = isNotYetPublished(reply);
      if (isFirstPublication && isTold) return;
      createProgressLine(notes, now).clear();
      isTold ||= isFirstPublication;
      if (isFirstPublication) notes.write(`${reply && readProblem(reply)?.detail} Waiting for it.\n`);
      else notes.write(`The server asks to wait; retrying in ${seconds} s.\n`);
    },
    async onBeforePay(quote) {
      notes.write(`${describePrice(quote)}\n`);
      assertPayable(quote, wallet);
      const { address } = wallet.account;
      notes.write(describeShortage(quote, address, await readBalances(address, wallet.tokens, rpcUrl)));
    },
    onBeforeProve(token) {
      // The demonstration's buyer has paid only on the demonstration's chain.
      if (!wallet.tokens.includes(token)) throw createProofKeyNeededError(token);
    },
  });
}

/** Empty where the balance is enough or unknown: the chain decides. */
function describeShortage({ network, price }: Quote, address: string, balances: readonly Balance[]): string {
  const { amount = null, symbol = '' } = balances.find((each) => each.network === network) ?? {};
  if (amount === null || (parseUsd(amount) ?? 0n) >= (parseUsd(price) ?? 0n)) return '';
  return `${address} holds ${amount} ${symbol} there, less than the price.\n`;
}

function assertPayable({ network }: Quote, wallet: Wallet): void {
  const token = networks.find(({ id }) => id === network);
  if (token !== undefined && !wallet.tokens.includes(token)) throw createKeyNeededError(token);
}
