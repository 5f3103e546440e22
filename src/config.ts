import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Hex } from './chain/eip3009.js';
import { findNetwork, networks, type Network } from './chain/networks.js';
import { OperatorError } from './errors.js';
import { readSigningKey, type FacilitatorCredentials } from './payments/settlers/facilitator-auth.js';
import type { LimitSettings } from './limits/limits.js';
import { maxBatchSize, type SettlementSettings } from './payments/settlers/settlement-settings.js';
import { settings, type SettingName } from './settings.js';

/** Everything the server runs on. Made once, at start; nothing else reads the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
  readonly dropDirectory: string;
  /** Undefined: the embedded database in the data directory. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  /** Without a trailing slash. Undefined: the address the server listens on (demonstration only). */
  readonly publicBaseUrl: string | undefined;
  readonly logLevel: string;
  /** Undefined: one is made and kept in the data directory (demonstration only). */
  readonly serverSecret: string | undefined;
  /** Addresses, ranges and names of ranges, as express takes them. */
  readonly trustedProxies: readonly string[];
  readonly limits: LimitSettings;
  /** Sold replies can be delivered again for at least so long. */
  readonly replyRetentionMs: number;
  readonly anvilPath: string | undefined;
  /** Undefined: demonstration mode, with a local chain, a test token and demonstration data. */
  readonly payment: PaymentConfig | undefined;
  readonly settlement: SettlementSettings;
}

export interface PaymentConfig {
  readonly network: Network;
  readonly payTo: Hex;
  readonly rpcUrl: string;
  /** How many blocks one eth_getLogs may cover. */
  readonly blocksPerCall: bigint;
  /** Undefined exactly when a facilitator settles. */
  readonly relayerKey: Hex | undefined;
  /** Signs offers and receipts. Undefined: none are signed. */
  readonly receiptKey: Hex | undefined;
  /** The first settles; all verify, in this order. Empty when the service settles itself. */
  readonly facilitators: readonly FacilitatorConfig[];
}

export interface FacilitatorConfig extends FacilitatorCredentials {
  readonly url: string;
}

/**
 * Reads the configuration and refuses what would fail later: every fault at once, each with what to do, none with a
 * secret in it.
 *
 * @throws OperatorError
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.keys(settings).flatMap((name) => {
      const value = environment[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  ) as Partial<Record<SettingName, string>>;
  const faults: string[] = [];
  const parsed = schema.safeParse(given);
  if (!parsed.success) faults.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  faults.push(...findMissing(given));
  if (!parsed.success || faults.length > 0) {
    throw new OperatorError(`The configuration cannot work:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
  return toConfig(parsed.data);
}

/** The environment of this process, with a `.env` file in the working directory beneath it. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** One word of selling, and everything must be there for it: a server that is to sell never demonstrates by mistake. */
function findMissing(given: Partial<Record<SettingName, string>>): string[] {
  const has = (name: SettingName): boolean => given[name] !== undefined;
  const words = (Object.keys(settings) as SettingName[]).filter((name) => isOfSelling(settings[name].group));
  if (!words.some(has)) return [];
  const hasFacilitator = has('FACILITATOR_URL');
  const faults = neededToSell
    .filter((name) => !has(name) && !(hasFacilitator && name === 'RELAYER_PRIVATE_KEY'))
    .map((name) => `${name}: needed to sell. ${settings[name].description}`);
  if (hasFacilitator && has('RELAYER_PRIVATE_KEY'))
    faults.push('RELAYER_PRIVATE_KEY: not used with FACILITATOR_URL. Give one of the two.');
  for (const [url, rest] of facilitatorSettings) {
    if (!has(url)) faults.push(...rest.filter(has).map((name) => `${name}: means nothing without ${url}.`));
    const [, id, secret] = rest;
    if (has(id) !== has(secret)) faults.push(`${has(id) ? secret : id}: needed with ${has(id) ? id : secret}.`);
  }
  if (has('FACILITATOR_FALLBACK_URL') && !hasFacilitator)
    faults.push('FACILITATOR_FALLBACK_URL: means nothing without FACILITATOR_URL.');
  return faults;
}

function isOfSelling(group: string): boolean {
  return group === 'sell' || group === 'facilitate';
}

/** The settings of each facilitator: its address; headers, key id, key secret. */
const facilitatorSettings = [
  ['FACILITATOR_URL', ['FACILITATOR_HEADERS', 'FACILITATOR_KEY_ID', 'FACILITATOR_KEY_SECRET']],
  [
    'FACILITATOR_FALLBACK_URL',
    ['FACILITATOR_FALLBACK_HEADERS', 'FACILITATOR_FALLBACK_KEY_ID', 'FACILITATOR_FALLBACK_KEY_SECRET'],
  ],
] as const;

const neededToSell = [
  'PAY_TO',
  'RPC_URL',
  'RELAYER_PRIVATE_KEY',
  'DATABASE_URL',
  'PUBLIC_BASE_URL',
  'SERVER_SECRET',
] as const;

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits')
  .refine((value) => !/^0x0{40}$/.test(value), 'must not be the zero address: what is paid there is lost');
const privateKey = z.string().refine(isPrivateKey, 'must be a private key of secp256k1: 0x and 64 hexadecimal digits');
const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error));
};
const facilitatorUrl = z
  .string()
  .refine(isFacilitatorUrl, 'must be an https address with no user and no query (http on this machine only)')
  .transform((value) => value.replace(/\/+$/, ''))
  .optional();
const headers = z
  .string()
  .refine((value) => readHeaders(value) !== undefined, 'must be a JSON object of header names and texts')
  .transform(readHeaders)
  .optional();
const signingSecret = z
  .string()
  .refine(
    (value) => readSigningKey(value) !== undefined,
    'must be an Ed25519 key (64 bytes in base64, or PEM) or a P-256 key (PEM)',
  )
  .optional();
const publicNetworks = networks.filter((network) => !network.isLocal).map((network) => network.id);

const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(4021),
  DATA_DIR: z.string().default('./data'),
  DROP_DIR: z.string().optional(),
  DATABASE_URL: z
    .string()
    .refine((value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value), 'must be a postgres:// address')
    .optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 500).default(10),
  PUBLIC_BASE_URL: z.string().refine(isBaseUrl, 'must be an http or https address with no path and no user').optional(),
  SERVER_SECRET: z
    .string()
    .min(32, 'must have 32 characters or more')
    .refine((value) => value !== settings.SERVER_SECRET.example, 'must not be the published example')
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((each) => each.trim()))
    .refine(
      (proxies) => proxies.every(isProxy),
      'must be addresses and ranges such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, with commas between them',
    )
    .default([]),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  NETWORK: z.enum(publicNetworks, { error: `must be one of ${publicNetworks.join(', ')}` }).default('eip155:8453'),
  PAY_TO: address.optional(),
  RPC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  RPC_BLOCKS_PER_CALL: wholeNumber(1, 1_000_000).default(2_000),
  RELAYER_PRIVATE_KEY: privateKey.optional(),
  RECEIPT_PRIVATE_KEY: privateKey.optional(),
  REPLY_RETENTION_HOURS: wholeNumber(24, 87_600).default(192),
  FACILITATOR_URL: facilitatorUrl,
  FACILITATOR_HEADERS: headers,
  FACILITATOR_KEY_ID: z.string().optional(),
  FACILITATOR_KEY_SECRET: signingSecret,
  FACILITATOR_FALLBACK_URL: facilitatorUrl,
  FACILITATOR_FALLBACK_HEADERS: headers,
  FACILITATOR_FALLBACK_KEY_ID: z.string().optional(),
  FACILITATOR_FALLBACK_KEY_SECRET: signingSecret,
  UNPAID_CALLS_PER_MINUTE: wholeNumber(1, 999_999_999).default(600),
  UNBILLED_CALLS_PER_MINUTE: wholeNumber(1, 999_999_999).default(60),
  PAID_CALLS_PER_PAYER: wholeNumber(1, 100_000).default(100),
  PAID_CALLS_AT_ONCE: wholeNumber(1, 100_000).default(1_000),
  WALLET_CHECKS_PER_ADDRESS: wholeNumber(0, 100_000).default(10),
  WALLET_CHECKS_PER_MINUTE: wholeNumber(0, 100_000).default(120),
  SETTLE_BATCH_WINDOW_MS: wholeNumber(0, 5_000).default(200),
  SETTLE_BATCH_SIZE: wholeNumber(1, maxBatchSize).default(20),
  CONFIRMATIONS: wholeNumber(1, 10).default(1),
  FEE_BUMP_SECONDS: wholeNumber(1, 600).default(10),
  RELAYER_MAX_FEE_GWEI: wholeNumber(1, 10_000).default(10),
  RELAYER_LOW_SETTLEMENTS: wholeNumber(1, 1_000_000).default(200),
  ANVIL_BIN: z.string().optional(),
} satisfies Record<SettingName, z.ZodType>);

/** A range of all addresses would let every caller write its own address. */
function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9][0-9]{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function isBaseUrl(value: string): boolean {
  return /^https?:\/\/[^/?#@\s]+\/?$/.test(value) && URL.canParse(value);
}

/** Payments and credentials go there: in the open only where nobody is in between. */
function isFacilitatorUrl(value: string): boolean {
  if (!/^https?:\/\/[^?#@\s]+$/.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Undefined when they are none. */
function readHeaders(text: string): Record<string, string> | undefined {
  try {
    return Object.fromEntries(new Headers(z.record(z.string(), z.string()).parse(JSON.parse(text))));
  } catch {
    return undefined;
  }
}

/** Number of points of secp256k1: a private key is smaller. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function isPrivateKey(value: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(value) && BigInt(value) > 0n && BigInt(value) < curveOrder;
}

function toConfig(values: z.infer<typeof schema>): Config {
  const dataDirectory = resolve(values.DATA_DIR);
  return {
    host: values.HOST,
    port: values.PORT,
    dataDirectory,
    dropDirectory: values.DROP_DIR === undefined ? resolve(dataDirectory, 'drop') : resolve(values.DROP_DIR),
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    publicBaseUrl: values.PUBLIC_BASE_URL?.replace(/\/$/, ''),
    logLevel: values.LOG_LEVEL,
    serverSecret: values.SERVER_SECRET,
    trustedProxies: values.TRUSTED_PROXIES,
    limits: {
      unpaidCallsPerMinute: values.UNPAID_CALLS_PER_MINUTE,
      unbilledCallsPerMinute: values.UNBILLED_CALLS_PER_MINUTE,
      paidCallsPerPayer: values.PAID_CALLS_PER_PAYER,
      paidCallsAtOnce: values.PAID_CALLS_AT_ONCE,
      walletChecksPerMinute: values.WALLET_CHECKS_PER_MINUTE,
      walletChecksPerAddress: values.WALLET_CHECKS_PER_ADDRESS,
    },
    replyRetentionMs: values.REPLY_RETENTION_HOURS * 3_600_000,
    anvilPath: values.ANVIL_BIN,
    payment: toPayment(values),
    settlement: {
      windowMs: values.SETTLE_BATCH_WINDOW_MS,
      maxItems: values.SETTLE_BATCH_SIZE,
      confirmations: values.CONFIRMATIONS,
      bumpAfterMs: values.FEE_BUMP_SECONDS * 1_000,
      maxFeeWei: BigInt(values.RELAYER_MAX_FEE_GWEI) * 10n ** 9n,
      lowSettlements: values.RELAYER_LOW_SETTLEMENTS,
    },
  };
}

function toPayment(values: z.infer<typeof schema>): PaymentConfig | undefined {
  const network = findNetwork(values.NETWORK);
  const { PAY_TO: payTo, RPC_URL: rpcUrl, RELAYER_PRIVATE_KEY: relayerKey } = values;
  if (network === undefined || payTo === undefined || rpcUrl === undefined) return undefined;
  const facilitators = facilitatorSettings.flatMap(([url, rest]) => toFacilitator(values, url, rest) ?? []);
  const receiptKey = values.RECEIPT_PRIVATE_KEY as Hex | undefined;
  const blocksPerCall = BigInt(values.RPC_BLOCKS_PER_CALL);
  return {
    network,
    payTo: payTo as Hex,
    rpcUrl,
    blocksPerCall,
    relayerKey: relayerKey as Hex | undefined,
    receiptKey,
    facilitators,
  };
}

function toFacilitator(
  values: z.infer<typeof schema>,
  urlName: (typeof facilitatorSettings)[number][0],
  [headersName, idName, secretName]: (typeof facilitatorSettings)[number][1],
): FacilitatorConfig | undefined {
  const { [urlName]: url, [headersName]: given, [idName]: id, [secretName]: secret } = values;
  if (url === undefined) return undefined;
  return { url, headers: given ?? {}, ...(id !== undefined && secret !== undefined && { signingKey: { id, secret } }) };
}
