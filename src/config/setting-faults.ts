import { distance } from 'fastest-levenshtein';
import type { Launch } from './environment.js';
import { readRates } from '../underwriting/mortgage-rates.js';
import { isSecretFile, isSourceSecret } from './secret-files.js';
import type { SettingName } from './setting-schema.js';
import { settings, type EnvironmentValues } from './settings.js';

/** The given settings by name. */
export type GivenSettings = Readonly<Partial<Record<SettingName, string>>>;

/** What is wrong with the settings, by the check that finds it. */
export interface SettingFinding {
  readonly check: `settings.${'value' | 'missing' | 'unknown' | 'env_file' | 'demonstration' | 'exposure'}`;
  /** refuse: it prevents the start; warn: odd but harmless. */
  readonly severity: 'refuse' | 'warn';
  readonly sentence: string;
}

/** Findings of one check, which prevent the start unless said otherwise. */
export function findingsOf(
  check: SettingFinding['check'],
  sentences: readonly string[],
  severity: SettingFinding['severity'] = 'refuse',
): SettingFinding[] {
  return sentences.map((sentence) => ({ check, severity, sentence }));
}

/** The settings of each facilitator: its URL; headers, key id, key secret. */
export const facilitatorSettings = [
  ['FACILITATOR_URL', ['FACILITATOR_HEADERS', 'FACILITATOR_KEY_ID', 'FACILITATOR_KEY_SECRET']],
  [
    'FACILITATOR_FALLBACK_URL',
    ['FACILITATOR_FALLBACK_HEADERS', 'FACILITATOR_FALLBACK_KEY_ID', 'FACILITATOR_FALLBACK_KEY_SECRET'],
  ],
] as const;

/** The settings shared by both facilitators. */
const facilitatorTimes = ['FACILITATOR_VERIFY_SECONDS', 'FACILITATOR_SETTLE_SECONDS'] as const;

const neededToSell = [
  'PAY_TO',
  'RPC_URL',
  'RELAYER_PRIVATE_KEYS',
  'DATABASE_URL',
  'PUBLIC_BASE_URL',
  'SERVER_SECRET',
] as const;

const names = Object.keys(settings) as SettingName[];
const paymentGroups: readonly string[] = ['sell', 'facilitate', 'settle'];
const paymentSettings = names.filter((name) => paymentGroups.includes(settings[name].group));

/**
 * Judges the settings as a whole: missing ones, contradictions, unknown names, and a demonstration not requested. A
 * single payment setting requires all settings needed to sell.
 */
export function judgeSettings(given: GivenSettings, values: EnvironmentValues, launch: Launch): SettingFinding[] {
  const payments = paymentSettings.filter((name) => given[name] !== undefined);
  const faults = payments.length > 0 ? findPaymentFaults(given, payments) : findUnasked(given, values, launch);
  const unknown = findUnknown(values, launch.envFile?.names ?? []);
  const demonstrates = payments.length === 0 && faults.length === 0;
  return [
    ...findingsOf('settings.value', launch.secretFileFaults ?? []),
    ...faults,
    ...findingsOf('settings.missing', findUnsaid(given)),
    ...findingsOf('settings.exposure', findOpenPort(given)),
    ...findingsOf('settings.value', [...findPublished(given), ...findFutureRates(given, launch.now ?? new Date())]),
    ...findingsOf('settings.unknown', unknown.near, demonstrates ? 'warn' : 'refuse'),
    ...findingsOf('settings.unknown', unknown.other, 'warn'),
    ...findingsOf('settings.env_file', findPublicFile(launch), 'warn'),
  ];
}

function findPublicFile({ envFile }: Launch): readonly string[] {
  return envFile?.isPublic === true ? [`${envFile.path} can be read by others. Run: chmod 600 ${envFile.path}`] : [];
}

function findPaymentFaults(given: GivenSettings, payments: readonly SettingName[]): SettingFinding[] {
  if (given.DEMONSTRATION !== 'true')
    return [
      ...findingsOf(
        'settings.demonstration',
        given.DEMO_PACE === undefined ? [] : ['DEMO_PACE: only for the demonstration. Remove it to sell.'],
      ),
      ...findingsOf('settings.missing', findMissing(given)),
      ...findingsOf('settings.exposure', findUnencrypted(given)),
    ];
  const list = payments.join(', ');
  return findingsOf('settings.demonstration', [
    `DEMONSTRATION: cannot be combined with payment settings: ${list}. To sell, remove DEMONSTRATION; else remove them.`,
  ]);
}

function findMissing(given: GivenSettings): readonly string[] {
  const has = (name: SettingName): boolean => given[name] !== undefined;
  const hasFacilitator = has('FACILITATOR_URL');
  const faults = neededToSell
    .filter((name) => !has(name) && !(hasFacilitator && name === 'RELAYER_PRIVATE_KEYS'))
    .map((name) => `${name}: needed to sell. ${settings[name].description}`);
  if (hasFacilitator && has('RELAYER_PRIVATE_KEYS'))
    faults.push('RELAYER_PRIVATE_KEYS: not used with FACILITATOR_URL. Give one of the two.');
  if (!hasFacilitator)
    faults.push(...facilitatorTimes.filter(has).map((name) => `${name}: has no effect without FACILITATOR_URL.`));
  for (const [url, rest] of facilitatorSettings) {
    if (!has(url)) faults.push(...rest.filter(has).map((name) => `${name}: has no effect without ${url}.`));
    const [, id, secret] = rest;
    if (has(id) !== has(secret)) faults.push(`${has(id) ? secret : id}: needed with ${has(id) ? id : secret}.`);
  }
  if (has('FACILITATOR_FALLBACK_URL') && !hasFacilitator)
    faults.push('FACILITATOR_FALLBACK_URL: has no effect without FACILITATOR_URL.');
  return faults;
}

/** Whoever is between could change the offers, and with them whom buyers pay. */
function findUnencrypted({ NETWORK: network, PUBLIC_BASE_URL: url }: GivenSettings): readonly string[] {
  if (network === 'eip155:84532' || url?.startsWith('http://') !== true) return [];
  return ['PUBLIC_BASE_URL: must be an https address where real money is paid. Put a proxy with TLS in front.'];
}

/** The operator's page names payers and hosts. */
function findOpenPort({ OPERATOR_HOST: host = '127.0.0.1', OPERATOR_TOKEN: token }: GivenSettings): readonly string[] {
  if (token !== undefined || /^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host)) return [];
  return [`OPERATOR_HOST: beyond this machine only with OPERATOR_TOKEN. ${settings.OPERATOR_TOKEN.description}`];
}

function findUnsaid(given: GivenSettings): readonly string[] {
  const isSaid = (given.CONTACT_URL ?? given.PUBLIC_BASE_URL) !== undefined;
  if (given.SOURCES_FILE === undefined || isSaid) return [];
  return [`CONTACT_URL: needed with SOURCES_FILE. ${settings.CONTACT_URL.description}`];
}

function findPublished(given: GivenSettings): readonly string[] {
  const secrets = ['SERVER_SECRET', 'SERVER_SECRET_PREVIOUS', 'OPERATOR_TOKEN'] as const;
  const published = secrets.map((name) => settings[name].example);
  const found = secrets.filter((name) => published.includes(given[name] ?? ''));
  return found.map((name) => `${name}: must not be the published example`);
}

/** Never refused for their age: a restart must not stop the shop. */
function findFutureRates({ MORTGAGE_RATES: text }: GivenSettings, now: Date): readonly string[] {
  const rates = text === undefined ? undefined : readRates(text);
  const today = now.toISOString().slice(0, 10);
  return rates && rates.asOf > today ? [`MORTGAGE_RATES: as_of is in the future: ${rates.asOf}.`] : [];
}

/** A configuration that was not found looks empty, so fictional data is served only when clearly intended. */
function findUnasked(
  given: GivenSettings,
  values: EnvironmentValues,
  { onTerminal, envFile }: Launch,
): SettingFinding[] {
  const isAttended = onTerminal || isByNpm(values);
  if (given.DEMONSTRATION === 'true') return [];
  if (given.DEMONSTRATION === undefined && isAttended && given.NODE_ENV !== 'production') return [];
  const place =
    envFile &&
    (envFile.names === undefined ? `${envFile.path} does not exist` : `${envFile.path} has no payment settings`);
  return findingsOf('settings.demonstration', [
    `DEMONSTRATION: not requested, and nothing to sell is configured${place === undefined ? '' : `: ${place}`}. ` +
      'To sell, start in the directory of your .env, or give its settings as environment variables. ' +
      'To demonstrate, set DEMONSTRATION=true.',
  ]);
}

/**
 * npm names the script and package it runs. Programs that a script starts inherit both, including other packages'
 * programs.
 */
function isByNpm({ npm_lifecycle_event: script, npm_package_name: name }: EnvironmentValues): boolean {
  return name === 'multifamily-deals-feed-server' && (script === 'start' || script === 'cli');
}

/** Shorter names resemble too many others. */
const minLength = 8;
const maxEdits = 2;

/** Names that are not settings: similar to one, from anywhere in the environment; and all others in `.env`. */
function findUnknown(values: EnvironmentValues, fileNames: readonly string[]): { near: string[]; other: string[] } {
  const near: string[] = [];
  const other: string[] = [];
  for (const [name, value = ''] of Object.entries(values)) {
    if (Object.hasOwn(settings, name) || isSourceSecret(name) || isSecretFile(name) || value.trim() === '') continue;
    const meant = findMeant(name);
    const sentence = `${name} is not a setting${meant === undefined ? '.' : `: did you mean ${meant}?`}`;
    if (meant !== undefined && name.length >= minLength) near.push(sentence);
    else if (fileNames.includes(name)) other.push(sentence);
  }
  return { near, other };
}

function findMeant(name: string): SettingName | undefined {
  const edits = (setting: SettingName): number => distance(name.toUpperCase(), setting);
  const [nearest] = names.filter((setting) => edits(setting) <= maxEdits).sort((a, b) => edits(a) - edits(b));
  return nearest;
}
