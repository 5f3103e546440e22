import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Hex } from './chain/eip3009.js';
import { findNetwork, networks, type Network } from './chain/networks.js';
import { OperatorError } from './errors.js';
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
  readonly anvilPath: string | undefined;
  /** Undefined: demonstration mode, with a local chain, a test token and demonstration data. */
  readonly payment: PaymentConfig | undefined;
}

export interface PaymentConfig {
  readonly network: Network;
  readonly payTo: Hex;
  readonly rpcUrl: string;
  readonly relayerKey: Hex;
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
  const sells = (['NETWORK', 'PAY_TO', 'RPC_URL', 'RELAYER_PRIVATE_KEY'] as const).some(
    (name) => given[name] !== undefined,
  );
  if (sells) {
    for (const name of neededToSell) {
      if (given[name] === undefined) faults.push(`${name}: needed to sell. ${settings[name].description}`);
    }
  }
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
const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error));
};
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
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  NETWORK: z.enum(publicNetworks, { error: `must be one of ${publicNetworks.join(', ')}` }).default('eip155:8453'),
  PAY_TO: address.optional(),
  RPC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  RELAYER_PRIVATE_KEY: z
    .string()
    .refine(isPrivateKey, 'must be a private key of secp256k1: 0x and 64 hexadecimal digits')
    .optional(),
  ANVIL_BIN: z.string().optional(),
} satisfies Record<SettingName, z.ZodType>);

function isBaseUrl(value: string): boolean {
  return /^https?:\/\/[^/?#@\s]+\/?$/.test(value) && URL.canParse(value);
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
    anvilPath: values.ANVIL_BIN,
    payment: toPayment(values),
  };
}

function toPayment(values: z.infer<typeof schema>): PaymentConfig | undefined {
  const network = findNetwork(values.NETWORK);
  const { PAY_TO: payTo, RPC_URL: rpcUrl, RELAYER_PRIVATE_KEY: relayerKey } = values;
  if (network === undefined || payTo === undefined || rpcUrl === undefined || relayerKey === undefined)
    return undefined;
  return { network, payTo: payTo as Hex, rpcUrl, relayerKey: relayerKey as Hex };
}
