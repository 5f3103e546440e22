import { distance } from 'fastest-levenshtein';
import type { EnvironmentValues, Launch } from './environment.js';
import { settings, type SettingName } from './settings.js';

/** The settings that are given, by name. */
export type GivenSettings = Readonly<Partial<Record<SettingName, string>>>;

/** What was found, as sentences. */
export interface SettingFindings {
  /** Each keeps the process from running. */
  readonly faults: readonly string[];
  /** Odd, and harmless. */
  readonly warnings: readonly string[];
}

/** The settings of each facilitator: its address; headers, key id, key secret. */
export const facilitatorSettings = [
  ['FACILITATOR_URL', ['FACILITATOR_HEADERS', 'FACILITATOR_KEY_ID', 'FACILITATOR_KEY_SECRET']],
  [
    'FACILITATOR_FALLBACK_URL',
    ['FACILITATOR_FALLBACK_HEADERS', 'FACILITATOR_FALLBACK_KEY_ID', 'FACILITATOR_FALLBACK_KEY_SECRET'],
  ],
] as const;

/** What is the same for each facilitator. */
const facilitatorTimes = ['FACILITATOR_VERIFY_SECONDS', 'FACILITATOR_SETTLE_SECONDS'] as const;

const neededToSell = [
  'PAY_TO',
  'RPC_URL',
  'RELAYER_PRIVATE_KEY',
  'DATABASE_URL',
  'PUBLIC_BASE_URL',
  'SERVER_SECRET',
] as const;

const names = Object.keys(settings) as SettingName[];
const paymentGroups: readonly string[] = ['sell', 'facilitate', 'settle'];
const paymentSettings = names.filter((name) => paymentGroups.includes(settings[name].group));

/**
 * Judges the settings as a whole: what is missing, what contradicts, names that are no settings, and a demonstration
 * that nobody asked for. One payment setting, and everything must be there that selling needs.
 */
export function judgeSettings(given: GivenSettings, values: EnvironmentValues, launch: Launch): SettingFindings {
  const payments = paymentSettings.filter((name) => given[name] !== undefined);
  const faults = payments.length > 0 ? findPaymentFaults(given, payments) : findUnasked(given, values, launch);
  const unknown = findUnknown(values, launch.envFile?.names ?? []);
  const demonstrates = payments.length === 0 && faults.length === 0;
  return {
    faults: [...faults, ...findUnsaid(given), ...(demonstrates ? [] : unknown.near)],
    warnings: [...(demonstrates ? unknown.near : []), ...unknown.other],
  };
}

function findPaymentFaults(given: GivenSettings, payments: readonly SettingName[]): readonly string[] {
  if (given.DEMONSTRATION !== 'true') return findMissing(given);
  const list = payments.join(', ');
  return [
    `DEMONSTRATION: takes no payment settings, and there are some: ${list}. To sell, remove DEMONSTRATION; else remove them.`,
  ];
}

function findMissing(given: GivenSettings): readonly string[] {
  const has = (name: SettingName): boolean => given[name] !== undefined;
  const hasFacilitator = has('FACILITATOR_URL');
  const faults = neededToSell
    .filter((name) => !has(name) && !(hasFacilitator && name === 'RELAYER_PRIVATE_KEY'))
    .map((name) => `${name}: needed to sell. ${settings[name].description}`);
  if (hasFacilitator && has('RELAYER_PRIVATE_KEY'))
    faults.push('RELAYER_PRIVATE_KEY: not used with FACILITATOR_URL. Give one of the two.');
  if (!hasFacilitator)
    faults.push(...facilitatorTimes.filter(has).map((name) => `${name}: means nothing without FACILITATOR_URL.`));
  for (const [url, rest] of facilitatorSettings) {
    if (!has(url)) faults.push(...rest.filter(has).map((name) => `${name}: means nothing without ${url}.`));
    const [, id, secret] = rest;
    if (has(id) !== has(secret)) faults.push(`${has(id) ? secret : id}: needed with ${has(id) ? id : secret}.`);
  }
  if (has('FACILITATOR_FALLBACK_URL') && !hasFacilitator)
    faults.push('FACILITATOR_FALLBACK_URL: means nothing without FACILITATOR_URL.');
  return faults;
}

function findUnsaid(given: GivenSettings): readonly string[] {
  const isSaid = (given.CONTACT_URL ?? given.PUBLIC_BASE_URL) !== undefined;
  if (given.SOURCES_FILE === undefined || isSaid) return [];
  return [`CONTACT_URL: needed with SOURCES_FILE. ${settings.CONTACT_URL.description}`];
}

/** A configuration that was not found looks as none: fiction is served only where that is plainly meant. */
function findUnasked(given: GivenSettings, values: EnvironmentValues, { onTerminal, envFile }: Launch): string[] {
  const isAttended = onTerminal || isByNpm(values);
  if (given.DEMONSTRATION === 'true') return [];
  if (given.DEMONSTRATION === undefined && isAttended && given.NODE_ENV !== 'production') return [];
  const place =
    envFile &&
    (envFile.names === undefined ? `${envFile.path} does not exist` : `${envFile.path} has no payment settings`);
  return [
    `DEMONSTRATION: not asked for, and nothing to sell is configured${place === undefined ? '' : `: ${place}`}. ` +
      'To sell, start in the directory of your .env, or give its settings as environment variables. ' +
      'To demonstrate, set DEMONSTRATION=true.',
  ];
}

/** npm says which script of which package it runs; what that starts inherits it, other packages' programs as well. */
function isByNpm({ npm_lifecycle_event: script, npm_package_name: name }: EnvironmentValues): boolean {
  return name === 'multifamily-deals-feed' && (script === 'start' || script === 'cli');
}

/** Shorter names are near too many others. */
const minLength = 8;
const maxEdits = 2;

/** Names that are no settings: near to one, anywhere in the environment; and all others in `.env`. */
function findUnknown(values: EnvironmentValues, fileNames: readonly string[]): { near: string[]; other: string[] } {
  const near: string[] = [];
  const other: string[] = [];
  for (const [name, value = ''] of Object.entries(values)) {
    if (Object.hasOwn(settings, name) || isSourceSecret(name) || value.trim() === '') continue;
    const meant = findMeant(name);
    const sentence = `${name} is no setting${meant === undefined ? '.' : `: did you mean ${meant}?`}`;
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

/** Keys of sources: their names are the operator's, so they are in no table. */
export function isSourceSecret(name: string): boolean {
  return /^SOURCE_SECRET_[A-Z0-9_]{1,60}$/.test(name);
}
