import type * as Wire from '../../generated/types.gen.js';
import { isKnown, type Maybe } from '../absence.js';
import type { Location } from './place-columns.js';

type Field = Exclude<keyof Wire.Deal, 'absent'>;

const basicFields = [
  ...(['id', 'address', 'city', 'state', 'zip', 'list_price', 'units', 'cap_rate'] as const),
  ...(['deal_score', 'rental_status', 'listing_url', 'last_verified'] as const),
] as const;

/** Before and after the price per unit. */
const compactFields = [
  ['id', 'address', 'city', 'state', 'zip', 'property_type', 'units', 'list_price'],
  [
    ...(['cap_rate', 'cap_rate_underwritten', 'cap_gap_pct', 'dscr', 'underwrite_reliability'] as const),
    ...(['deal_score', 'confidence_score', 'rental_status', 'wholesale_status', 'creative_status'] as const),
    ...(['motivation_score', 'price_reduction_pct', 'days_on_feed', 'source', 'data_quality'] as const),
  ],
] as const;

/** A deal reduced to the listing's own facts and the scores. */
export function basicDealToWire(deal: Wire.Deal): Wire.BasicDeal {
  return { ...pick(deal, basicFields), absent: pick(deal.absent, basicFields) };
}

/** A deal reduced to the figures by which deals are compared. */
export function compactDealToWire(
  deal: Wire.Deal,
  pricePerUnit: Maybe<string>,
  location: Location | undefined,
): Wire.CompactDeal {
  const [place, figures] = compactFields;
  const isPriced = isKnown(pricePerUnit);
  return {
    ...pick(deal, place),
    price_per_unit: isPriced ? pricePerUnit.value : null,
    ...pick(deal, figures),
    ...(location && { location_basis: location.basis }),
    absent: {
      ...pick(deal.absent, place),
      // It lacks only what it is made of; the contract's proof checks it.
      ...(!isPriced && { price_per_unit: { reason: 'insufficient_inputs' as const } }),
      ...pick(deal.absent, figures),
    },
  };
}

/** The fields that an object has of some, in their order. */
function pick<Item extends object, Name extends Field>(
  item: Item,
  names: readonly Name[],
): Pick<Item, Name & keyof Item> {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (name in item) picked[name] = item[name as Name & keyof Item];
  return picked as Pick<Item, Name & keyof Item>;
}
