import { createHmac } from 'node:crypto';
import { normalizeAddress, type SeparateAddress } from '../addresses/normalize.js';
import { isNormalizedAddress, type NormalizedAddress } from '../addresses/normalized-address.js';
import { parcelKey } from '../addresses/parcel.js';
import { buildingKeys, numberKey, numberKeys, plainNumberOf, soughtKeys } from './suppression-keys.js';
import type { StoredSuppression, SuppressionKind, SuppressionStore } from './suppression-store.js';

/** A parcel as its county numbers it. */
export interface NamedParcel {
  /** Five-digit county FIPS code. */
  readonly countyFips: string;
  readonly parcelId: string;
}

/** What a record says of its property; whatever it does not say is undefined. */
export interface PossiblySuppressed {
  readonly street: string | undefined;
  readonly city: string | undefined;
  /** Two-letter USPS code. */
  readonly state: string;
  readonly zip: string | undefined;
  readonly countyFips: string | undefined;
  readonly parcelId: string | undefined;
}

export interface SuppressionList {
  /** Suppresses a building from now on, and for good. Throws SuppressionError when the address cannot be read. */
  suppressAddress(address: string | SeparateAddress, reason: string): Promise<void>;
  /** Suppresses a parcel from now on, and for good. Throws SuppressionError when the number is none. */
  suppressParcel(parcel: NamedParcel, reason: string): Promise<void>;
  /**
   * Takes in what was suppressed here or elsewhere since. Await it before reading records. Throws SuppressionError when the
   * list was written under another key: nothing may be shown then, since nothing would be found on it.
   */
  refresh(): Promise<void>;
  /** True for a property on the list as it was last refreshed, by its address or its parcel. */
  isSuppressed(property: PossiblySuppressed): boolean;
  /** True for an address whose building is on the list as it was last refreshed. */
  readonly isBuildingSuppressed: (address: NormalizedAddress) => boolean;
  /** How many hashes are on the list, as last refreshed. */
  size(): number;
  /** When the list last grew, as last refreshed; undefined while it is empty. */
  grownAt(): Date | undefined;
}

/** What is to be shown no more, and why: kept for the operator. */
export type SuppressionWish = { readonly reason: string } & ({ readonly address: string } | NamedParcel);

/** A wish or a list that cannot be followed; the message says what to do and repeats no address. */
export class SuppressionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SuppressionError';
  }
}

const mostRememberedNumbers = 100_000;

/**
 * The list of what must not be shown, held in memory as keyed one-way hashes: who reads the database learns no address. It
 * is asked for every record that is offered, so that reading a source again cannot bring a property back. A record whose
 * house number is on no suppressed address costs one look-up in memory.
 */
export function createSuppressionList(store: SuppressionStore, key: string, now: () => Date): SuppressionList {
  const hashOf = (kind: SuppressionKind | 'check', text: string): Buffer =>
    createHmac('sha256', key).update(`suppression|${kind}|${text}`).digest();
  const keyCheck = hashOf('check', '');
  let known = { count: 0, latest: undefined as Date | undefined };
  let hashes = new Set<string>();
  let kinds = new Set<SuppressionKind>();
  const numbers = new Map<string, boolean>();
  const has = (kind: SuppressionKind, text: string): boolean => hashes.has(hashOf(kind, text).toString('base64'));

  async function refresh(): Promise<void> {
    const state = await store.readState();
    if (state.count === known.count && state.latest?.getTime() === known.latest?.getTime()) return;
    const all = await store.readAll();
    if (all.some((each) => !each.keyCheck.equals(keyCheck))) {
      throw new SuppressionError(
        'The suppression list was written under another key, so that nothing on it would be found. Restore the table server_keys; or empty it, and start with the SERVER_SECRET by which the list was written.',
      );
    }
    hashes = new Set(all.map(({ hash }) => hash.toString('base64')));
    kinds = new Set(all.map(({ kind }) => kind));
    numbers.clear();
    known = state;
  }

  async function add(texts: readonly (readonly [SuppressionKind, string])[], reason: string): Promise<void> {
    const createdAt = now();
    const toStored = ([kind, text]: readonly [SuppressionKind, string]): StoredSuppression => {
      return { hash: hashOf(kind, text), kind, keyCheck, reason: reason.slice(0, 200), createdAt };
    };
    await refresh();
    await store.add(texts.map(toStored));
    await refresh();
  }

  function hasNumber(number: number, state: string): boolean {
    const key = numberKey(number, state);
    const remembered = numbers.get(key);
    if (remembered !== undefined) return remembered;
    if (numbers.size >= mostRememberedNumbers) numbers.clear();
    const found = has('number', key);
    numbers.set(key, found);
    return found;
  }

  function isBuildingSuppressed(address: NormalizedAddress): boolean {
    return soughtKeys(address).some((key) => has('address', key));
  }

  function isAddressSuppressed(property: PossiblySuppressed): boolean {
    if (property.street === undefined || !kinds.has('address')) return false;
    const number = plainNumberOf(property.street);
    if (number !== undefined && !hasNumber(number, property.state)) return false;
    return readPlace(property).some(isBuildingSuppressed);
  }

  return {
    async suppressAddress(address, reason) {
      const normalized = normalizeAddress(address);
      if (!isNormalizedAddress(normalized)) throw new SuppressionError(normalized.message);
      const keys = buildingKeys(normalized).map((key) => ['address', key] as const);
      await add([...keys, ...numberKeys(normalized).map((key) => ['number', key] as const)], reason);
    },
    async suppressParcel({ countyFips, parcelId }, reason) {
      const key = parcelKey(countyFips, parcelId);
      if (key === undefined) {
        throw new SuppressionError('That is no parcel: give the five-digit county FIPS code and the parcel number.');
      }
      await add([['parcel', key]], reason);
    },
    refresh,
    isSuppressed(property) {
      if (hashes.size === 0) return false;
      const { countyFips, parcelId } = property;
      const isParcelNamed = countyFips !== undefined && parcelId !== undefined && kinds.has('parcel');
      const key = isParcelNamed ? parcelKey(countyFips, parcelId) : undefined;
      return (key !== undefined && has('parcel', key)) || isAddressSuppressed(property);
    },
    isBuildingSuppressed,
    size: () => known.count,
    grownAt: () => known.latest,
  };
}

/**
 * Where a record says that its property lies: nothing where that is no address. Without a city the street is read in both
 * ways: alone, and with the city behind it.
 */
function readPlace({ street = '', city, state, zip }: PossiblySuppressed): NormalizedAddress[] {
  const read = (inCity: string) => normalizeAddress({ street, city: inCity, state, zip });
  const addresses = city === undefined ? [read(''), { ...read('ANYTOWN'), city: '' }] : [read(city)];
  return addresses.filter(isNormalizedAddress);
}
