import type { LookedUp } from '../../generated/types.gen.js';
import { matchAddresses } from '../../src/addresses/match.js';
import { normalizeAddress } from '../../src/addresses/normalize.js';
import { isNormalizedAddress } from '../../src/addresses/normalized-address.js';

type Place = Readonly<Record<'city' | 'zip', string | null>> & { readonly id: string; readonly state: string };
type Published = Place & ({ readonly address: string | null } | { readonly property_address: string | null });

/** No reply shows more of either kind. */
const mostShown = 200;
const entities = ['deal', 'signal', 'auction'] as const;

/** What a lookup finds, by holding the question against each record that is published; undefined for none that can be read. */
export function lookUpPlainly(question: string, published: Readonly<Record<LookedUp['entity'], readonly Published[]>>) {
  const asked = normalizeAddress(question);
  const placed = entities.flatMap((entity) =>
    published[entity].flatMap((record) => {
      const { id, city, state, zip } = record;
      const street = 'address' in record ? record.address : record.property_address;
      const address = normalizeAddress({ street: street ?? '', city: city ?? '', state, zip: zip ?? '' });
      return isNormalizedAddress(address) ? [{ entity, id, address }] : [];
    }),
  );
  if (!isNormalizedAddress(asked)) return undefined;
  const near = placed.filter(
    ({ address: { state, city, zip5 } }) =>
      state === asked.state && ((zip5 !== '' && zip5 === asked.zip5) || city === asked.city),
  );
  const candidates = near.map(({ address }) => address);
  const found = placed
    .flatMap(({ entity, id, address }) => {
      const match = matchAddresses(asked, address, { candidates });
      return match === undefined ? [] : [{ entity, id, sure: Number(match.confidence) }];
    })
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
