import { isPrivateKey, type PrivateKey } from './payments/choose-payer.js';
import { readServerAddress } from './wire/server-address.js';

/** Invalid command line or environment. The message says why and what to use instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Environment variables of the buyer's command and the bridge. */
export interface BuyerEnvironment {
  readonly BASE_URL?: string | undefined;
  readonly PRIVATE_KEY?: string | undefined;
  readonly RPC_URL?: string | undefined;
}

/** The server to buy from and the key to pay with. */
export interface Buyer {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Undefined when not set. */
  readonly privateKey: PrivateKey | undefined;
  /** A node of the network that pays; undefined when not set. */
  readonly rpcUrl: string | undefined;
}

const defaultBaseUrl = 'http://127.0.0.1:4021';

/** The variables and their meanings, as `--help` prints them. */
export const buyerVariables: readonly (readonly [name: keyof BuyerEnvironment, meaning: string])[] = [
  ['BASE_URL', `The server. Default ${defaultBaseUrl}.`],
  [
    'PRIVATE_KEY',
    'Key of the account that pays: 0x and 64 hexadecimal digits. Default, on the local demonstration chain only: the ' +
      "public key of the demonstration's buyer. It is worth nothing anywhere else.",
  ],
];

/** Reads the environment. An empty variable counts as not set. @throws UsageError, which never contains the key */
export function readBuyerEnvironment({ BASE_URL, PRIVATE_KEY, RPC_URL }: BuyerEnvironment): Buyer {
  const baseUrl = readServerAddress(BASE_URL || defaultBaseUrl);
  const privateKey = PRIVATE_KEY || undefined;
  if (baseUrl === undefined)
    throw new UsageError('BASE_URL must be an http or https address, without a user, a query or a fragment.');
  if (/\/api$/.test(baseUrl)) throw new UsageError('BASE_URL ends in /api; leave it out.');
  if (privateKey !== undefined && !isPrivateKey(privateKey))
    throw new UsageError('PRIVATE_KEY must be the key of an account: 0x and 64 hexadecimal digits.');
  const rpcUrl = RPC_URL || undefined;
  if (rpcUrl !== undefined && !isNodeAddress(rpcUrl))
    throw new UsageError('RPC_URL must be an http or https address without a user.');
  return { baseUrl, privateKey, rpcUrl };
}

function isNodeAddress(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
