import type { LookedUp } from '../../generated/types.gen.js';
import { matchAddresses } from '../addresses/match.js';
import { isEvidence, type AddressMatch } from '../addresses/match-types.js';
import { normalizeAddress } from '../addresses/normalize.js';
import { isNormalizedAddress, type AddressNotParsed, type NormalizedAddress } from '../addresses/normalized-address.js';
import { isParcelKey } from '../addresses/parcel.js';
import { placeKeys } from '../addresses/place-keys.js';
import type { PlacedRecord } from '../feeds/feed-line.js';
import type { PublishedRecords, ReadAt, ReadVersions } from './published-records.js';

/** A published record, and where it lies. */
export interface Located {
  readonly entity: LookedUp['entity'];
  readonly record: LookedUp['record'];
  readonly address: NormalizedAddress | AddressNotParsed;
  readonly parcel: string | undefined;
}

/** A record with how it matches what was asked for. */
export interface Found {
  readonly located: Located;
  readonly match: AddressMatch;
}

/**
 * Finds what is published of an address: what says the address itself, and what is of the same parcel as any of that which
 * counts as evidence, unless their addresses contradict each other. So a county record is found that names no street, as
 * it is in the report of the deal. Each record stands there once, and all are of the versions that are told.
 */
export async function findAtAddress(
  address: NormalizedAddress,
  readAt: ReadAt,
): Promise<{ readonly found: readonly Found[]; readonly versions: ReadVersions }> {
  const published = await readAt(placeKeys(address));
  const { versions } = published;
  const byAddress = matchAll(address, locateAll(published));
  const evidence = byAddress.filter(({ match }) => isEvidence(match)).map(({ located }) => located);
  const parcels = new Set(evidence.flatMap(({ parcel }) => parcel ?? []));
  if (parcels.size === 0) return { found: byAddress, versions };
  // As of the same versions: what has moved meanwhile would be a reply of no version.
  const byParcel = matchParcels(evidence, locateAll(await readAt([...parcels], versions)));
  const surer = new Set(byParcel.map(({ located }) => located.record.id));
  return { found: [...byAddress.filter(({ located }) => !surer.has(located.record.id)), ...byParcel], versions };
}

function matchAll(address: NormalizedAddress, all: readonly Located[]): Found[] {
  const candidates = all.map((each) => each.address).filter(isNormalizedAddress);
  return all.flatMap((located) => {
    const match = matchAddresses(address, located.address, { candidates });
    return match === undefined ? [] : { located, match };
  });
}

/** What is of the parcel of a piece of evidence, without the evidence itself. */
function matchParcels(evidence: readonly Located[], all: readonly Located[]): Found[] {
  const known = new Set(evidence.map(({ record }) => record.id));
  const others = all.filter(({ record }) => !known.has(record.id));
  return others.flatMap((located) => {
    const [match] = evidence
      .filter(({ parcel }) => parcel === located.parcel)
      .flatMap(({ address, parcel }) => matchAddresses(address, located.address, { parcels: [parcel, parcel] }) ?? []);
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
  { record, placeKeys: keys }: PlacedRecord<Located['record']>,
  street: string | null,
): Located {
  const { city, state, zip } = record;
  const address = normalizeAddress({ street: street ?? '', city: city ?? '', state, zip: zip ?? '' });
  return { entity, record, address, parcel: keys.find(isParcelKey) };
}
