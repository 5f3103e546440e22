import type { LookedUp } from '../../../generated/types.gen.js';
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
import type { PublishedRecords, ReadAt, ReadVersions } from './published-records.js';

/** A published record, and where it lies. */
export interface Located {
  readonly entity: LookedUp['entity'];
  readonly record: LookedUp['record'];
  readonly address: NormalizedAddress | AddressNotParsed;
  readonly placeKeys: readonly string[];
  /** Its key. */
  readonly parcel: string | undefined;
}

/** A record with how it matches what was asked for. */
export interface Found {
  readonly located: Located;
  readonly match: AddressMatch;
}

/**
 * Finds what is published of an address: what says the address itself, and what is of the same parcel as any of that
 * which counts as evidence and is surer, unless their addresses contradict each other. So a county record is found that
 * names no street, as it is in the report of the deal. Each record stands there once, and all are of the versions that
 * are told.
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
 * What is of the parcel of a piece of evidence that is surer than its own address makes it, as an address without a ZIP
 * is less sure than one with it. Two that are equally sure do not make each other surer.
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
