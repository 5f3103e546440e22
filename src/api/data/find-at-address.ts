import type { LookupMatch, Auction, Deal, Signal } from '../../../generated/types.gen.js';
import { matchAddresses } from '../../places/addresses/match.js';
import { isEvidence, type AddressMatch } from '../../places/addresses/match-types.js';
import { normalizeAddress } from '../../places/addresses/normalize.js';
import {
  isNormalizedAddress,
  type AddressNotParsed,
  type NormalizedAddress,
} from '../../places/addresses/normalized-address.js';
import { isParcelKey } from '../../places/addresses/parcel.js';
import { placeKeys } from '../../places/addresses/place-keys.js';
import type { PlacedRecord } from '../../feeds/feed-publisher.js';

/** Records of all feeds, from one version of each. */
export interface PublishedRecords {
  readonly deals: readonly PlacedRecord<Deal>[];
  readonly signals: readonly PlacedRecord<Signal>[];
  readonly auctions: readonly PlacedRecord<Auction>[];
  readonly versions: ReadVersions;
}

/** The version of each feed. */
export interface ReadVersions {
  readonly deals: number;
  readonly signals: number;
  readonly auctions: number;
}

/** Reads the published records at some place keys and those on the same parcels, all as of one moment. */
export type ReadAt = (keys: readonly string[]) => Promise<PublishedRecords>;

/** A published record with its place. */
export interface Located {
  readonly entity: LookupMatch['entity'];
  readonly record: LookupMatch['record'];
  readonly address: NormalizedAddress | AddressNotParsed;
  readonly placeKeys: readonly string[];
  /** Parcel key. */
  readonly parcel: string | undefined;
}

/** A record and its match with the requested address. */
export interface Found {
  readonly located: Located;
  readonly match: AddressMatch;
}

/**
 * Finds the published records of an address: those that match it, and those on the parcel of a sure match that is
 * surer than their own, without a contradicting address. The parcel finds county records without a street, as in the
 * deal's report. Each record appears once, from the returned versions.
 */
export async function findAtAddress(
  address: NormalizedAddress,
  readAt: ReadAt,
): Promise<{ readonly found: readonly Found[]; readonly versions: ReadVersions }> {
  const keys = placeKeys(address);
  const published = await readAt(keys);
  const located = locateAll(published);
  const asked = new Set(keys);
  const byAddress = matchAll(
    address,
    located.filter((each) => each.placeKeys.some((key) => asked.has(key))),
  );
  const byParcel = matchParcels(byAddress, located);
  const surer = new Set(byParcel.map((found) => found.located.record.id));
  const found = [...byAddress.filter((each) => !surer.has(each.located.record.id)), ...byParcel];
  return { found, versions: published.versions };
}

function matchAll(address: NormalizedAddress, all: readonly Located[]): Found[] {
  const candidates = all.map((each) => each.address).filter(isNormalizedAddress);
  return all.flatMap((located) => {
    const match = matchAddresses(address, located.address, { candidates });
    return match === undefined ? [] : { located, match };
  });
}

/**
 * Records on the parcel of a sure match (evidence), when that match is surer than the record's own, as for a record
 * without a ZIP. Equal confidence changes nothing.
 */
function matchParcels(byAddress: readonly Found[], all: readonly Located[]): Found[] {
  const evidence = byAddress.filter(({ match, located }) => isEvidence(match) && located.parcel !== undefined);
  const known = new Map(byAddress.map(({ located, match }) => [located.record.id, match.confidence]));
  return all.flatMap((located) => {
    const confidence = known.get(located.record.id) ?? '0.00';
    const [match] = evidence
      .filter((piece) => piece.located.parcel === located.parcel && piece.match.confidence > confidence)
      .flatMap(({ located: { address, parcel } }) => {
        return matchAddresses(address, located.address, { parcels: [parcel, parcel] }) ?? [];
      });
    return match === undefined ? [] : { located, match };
  });
}

function locateAll({ deals, signals, auctions }: PublishedRecords): Located[] {
  return [
    ...deals.map((each) => locate('deal', each, each.record.address)),
    ...signals.map((each) => locate('signal', each, each.record.address)),
    ...auctions.map((each) => locate('auction', each, each.record.property_address)),
  ];
}

function locate(
  entity: Located['entity'],
  { record, placeKeys: ownKeys }: PlacedRecord<Located['record']>,
  street: string | null,
): Located {
  const { city, state, zip } = record;
  const address = normalizeAddress({ street: street ?? '', city: city ?? '', state, zip: zip ?? '' });
  return { entity, record, address, placeKeys: ownKeys, parcel: ownKeys.find(isParcelKey) };
}
