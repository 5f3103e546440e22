import type * as Wire from '../../generated/types.gen.js';
import { isKnown, type Maybe } from '../absence.js';
import type { Location } from './place-columns.js';

const basicAbsences = ['address', 'zip', 'list_price', 'units', 'cap_rate', 'listing_url'] as const;

/** Before and after the price per unit. */
const compactAbsences = [
  ['address', 'zip', 'property_type', 'units', 'list_price'],
  ['cap_rate', 'cap_rate_underwritten', 'cap_gap_pct', 'dscr', 'price_reduction_pct'],
] as const;

/** A deal reduced to the listing's own facts and the scores. */
export function basicDealToWire(deal: Wire.Deal): Wire.BasicDeal {
  return {
    id: deal.id,
    address: deal.address,
    city: deal.city,
    state: deal.state,
    zip: deal.zip,
    list_price: deal.list_price,
    units: deal.units,
    cap_rate: deal.cap_rate,
    deal_score: deal.deal_score,
    rental_status: deal.rental_status,
    listing_url: deal.listing_url,
    last_verified: deal.last_verified,
    absent: pick(deal.absent, basicAbsences),
  };
}

/** A deal reduced to the figures by which deals are compared. */
export function compactDealToWire(
  deal: Wire.Deal,
  pricePerUnit: Maybe<string>,
  location: Location | undefined,
): Wire.CompactDeal {
  const [place, figures] = compactAbsences;
  const isPriced = isKnown(pricePerUnit);
  return {
    id: deal.id,
    address: deal.address,
    city: deal.city,
    state: deal.state,
    zip: deal.zip,
    property_type: deal.property_type,
    units: deal.units,
    list_price: deal.list_price,
    price_per_unit: isPriced ? pricePerUnit.value : null,
    cap_rate: deal.cap_rate,
    cap_rate_underwritten: deal.cap_rate_underwritten,
    cap_gap_pct: deal.cap_gap_pct,
    dscr: deal.dscr,
    underwrite_reliability: deal.underwrite_reliability,
    deal_score: deal.deal_score,
    confidence_score: deal.confidence_score,
    rental_status: deal.rental_status,
    wholesale_status: deal.wholesale_status,
    creative_status: deal.creative_status,
    motivation_score: deal.motivation_score,
    price_reduction_pct: deal.price_reduction_pct,
    days_on_feed: deal.days_on_feed,
    source: deal.source,
    data_quality: deal.data_quality,
    ...(location && { location_basis: location.basis }),
    absent: {
      ...pick(deal.absent, place),
      // It lacks only what it is made of; the contract's proof checks it.
      ...(!isPriced && { price_per_unit: { reason: 'insufficient_inputs' as const } }),
      ...pick(deal.absent, figures),
    },
  };
}

/** The absences of some fields, in their order. */
function pick<Name extends keyof Wire.Deal['absent']>(
  absent: Wire.Deal['absent'],
  names: readonly Name[],
): Pick<Wire.Deal['absent'], Name> {
  const picked: Partial<Record<Name, Wire.Deal['absent'][Name]>> = {};
  for (const name of names) if (name in absent) picked[name] = absent[name];
  return picked as Pick<Wire.Deal['absent'], Name>;
}
