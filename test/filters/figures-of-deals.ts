import { Decimal } from 'decimal.js';
import type { Deal } from '../../generated/types.gen.js';
import { generatedCut } from './generated-records.js';

/** What each code doubts, of what these filters stand on. */
const doubtedBy: Readonly<Record<string, string>> = {
  cap_implausible: 'cap_rate',
  price_placeholder: 'list_price',
  units_type_disagree: 'units',
  units_suspect: 'units',
  zip_state_disagree: 'zip',
  zip_county_disagree: 'zip',
};

/** A figure, unless a value is doubted on which it stands. */
export function standing<Figure>(
  figure: Figure,
  { data_quality: codes }: Deal,
  ...grounds: readonly string[]
): Figure | null {
  return codes.some((code) => grounds.includes(doubtedBy[code] ?? '')) ? null : figure;
}

export function pricePerUnitOf(deal: Deal): string | null {
  const { list_price: price, units } = deal;
  return price === null || units === null
    ? null
    : standing(new Decimal(price).div(units).toString(), deal, 'list_price', 'units');
}

export function capUnderwrittenOf(deal: Deal): string | null {
  return standing(deal.cap_rate_underwritten, deal, 'units', 'zip', 'list_price');
}

export function capGapOf(deal: Deal): string | null {
  return standing(deal.cap_gap_pct, deal, 'units', 'zip', 'list_price', 'cap_rate');
}

export function dscrOf(deal: Deal): string | null {
  if (deal.dscr_status !== 'computed') return null;
  const grounds = { stated: [], derived_from_advertised_cap: ['cap_rate'], underwritten: ['units', 'zip'] };
  return standing(deal.dscr, deal, 'list_price', ...grounds[deal.noi_source ?? 'stated']);
}

/** Of a generated deal: the same for all whose price was cut. */
export function cutOf(deal: Deal): string | null {
  const { price_reduction_pct: percent } = deal;
  return percent === null ? null : standing(percent === 0 ? '0' : generatedCut, deal, 'list_price');
}
