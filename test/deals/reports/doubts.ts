import type { Deal } from '../../../generated/types.gen.js';

/** What each code of `data_quality` doubts, in the order in which the first is told; written from the contract. */
const doubts: Readonly<Record<string, readonly string[]>> = {
  cap_implausible: ['cap_rate'],
  price_placeholder: ['list_price'],
  units_type_disagree: ['units'],
  units_suspect: ['units'],
  zip_state_disagree: ['zip', 'rent'],
  zip_county_disagree: ['zip', 'county', 'rent'],
  stated_noi_unreadable: [],
};

/** The first code that keeps a deal from Hot; undefined without one. */
export function firstDoubt({ data_quality: codes }: Deal): string | undefined {
  return Object.keys(doubts).find((code) => codes.includes(code));
}

/** True when any of these values of a deal is doubted. */
export function isDoubted({ data_quality: codes }: Deal, ...values: readonly string[]): boolean {
  return codes.some((code) => doubts[code]?.some((value) => values.includes(value)));
}

/** The reliability that scores, value and offer count. */
export function scoredReliability(deal: Deal): Deal['underwrite_reliability'] {
  return isDoubted(deal, 'list_price', 'units', 'rent') ? 'unknown' : deal.underwrite_reliability;
}

/** The row's DSCR as scores count it; on the HUD income where only the cap below it is doubted. */
export function scoredDscrOf(deal: Deal, hudDscr: string | null): string | null {
  if (isDoubted(deal, 'list_price')) return null;
  const isDscrDoubted =
    (deal.noi_source === 'derived_from_advertised_cap' && isDoubted(deal, 'cap_rate')) ||
    (deal.noi_source === 'underwritten' && isDoubted(deal, 'units', 'rent'));
  if (!isDscrDoubted) return deal.dscr;
  return scoredReliability(deal) === 'ok' ? hudDscr : null;
}
