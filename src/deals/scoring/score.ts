import type { Maybe } from '../../absence.js';
import type { Listing } from '../../listings/listing.js';
import type { Underwriting } from '../../underwriting/underwriting.js';
import type { PricesRead } from './price-reduction.js';
import type { PathStatus, Rationale } from './rationale.js';
import type { ScoredValues } from './scored-values.js';

export const motivationCodes = [
  'price_reduced',
  'repeated_price_cut',
  'long_on_feed',
  'relisted',
  'remarks_motivated',
  'remarks_estate',
  'remarks_as_is',
  'remarks_seller_finance',
  'distressed_condition',
  'auction_listing',
  'high_vacancy',
  'below_assessed',
  'tax_delinquent_match',
  'sheriff_sale_match',
] as const;
export type MotivationCode = (typeof motivationCodes)[number];

export interface MotivationSignal {
  readonly code: MotivationCode;
  /** One plain phrase; never remarks verbatim, never a person's name. */
  readonly evidence: string;
  readonly sourceUrl: Maybe<string>;
  readonly observedAt: Date;
}

/** Public records matched to the listing with confidence 0.85 or more. */
export interface DistressMatches {
  readonly taxDelinquency: Maybe<{ amount: string; confidence: string; sourceUrl: string; observedAt: Date }>;
  readonly sheriffSale: Maybe<{ confidence: string; sourceUrl: string; observedAt: Date }>;
}

export interface ScoreInputs {
  readonly listing: Listing;
  readonly underwriting: Underwriting;
  readonly distress: DistressMatches;
  /** Median advertised cap rate of the listing's metro (its county), percent. */
  readonly metroMedianCapPct: Maybe<string>;
  readonly now: Date;
}

export interface Score {
  readonly dealScore: number;
  /** The four addends of `dealScore` before rounding, decimals with two digits. */
  readonly dealScoreParts: {
    readonly yield: string;
    readonly dscr: string;
    readonly motivation: string;
    readonly distress: string;
  };
  /** The cap rate that counts for the score, percent with two digits. */
  readonly scoredYieldPct: Maybe<string>;
  /** The debt coverage that counts for the score, two digits. */
  readonly scoredDscr: Maybe<string>;
  /** "0.00" to "1.00". */
  readonly confidenceScore: string;
  /** The ten inputs of the confidence, each "1", "0.5" or "0". */
  readonly confidenceInputs: Readonly<Record<ConfidenceInput, string>>;
  /** What it counts, absent where it is doubted. */
  readonly values: ScoredValues;
  readonly motivation: readonly MotivationSignal[];
  readonly rentalStatus: PathStatus;
  readonly wholesaleStatus: PathStatus;
  readonly creativeStatus: PathStatus;
  readonly rationales: { readonly rental: Rationale; readonly wholesale: Rationale; readonly creative: Rationale };
  /** The record's `why_this_is_interesting`. */
  readonly headline: string;
  readonly daysOnFeed: number;
  readonly prices: PricesRead;
}

export const confidenceInputs = [
  'address_parsed_and_zip_agrees',
  'county_or_parcel_linked',
  'list_price',
  'units',
  'noi',
  'rent',
  'taxes_actual',
  'vacancy_and_expenses_actual',
  'seen_within_48h',
  'cross_source_agreement',
] as const;
export type ConfidenceInput = (typeof confidenceInputs)[number];
