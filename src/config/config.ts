import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Hex } from '../payments/chain/eip3009.js';
import { findNetwork } from '../wire/networks.js';
import type { ChainSettings } from '../payments/settlement/connect-chain.js';
import type { Launch } from './environment.js';
import { OperatorError } from '../errors.js';
import type { LogFormat } from '../log.js';
import type { FacilitatorCredentials } from '../payments/settlement/facilitator/facilitator-auth.js';
import type { FacilitatorTimeouts } from '../payments/settlement/facilitator/facilitator-client.js';
import type { LimitSettings } from '../limits/limits.js';
import type { SettlementSettings } from '../payments/settlement/settlement-settings.js';
import type { SourcedRates } from '../underwriting/mortgage-rates.js';
import { isSourceSecret } from './secret-files.js';
import { facilitatorSettings, findingsOf, judgeSettings, type SettingFinding } from './setting-faults.js';
import { settingSchema, type ReadSettings, type SettingName } from './setting-schema.js';
import type { EnvironmentValues } from './settings.js';

/** The server's whole configuration. Created once, at start; nothing else reads the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where its operator watches it; with port 0 nowhere. */
  readonly operator: { readonly host: string; readonly port: number; readonly token: string | undefined };
  readonly dataDirectory: string;
  readonly dropDirectory: string;
  /** Name of this instance, shown to its operator. */
  readonly instanceName: string;
  /** File that lists the sources read over HTTP. Undefined: none are. */
  readonly sourcesFile: string | undefined;
  /** Page about this service for operators of the servers it reads. Always known with a sources file. */
  readonly contactUrl: string | undefined;
  /** The published command, as name@version. Undefined: its owner has published none. */
  readonly clientPackage: string | undefined;
  /** Keys of sources by the names of their variables, `SOURCE_SECRET_...`. */
  readonly sourceSecrets: ReadonlyMap<string, string>;
  /** Undefined: uses the embedded database in the data directory. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  /** Between this process and PostgreSQL. */
  readonly databasePooler: 'none' | 'transaction';
  /** False: a start waits until somebody has updated the schema. */
  readonly migrateAtStart: boolean;
  /** Without a trailing slash. Undefined: the listening address (demonstration only). */
  readonly publicBaseUrl: string | undefined;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
  /** How long a stopping server still answers new requests, in milliseconds. */
  readonly drainMs: number;
  /** Undefined: generated and stored in the data directory (demonstration only). */
  readonly serverSecret: string | undefined;
  /** Also accepted, while the secret is being changed. */
  readonly previousServerSecret: string | undefined;
  /** Addresses, ranges and names of ranges, as express takes them. */
  readonly trustedProxies: readonly string[];
  readonly limits: LimitSettings;
  /** Minimum time for which a paid reply can be redelivered. */
  readonly replyRetentionMs: number;
  readonly anvilPath: string | undefined;
  /** How often the demonstration changes, in minutes; 0: never. */
  readonly demoPaceMinutes: number;
  /** Interest rates as the operator states them. Undefined: those that the program carries. */
  readonly mortgageRates: SourcedRates | undefined;
  /** Undefined: demonstration mode, with a local chain, a test token and demonstration data. */
  readonly payment: PaymentConfig | undefined;
  readonly settlement: SettlementSettings;
}

export interface PaymentConfig extends ChainSettings {
  /** The first settles; all verify, in this order. Empty when the service settles itself. */
  readonly facilitators: readonly FacilitatorConfig[];
  readonly facilitatorTimeouts: FacilitatorTimeouts;
}

export interface FacilitatorConfig extends FacilitatorCredentials {
  readonly url: string;
}

/** The configuration, and all that is wrong with it: settings that are malformed are read as not given. */
export interface JudgedConfig {
  readonly config: Config;
  readonly findings: readonly SettingFinding[];
}

/**
 * Reads the configuration and rejects what would fail later: lists every fault at once, each with what to do and
 * without secrets. Rejects a demonstration that was not requested.
 *
 * @throws OperatorError
 */
export function readConfig(values: EnvironmentValues, launch: Launch): Config {
  const { config, findings } = judgeConfig(values, launch);
  refuseAny(findings);
  return config;
}

/** @throws OperatorError with every sentence that refuses */
export function refuseAny(findings: readonly { readonly severity: string; readonly sentence: string }[]): void {
  const faults = findings.filter(({ severity }) => severity === 'refuse');
  if (faults.length === 0) return;
  throw new OperatorError(
    `The configuration is not valid:\n${faults.map((each) => `  - ${each.sentence}`).join('\n')}`,
  );
}

/** Reads the configuration as far as it can be read. */
export function judgeConfig(values: EnvironmentValues, launch: Launch): JudgedConfig {
  const given = Object.fromEntries(
    Object.keys(settingSchema.shape).flatMap((name) => {
      const value = values[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  ) as Partial<Record<SettingName, string>>;
  const issues = settingSchema.safeParse(given).error?.issues ?? [];
  const malformed = issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const findings = [...findingsOf('settings.value', malformed), ...judgeSettings(given, values, launch)];
  const sound = Object.entries(given).filter(([name]) => issues.every(({ path: [faulty] }) => faulty !== name));
  const read = settingSchema.parse(Object.fromEntries(sound));
  return { config: toConfig(read, readSourceSecrets(values), launch), findings };
}

/** Where the server listens. Reads nothing else, so that it is known without what selling needs. */
export function readListeningPlace({ HOST: host, PORT: port }: EnvironmentValues): Pick<Config, 'host' | 'port'> {
  const { HOST, PORT } = settingSchema.pick({ HOST: true, PORT: true }).parse({ HOST: host, PORT: port });
  return { host: HOST, port: PORT };
}

function readSourceSecrets(values: EnvironmentValues): ReadonlyMap<string, string> {
  const named = Object.entries(values).filter(([name]) => isSourceSecret(name));
  return new Map(named.flatMap(([name, value = '']) => (value.trim() === '' ? [] : [[name, value.trim()]])));
}

function toConfig(values: ReadSettings, sourceSecrets: ReadonlyMap<string, string>, { onTerminal }: Launch): Config {
  const dataDirectory = resolve(values.DATA_DIR);
  return {
    host: values.HOST,
    port: values.PORT,
    operator: { host: values.OPERATOR_HOST, port: values.OPERATOR_PORT, token: values.OPERATOR_TOKEN },
    dataDirectory,
    dropDirectory: values.DROP_DIR === undefined ? resolve(dataDirectory, 'drop') : resolve(values.DROP_DIR),
    instanceName: values.INSTANCE_NAME ?? hostname(),
    sourcesFile: values.SOURCES_FILE === undefined ? undefined : resolve(values.SOURCES_FILE),
    contactUrl: values.CONTACT_URL ?? values.PUBLIC_BASE_URL?.replace(/\/$/, ''),
    clientPackage: values.CLIENT_PACKAGE,
    sourceSecrets,
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    databasePooler: values.DATABASE_POOLER,
    migrateAtStart: values.MIGRATE_AT_START !== 'false',
    publicBaseUrl: values.PUBLIC_BASE_URL?.replace(/\/$/, ''),
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT === 'auto' ? (onTerminal ? 'text' : 'json') : values.LOG_FORMAT,
    drainMs: (values.DRAIN_SECONDS ?? (onTerminal ? 0 : 5)) * 1_000,
    serverSecret: values.SERVER_SECRET,
    previousServerSecret: values.SERVER_SECRET_PREVIOUS,
    trustedProxies: values.TRUSTED_PROXIES,
    limits: {
      unpaidCallsPerMinute: values.UNPAID_CALLS_PER_MINUTE,
      unbilledCallsPerMinute: values.UNBILLED_CALLS_PER_MINUTE,
      countsPerMinute: values.COUNTS_PER_MINUTE,
      paidCallsPerPayer: values.PAID_CALLS_PER_PAYER,
      paidCallsAtOnce: values.PAID_CALLS_AT_ONCE,
      walletChecksPerMinute: values.WALLET_CHECKS_PER_MINUTE,
      walletChecksPerAddress: values.WALLET_CHECKS_PER_ADDRESS,
    },
    replyRetentionMs: values.REPLY_RETENTION_HOURS * 3_600_000,
    anvilPath: values.ANVIL_BIN,
    demoPaceMinutes: Number.parseInt(values.DEMO_PACE ?? '10', 10),
    mortgageRates: values.MORTGAGE_RATES,
    payment: toPayment(values),
    settlement: {
      windowMs: values.SETTLE_BATCH_WINDOW_MS,
      maxItems: values.SETTLE_BATCH_SIZE,
      confirmations: values.CONFIRMATIONS,
      bumpAfterMs: values.FEE_BUMP_SECONDS * 1_000,
      maxFeeWei: values.RELAYER_MAX_FEE_GWEI,
      lowSettlements: values.RELAYER_LOW_SETTLEMENTS,
      failedGasPerHour: BigInt(values.FAILED_GAS_PER_HOUR),
    },
  };
}

function toPayment(values: ReadSettings): PaymentConfig | undefined {
  const network = findNetwork(values.NETWORK);
  const { PAY_TO: payTo, RPC_URL: rpcUrl, RELAYER_PRIVATE_KEYS: relayerKeys } = values;
  if (network === undefined || payTo === undefined || rpcUrl === undefined) return undefined;
  const facilitators = facilitatorSettings.flatMap(([url, rest]) => toFacilitator(values, url, rest) ?? []);
  const receiptKey = values.RECEIPT_PRIVATE_KEY as Hex | undefined;
  const blocksPerCall = BigInt(values.RPC_BLOCKS_PER_CALL);
  return {
    network,
    payTo: payTo as Hex,
    rpcUrl,
    blocksPerCall,
    relayerKeys: relayerKeys as Hex[],
    receiptKey,
    facilitators,
    facilitatorTimeouts: {
      verifyMs: values.FACILITATOR_VERIFY_SECONDS * 1_000,
      settleMs: values.FACILITATOR_SETTLE_SECONDS * 1_000,
    },
  };
}

function toFacilitator(
  values: ReadSettings,
  urlName: (typeof facilitatorSettings)[number][0],
  [headersName, idName, secretName]: (typeof facilitatorSettings)[number][1],
): FacilitatorConfig | undefined {
  const { [urlName]: url, [headersName]: given, [idName]: id, [secretName]: secret } = values;
  if (url === undefined) return undefined;
  return { url, headers: given ?? {}, ...(id !== undefined && secret !== undefined && { signingKey: { id, secret } }) };
}
