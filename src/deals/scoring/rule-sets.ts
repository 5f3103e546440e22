import { publish } from '../../underwriting/decimal.js';
import { balanceAfter, mortgageConstant } from '../../underwriting/mortgage.js';
import type { Rationale } from './rationale.js';

export type Thresholds = Rationale['thresholds'];

/** A rule's numbers as versioned data: a changed number needs a new version. */
export interface RuleSet<T extends Thresholds = Thresholds> {
  readonly version: string;
  readonly thresholds: T;
}

/** How much of an advertised cap rate counts, for the rental path and the deal score. */
const scoredYield = {
  /** Percentage points by which a claim may exceed the underwritten cap and still count. */
  claim_allowance_pct: '1.50',
  /** A claim that HUD rent cannot check counts up to this limit, less the haircut. */
  unchecked_cap_limit_pct: '8.00',
  unchecked_haircut_pct: '1.00',
};

/** Rental path, `rental-2.0.0`. */
export const rentalRules = {
  version: 'rental-2.0.0',
  thresholds: {
    hot_cap_rate_min: '8.50',
    hot_dscr_min: '1.20',
    /** With a reliable underwriting, a gap of this many percentage points or more keeps a deal from Hot. */
    hot_cap_gap_below: '3.00',
    warm_yield_min: '6.50',
    warm_dscr_min: '1.00',
    ...scoredYield,
  },
} as const satisfies RuleSet;

/** The lowest cap rate at which a building's income is valued. */
const exit = { exit_cap_rate_min: '7.00' };

/** Wholesale path, `wholesale-2.0.0`; money in USD. */
export const wholesaleRules = {
  version: 'wholesale-2.0.0',
  thresholds: {
    ...exit,
    arv_factor: '0.70',
    assignment_fee: '10000',
    rehab_light_per_unit: '6000',
    rehab_medium_per_unit: '12000',
    rehab_heavy_per_unit: '25000',
    /** When the condition is unknown: light rehab for a building of this year or later, medium for an older one. */
    rehab_light_year_min: '1990',
    hot_motivation_min: '1',
    warm_mao_factor: '1.10',
    warm_motivated_mao_factor: '1.20',
    warm_motivation_min: '3',
  },
} as const satisfies RuleSet;

/** The terms of a seller's loan. */
const carry = { ratePct: '6.00', amortizationYears: 30 };

/** Creative-finance path, `creative-2.0.0`. */
export const creativeRules = {
  version: 'creative-2.0.0',
  thresholds: {
    carry_down_pct: '10.00',
    carry_rate_pct: carry.ratePct,
    carry_years: String(carry.amortizationYears),
    /** Annual debt service per dollar at the carry rate and years. */
    carry_loan_constant: publish(mortgageConstant(carry), 10),
    /** Share of the carried loan still owed when a balloon falls due. */
    carry_balloon_share_year_5: publish(balanceAfter(1, carry, 5 * 12), 10),
    carry_balloon_share_year_7: publish(balanceAfter(1, carry, 7 * 12), 10),
    hot_carry_dscr_min: '1.15',
    warm_carry_dscr_min: '1.10',
    warm_motivation_min: '2',
    warm_equity_pct_min: '50.00',
    /** Percentage points below the market rate from which an existing loan is worth taking over. */
    subject_to_spread_min: '1.50',
    ...exit,
  },
} as const satisfies RuleSet;

/** Motivation codes, `motivation-2.0.0`. */
export const motivationRules = {
  version: 'motivation-2.0.0',
  thresholds: {
    price_reduction_pct_min: '3.0',
    repeated_cuts_min: '2',
    /** Of the price before; smaller falls are no cuts. */
    cut_pct_min: '1.0',
    cut_usd_min: '500',
    /** A change from this on counts when it has stood for some days. */
    unsettled_pct_min: '50',
    unsettled_days: '7',
    /** It was a typing error if the price comes back to the one before, within this. */
    corrected_within_pct: '5',
    days_on_feed_min: '60',
    vacancy_pct_min: '25.0',
  },
} as const satisfies RuleSet;

/** Deal score, `deal-score-2.0.0`: weights in points of 100. */
export const dealScoreRules = {
  version: 'deal-score-2.0.0',
  thresholds: {
    yield_points: '40',
    yield_from_pct: '4.00',
    yield_span_pct: '6.00',
    dscr_points: '25',
    dscr_from: '0.90',
    dscr_span: '0.60',
    motivation_points_each: '5',
    motivation_points_max: '20',
    tax_match_points: '8',
    /** Added when the amount owed is at least `tax_amount_pct_of_price_min` of the asking price. */
    tax_amount_points: '3',
    tax_amount_pct_of_price_min: '2.0',
    sheriff_match_points: '12',
    distress_points_max: '15',
    ...scoredYield,
  },
} as const satisfies RuleSet;

/** Confidence score, `confidence-1.3.0`. */
export const confidenceRules = {
  version: 'confidence-1.3.0',
  thresholds: {
    seen_within_hours: '48',
    /** Percent of the larger figure: two sources that round an income or a rate differently still agree. */
    income_tolerance_pct: '1.00',
    out_of_range_factor: '0.75',
  },
} as const satisfies RuleSet;

/** Headline, `headline-1.2.0`. */
export const headlineRules = {
  version: 'headline-1.2.0',
  thresholds: { material_gap_pct: '1.00' },
} as const satisfies RuleSet;
