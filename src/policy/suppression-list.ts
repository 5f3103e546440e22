import { type Maybe, valueOf } from '../absence.js';
import { otherStreetsOf } from '../places/addresses/compare-addresses.js';
import { normalizeAddress, type SeparateAddress } from '../places/addresses/normalize.js';
import { isNormalizedAddress, type NormalizedAddress } from '../places/addresses/normalized-address.js';
import { parcelKey } from '../places/addresses/parcel.js';
import { placeKeys, unshownKey } from '../places/addresses/place-keys.js';
import { SuppressionError, createSuppressionHashes, type SuppressionText } from './suppression-hashes.js';
import { buildingKeys, numberKeys, parcelMarks, plainNumberOf, soughtKeys } from './suppression-keys.js';
import type { SuppressionStore } from './suppression-store.js';

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

/** All that one record, with the parcel rolls, says of where its property lies: each place, and its parcel. */
export type Naming = readonly PossiblySuppressed[];

export type SuppressionList = ReturnType<typeof createSuppressionList>;

/** A value of a record: stated, absent with its reason, or not part of this kind of record. */
type Stated = string | Maybe<string> | null | undefined;

interface LocatedRecord {
  readonly state: string;
  readonly countyFips: Stated;
  readonly parcelId: Stated;
}

interface StatedPlace {
  readonly address: Stated;
  readonly city: Stated;
  readonly zip: Stated;
}

/** The naming of a record that lies at one of these places. */
export function namingOf({ state, countyFips, parcelId }: LocatedRecord, places: readonly StatedPlace[]): Naming {
  const parcel = { countyFips: textOf(countyFips), parcelId: textOf(parcelId) };
  return places.map(({ address, city, zip }) => {
    return { street: textOf(address), city: textOf(city), state, zip: textOf(zip), ...parcel };
  });
}

function textOf(stated: Stated): string | undefined {
  if (typeof stated === 'string') return stated;
  return stated === null || stated === undefined ? undefined : valueOf(stated);
}

/** The record with `unshownPlaceKeys`, if its naming has places that it does not show. */
export function withUnshownPlaces<R extends LocatedRecord & StatedPlace>(record: R, naming: Naming): R {
  const keys = namingOf(record, [record]).flatMap((shown) => unshownPlaceKeys(naming, shown));
  return keys.length === 0 ? record : { ...record, unshownPlaceKeys: keys };
}

/**
 * Place keys by which a property may be suppressed and that its record does not show: another street of its text, an
 * address or a parcel that its licence does not let be shown, what the rolls give for its parcel. `shown`: what it
 * shows.
 */
export function unshownPlaceKeys(naming: Naming, shown: PossiblySuppressed): readonly string[] {
  const unshown = naming.filter((place) => !isPlain(place) || !isSamePlace(place, shown));
  const keys = unshown.flatMap((place) => [...readPlaces(place).flatMap(placeKeys), findParcel(place) ?? []].flat());
  return [...new Set(keys.map(unshownKey))];
}

/** Whether its text is of one house and one street. */
function isPlain({ street, city }: PossiblySuppressed): boolean {
  return street === undefined || (city !== undefined && plainNumberOf(street) !== undefined);
}

function isSamePlace(one: PossiblySuppressed, other: PossiblySuppressed): boolean {
  return (
    (one.street ?? other.street) === other.street &&
    (one.city ?? other.city) === other.city &&
    (one.zip ?? other.zip) === other.zip &&
    (one.parcelId ?? other.parcelId) === other.parcelId
  );
}

/** What is to be shown no more, and why: kept for the operator. */
export type SuppressionWish = { readonly reason: string } & ({ readonly address: string } | NamedParcel);

const carriedOver = 'another name of a property that was suppressed';

/**
 * The list of what must not be shown, kept in memory as keyed one-way hashes. It is asked for every record that is
 * offered, so that reading a source again cannot bring a property back. A record whose house number is on no suppressed
 * address costs one look-up in memory.
 */
export function createSuppressionList(store: SuppressionStore, key: string) {
  const hashes = createSuppressionHashes(store, key);
  const hasAddress = (text: string): boolean => hashes.has(['address', text]);
  const hasParcel = (text: string): boolean => hashes.has(['parcel', text]);
  const isBuildingSuppressed = (address: NormalizedAddress): boolean => soughtKeys(address).some(hasAddress);

  function isAddressSuppressed(property: PossiblySuppressed): boolean {
    if (property.street === undefined || !hashes.hasKind('address')) return false;
    const number = plainNumberOf(property.street);
    if (number !== undefined && !hashes.hasNumber(number, property.state)) return false;
    return readPlaces(property).some(isBuildingSuppressed);
  }

  /** False where it is on the list for its building alone. */
  function isParcelAsked(parcel: string): boolean {
    const { asked, carried } = parcelMarks(parcel);
    return hasParcel(parcel) && (hasParcel(asked) || !hasParcel(carried));
  }

  function findCarried(naming: Naming): Entry[] {
    const parcel = naming.map(findParcel)[0];
    const isOfParcel = parcel !== undefined && hashes.hasKind('parcel') && isParcelAsked(parcel);
    const isOfBuilding = naming.some(isAddressSuppressed);
    if (!isOfParcel && !isOfBuilding) return [];
    const buildings = isOfParcel ? naming.flatMap(readPlaces) : [];
    const entries = buildings.flatMap(entryOfBuilding);
    if (!isOfBuilding || parcel === undefined || hasParcel(parcel)) return entries;
    return [...entries, entryOfParcel(parcel, parcelMarks(parcel).carried)];
  }

  async function add(entries: readonly Entry[], reason: string): Promise<void> {
    const placeKeys = entries.flatMap((entry) => entry.placeKeys);
    await hashes.add(
      entries.flatMap(({ texts }) => texts),
      [...new Set(placeKeys)],
      reason,
    );
  }

  return {
    /**
     * Suppresses a building from now on, permanently.
     *
     * @throws SuppressionError when the address cannot be read
     */
    async suppressAddress(address: string | SeparateAddress, reason: string): Promise<void> {
      const normalized = normalizeAddress(address);
      if (!isNormalizedAddress(normalized)) throw new SuppressionError(normalized.message);
      await add(eachStreet(normalized).flatMap(entryOfBuilding), reason);
    },
    /**
     * Suppresses a parcel from now on, permanently.
     *
     * @throws SuppressionError when the number is not a parcel number
     */
    async suppressParcel({ countyFips, parcelId }: NamedParcel, reason: string): Promise<void> {
      const parcel = parcelKey(countyFips, parcelId);
      if (parcel === undefined) {
        throw new SuppressionError('That is no parcel: give the five-digit county FIPS code and the parcel number.');
      }
      await add([entryOfParcel(parcel, parcelMarks(parcel).asked)], reason);
    },
    /**
     * Loads what was suppressed here or elsewhere since. Await it before reading records.
     *
     * @throws SuppressionError when the list was written under another key: then nothing may be shown
     */
    refresh: hashes.refresh,
    /** True for a property on the list as last refreshed, by its address or its parcel. */
    isSuppressed(property: PossiblySuppressed): boolean {
      if (hashes.size() === 0) return false;
      const parcel = hashes.hasKind('parcel') ? findParcel(property) : undefined;
      return (parcel !== undefined && hasParcel(parcel)) || isAddressSuppressed(property);
    },
    /**
     * Suppresses the other names that records give a suppressed property: each building of a suppressed parcel, and the
     * parcel of a suppressed building.
     *
     * A parcel on the list only for its building carries no further, since many parcels may share its number.
     */
    async suppressAliases(namings: readonly Naming[]): Promise<void> {
      if (hashes.size() === 0) return;
      const entries = namings.flatMap(findCarried).filter(({ texts }) => !texts.every(hashes.has));
      if (entries.length > 0) await add(entries, carriedOver);
    },
    /** Number of hashes on the list as last refreshed. */
    size: hashes.size,
  };
}

/** A property on the list: its spellings, and the keys under which its records are published. */
interface Entry {
  readonly texts: readonly SuppressionText[];
  readonly placeKeys: readonly string[];
}

/** Nothing for an address that no record could be found by. */
function entryOfBuilding(address: NormalizedAddress): Entry[] {
  const keys = buildingKeys(address);
  if (keys.length === 0) return [];
  const spellings = keys.map((key) => ['address', key] as const);
  const numbers = numberKeys(address).map((key) => ['number', key] as const);
  return [{ texts: [...spellings, ...numbers], placeKeys: withUnshown(placeKeys(address)) }];
}

function withUnshown(keys: readonly string[]): string[] {
  return [...keys, ...keys.map(unshownKey)];
}

function entryOfParcel(parcel: string, mark: string): Entry {
  return { texts: [parcel, mark].map((text) => ['parcel', text] as const), placeKeys: withUnshown([parcel]) };
}

/**
 * Where a record says that its property lies: nothing where that is no address. Without a city the street is read in
 * both ways: alone, and with the city behind it. Of several street addresses each is a place.
 */
function readPlaces(property: PossiblySuppressed): NormalizedAddress[] {
  const { street = '', city, state, zip } = property;
  const read = (inCity: string) => normalizeAddress({ street, city: inCity, state, zip });
  const addresses = city === undefined ? [read(''), { ...read('ANYTOWN'), city: '' }] : [read(city)];
  return addresses.filter(isNormalizedAddress).flatMap(eachStreet);
}

function eachStreet(address: NormalizedAddress): NormalizedAddress[] {
  const { city, state, zip5: zip } = address;
  const others = otherStreetsOf(address).map((street) => normalizeAddress({ street, city, state, zip }));
  return [address, ...others.filter(isNormalizedAddress)];
}

function findParcel({ countyFips, parcelId }: PossiblySuppressed): string | undefined {
  if (countyFips === undefined || parcelId === undefined) return undefined;
  return parcelKey(countyFips, parcelId);
}
