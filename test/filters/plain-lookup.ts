import type { Auction, Deal, LookupMatch, Signal } from '../../generated/types.gen.js';
import { matchAddresses } from '../../src/places/addresses/match.js';
import { normalizeAddress } from '../../src/places/addresses/normalize.js';
import { isNormalizedAddress } from '../../src/places/addresses/normalized-address.js';
import { parcelOfDeal } from './generated-records.js';

type Published = Deal | Signal | Auction;

/** The maximum number of each kind in a reply. */
const mostShown = 200;
const entities = ['deal', 'signal', 'auction'] as const;

/** Creates the reference lookup: compares a question with each published record; undefined for an unparsable one. */
export function createPlainLookup(published: Readonly<Record<LookupMatch['entity'], readonly Published[]>>) {
  const placed = entities.flatMap((entity) =>
    published[entity].map((record) => {
      const { id, city, state, zip } = record;
      const street = 'property_address' in record ? record.property_address : record.address;
      const address = normalizeAddress({ street: street ?? '', city: city ?? '', state, zip: zip ?? '' });
      return { entity, id, address, parcel: parcelOf(record) };
    }),
  );
  return (question: string) => lookUp(question, placed);
}

function lookUp(question: string, placed: readonly Placed[]) {
  const asked = normalizeAddress(question);
  if (!isNormalizedAddress(asked)) return undefined;
  const candidates = placed
    .map(({ address }) => address)
    .filter(isNormalizedAddress)
    .filter(
      ({ state, city, zip5 }) => state === asked.state && ((zip5 !== '' && zip5 === asked.zip5) || city === asked.city),
    );
  const byAddress = placed.map((each) => {
    const match = matchAddresses(asked, each.address, { candidates });
    return { ...each, sure: Number(match?.confidence ?? 0) };
  });
  const evidence = byAddress.filter(({ sure }) => sure >= 0.85);
  const found = byAddress
    .map((each) => ({ ...each, sure: isTied(each, evidence) ? 1 : each.sure }))
    .filter(({ sure }) => sure > 0)
    .sort(
      (one, other) =>
        other.sure - one.sure ||
        entities.indexOf(one.entity) - entities.indexOf(other.entity) ||
        (one.id < other.id ? -1 : 1),
    );
  const idsOf = (some: typeof found): string[] => some.slice(0, mostShown).map(({ entity, id }) => `${entity} ${id}`);
  return {
    matches: idsOf(found.filter(({ sure }) => sure >= 0.85)),
    possible: idsOf(found.filter(({ sure }) => sure < 0.85)),
  };
}

function parcelOf(record: Published): string | undefined {
  if (!('parcel_id' in record)) return 'address' in record ? parcelOfDeal(record) : undefined;
  return record.parcel_id === null ? undefined : `${record.county} ${record.parcel_id}`;
}

interface Placed {
  readonly entity: LookupMatch['entity'];
  readonly id: string;
  readonly address: ReturnType<typeof normalizeAddress>;
  readonly parcel: string | undefined;
}

/** With the confidence of its match. */
interface Compared extends Placed {
  readonly sure: number;
}

/** Records on the parcel of a better match, whose own address does not contradict it. */
function isTied({ address, parcel, sure }: Compared, evidence: readonly Compared[]): boolean {
  return evidence.some(
    (each) =>
      each.sure > sure &&
      matchAddresses(each.address, address, { parcels: [each.parcel, parcel] })?.matchType === 'parcel_exact',
  );
}
