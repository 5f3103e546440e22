import { isIP } from 'node:net';
import { z } from 'zod';
import { networks } from '../wire/networks.js';
import { readSigningKey } from '../payments/settlement/facilitator/facilitator-auth.js';
import { maxSettleSeconds } from '../payments/settlement/facilitator/facilitator-client.js';
import { tipWei } from '../payments/settlement/relayer/fee-reader.js';
import { hasChecksum } from '../payments/settlement/key-roles.js';
import { maxBatchSize } from '../payments/settlement/settlement-settings.js';
import { readRates } from '../underwriting/mortgage-rates.js';

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be an address: 0x and 40 hexadecimal digits', abort: true })
  .refine((value) => !/^0x0{40}$/.test(value), 'must not be the zero address: payments there are lost')
  // Wallets refuse to sign for an address whose capitals are no checksum (EIP-55).
  .refine((value) => hasChecksum(value), 'is mistyped: its checksum is wrong. Copy it again.');
const privateKey = z.string().refine(isPrivateKey, 'must be a private key of secp256k1: 0x and 64 hexadecimal digits');
const privateKeys = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()))
  .refine((keys) => keys.every(isPrivateKey), {
    error: 'must be private keys of secp256k1, each 0x and 64 hexadecimal digits, with commas between them',
    abort: true,
  })
  .refine((keys) => new Set(keys.map((key) => key.toLowerCase())).size === keys.length, 'must not have a key twice')
  .default([]);
const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error));
};
/** For less than this nothing could be sent on one of the networks. */
const leastFeeWei = networks
  .map((each) => each.minBaseFeeWei + tipWei)
  .reduce((one, other) => (one > other ? one : other));
const feeError = `must be a number of gwei from ${Number(leastFeeWei) / 1e9} to 10000, with 9 decimals at most`;
/** Given in gwei, read as wei. */
const fee = z
  .string()
  .regex(/^[0-9]{1,5}(\.[0-9]{1,9})?$/, { error: feeError, abort: true })
  .transform((text) => {
    const [whole = '', decimals = ''] = text.split('.');
    return BigInt(whole + decimals.padEnd(9, '0'));
  })
  .refine((wei) => wei >= leastFeeWei && wei <= 10n ** 13n, feeError);
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
const mortgageRates = z
  .string()
  .refine(
    (value) => readRates(value) !== undefined,
    'must be a JSON object with as_of (a day), source, one_to_four_units_pct and five_plus_units_pct (each from 1 to 20)',
  )
  .transform(readRates)
  .optional();
const publicNetworks = networks.filter((network) => !network.isLocal).map((network) => network.id);

const serverSecret = z.string().min(32, 'must have 32 characters or more').optional();

/**
 * Parses every environment variable in the table of settings, strictly. Messages say what to do and contain no secrets.
 */
export const settingSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(4021),
  OPERATOR_HOST: z.string().default('127.0.0.1'),
  OPERATOR_PORT: wholeNumber(0, 65_535).default(4022),
  OPERATOR_TOKEN: serverSecret,
  DATA_DIR: z.string().default('./data'),
  DROP_DIR: z.string().optional(),
  INSTANCE_NAME: z.string().max(100).optional(),
  DATABASE_URL: z
    .string()
    .refine((value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value), 'must be a postgres:// address')
    .optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 500).default(10),
  DATABASE_POOLER: z.enum(['none', 'transaction']).default('none'),
  MIGRATE_AT_START: z.enum(['true', 'false'], { error: 'must be true or false' }).optional(),
  SOURCES_FILE: z.string().optional(),
  CONTACT_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  CLIENT_PACKAGE: z
    .string()
    .regex(
      /^(@[a-z0-9-]+\/)?[a-z0-9][a-z0-9-]*@\d+\.\d+\.\d+$/,
      'must be a name and its version, such as deals-feed@1.0.0',
    )
    .optional(),
  PUBLIC_BASE_URL: z.string().refine(isBaseUrl, 'must be an http or https address with no path and no user').optional(),
  SERVER_SECRET: serverSecret,
  SERVER_SECRET_PREVIOUS: serverSecret,
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((each) => each.trim()))
    .refine(
      (proxies) => proxies.every(isProxy),
      'must be addresses and ranges such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, with commas between them',
    )
    .default([]),
  NODE_ENV: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  LOG_FORMAT: z.enum(['auto', 'json', 'text'], { error: 'must be json, text or auto' }).default('auto'),
  DRAIN_SECONDS: wholeNumber(0, 60).optional(),
  MORTGAGE_RATES: mortgageRates,
  NETWORK: z.enum(publicNetworks, { error: `must be one of ${publicNetworks.join(', ')}` }).default('eip155:8453'),
  PAY_TO: address.optional(),
  RPC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  RPC_BLOCKS_PER_CALL: wholeNumber(1, 1_000_000).default(2_000),
  RELAYER_PRIVATE_KEYS: privateKeys,
  RECEIPT_PRIVATE_KEY: privateKey.optional(),
  REPLY_RETENTION_HOURS: wholeNumber(24, 87_600).default(192),
  FACILITATOR_URL: facilitatorUrl,
  FACILITATOR_HEADERS: headers,
  FACILITATOR_KEY_ID: z.string().optional(),
  FACILITATOR_KEY_SECRET: signingSecret,
  FACILITATOR_VERIFY_SECONDS: wholeNumber(1, 20).default(5),
  FACILITATOR_SETTLE_SECONDS: wholeNumber(5, maxSettleSeconds).default(20),
  FACILITATOR_FALLBACK_URL: facilitatorUrl,
  FACILITATOR_FALLBACK_HEADERS: headers,
  FACILITATOR_FALLBACK_KEY_ID: z.string().optional(),
  FACILITATOR_FALLBACK_KEY_SECRET: signingSecret,
  UNPAID_CALLS_PER_MINUTE: wholeNumber(1, 999_999_999).default(600),
  UNBILLED_CALLS_PER_MINUTE: wholeNumber(1, 999_999_999).default(60),
  COUNTS_PER_MINUTE: wholeNumber(1, 999_999_999).default(60),
  PAID_CALLS_PER_PAYER: wholeNumber(1, 100_000).default(100),
  PAID_CALLS_AT_ONCE: wholeNumber(1, 100_000).default(1_000),
  WALLET_CHECKS_PER_ADDRESS: wholeNumber(0, 100_000).default(10),
  WALLET_CHECKS_PER_MINUTE: wholeNumber(0, 100_000).default(120),
  SETTLE_BATCH_WINDOW_MS: wholeNumber(0, 5_000).default(200),
  SETTLE_BATCH_SIZE: wholeNumber(1, maxBatchSize).default(20),
  CONFIRMATIONS: wholeNumber(1, 10).default(1),
  FEE_BUMP_SECONDS: wholeNumber(1, 600).default(10),
  RELAYER_MAX_FEE_GWEI: fee.default(10n ** 10n),
  RELAYER_LOW_SETTLEMENTS: wholeNumber(1, 1_000_000).default(200),
  FAILED_GAS_PER_HOUR: wholeNumber(400_000, 1_000_000_000).default(1_000_000),
  DEMONSTRATION: z.enum(['true', 'false'], { error: 'must be true or false' }).optional(),
  DEMO_PACE: z
    .string()
    .regex(/^(0|[1-9]\d{0,3}m)$/, { error: 'must be minutes such as 10m, or 0' })
    .optional(),
  ANVIL_BIN: z.string().optional(),
});

export type SettingName = keyof typeof settingSchema.shape;

/** The parsed settings. */
export type ReadSettings = z.infer<typeof settingSchema>;

/** A range of all addresses would let every caller forge its address. */
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

/** Payments and credentials go there, so plain http is allowed only on this machine. */
function isFacilitatorUrl(value: string): boolean {
  if (!/^https?:\/\/[^?#@\s]+$/.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Undefined when the text is not a JSON object of headers. */
function readHeaders(text: string): Record<string, string> | undefined {
  try {
    return Object.fromEntries(new Headers(z.record(z.string(), z.string()).parse(JSON.parse(text))));
  } catch {
    return undefined;
  }
}

/** Order of the secp256k1 group: a private key is smaller. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function isPrivateKey(value: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(value) && BigInt(value) > 0n && BigInt(value) < curveOrder;
}
