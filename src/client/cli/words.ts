import type { ExpenseLineName, MatchType, ReportSection } from '../../../generated/types.gen.js';

// What people read for the codes of the contract. A new code does not compile without its words.

export const matchKinds: Readonly<Record<MatchType, string>> = {
  parcel_exact: 'same parcel number',
  exact_normalized: 'same address',
  exact_unit: 'same unit',
  exact_no_zip: 'same address without ZIP',
  range_equal: 'same range of numbers',
  range_contains: 'within the range of numbers',
  building_level: 'same building',
  suffix_missing: 'same but for the suffix',
  street_alias: 'other name of the street',
  fuzzy_trigram: 'similar address, to be checked',
  review_suffix_conflict: 'other suffix, to be checked',
  review_postdir: 'other direction, to be checked',
  review_predir: 'other direction, to be checked',
  review_unit: 'other unit, to be checked',
  review_subdivision: 'other subdivision, to be checked',
  review_city_conflict: 'other city, to be checked',
  several_properties: 'several properties, to be checked',
};

/** The sections of a report. */
export const sectionNames: Readonly<Record<ReportSection['name'], string>> = {
  claimed: "The seller's claim",
  hud: 'Underwriting on HUD rents',
  sensitivity: 'Sensitivity',
  offer_range: 'Offer range',
  price_history: 'Price history',
  market: 'Market',
  county_records: 'County records',
};

export const expenseNames: Readonly<Record<ExpenseLineName, string>> = {
  taxes: 'Taxes',
  insurance: 'Insurance',
  management: 'Management',
  repairs: 'Repairs',
  utilities: 'Utilities',
  other: 'Other',
  reserves: 'Reserves',
};

/** The checks of the three paths. */
export const checkNames: Readonly<Record<string, string>> = {
  hot_cap_rate: 'Advertised cap rate',
  hot_scored_dscr: 'Debt coverage',
  hot_cap_gap: 'Advertised over HUD cap rate',
  warm_scored_yield: 'Yield',
  warm_scored_dscr: 'Debt coverage, for Warm',
  hot_checked: 'HUD rents check the claim',
  hot_plausible: 'Doubted values',
  list_price_at_mao: 'List price',
  list_price_near_mao: 'List price, for Warm',
  list_price_far_mao: 'List price of a motivated seller',
  hot_motivation: 'Signs of a motivated seller',
  warm_motivation: 'Signs of a motivated seller, for Warm',
  hot_carry_dscr: "Coverage of the seller's loan",
  warm_carry_dscr: "Coverage of the seller's loan, for Warm",
  warm_equity: 'Equity of the seller',
};

/** The words of a table's codes; a code that a newer server sends is shown as its own words. */
export function wordsOf(table: Readonly<Record<string, string>>): (code: string) => string {
  return (code) => (Object.hasOwn(table, code) ? table[code] : undefined) ?? code.replaceAll('_', ' ');
}
