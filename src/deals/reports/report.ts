import type { Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';
import type { PricePoint } from '../scoring/price-events.js';
import type { ConfidenceInput } from '../scoring/score.js';
import type { ReportedSource } from './report-inputs.js';
import type { AssumptionSet } from '../../underwriting/assumption-set.js';
import type { RentedUnits } from '../../underwriting/unit-mix.js';
import type { OfferRange } from '../../underwriting/offer-range.js';
import type { Underwriting } from '../../underwriting/underwriting.js';
import type { Market } from './market.js';
import type { PropertyMatches } from '../../counties/matches/match-county-records.js';
import type { RentBand } from './rent-band.js';
import type { SensitivityRow } from './sensitivity.js';
import type { UnderwritingSides } from './underwriting-sides.js';

/**
 * The contents of a report beyond the deal's record. Each figure is rounded once, half-up. Money in USD, rates in
 * percent.
 */
export interface Report {
  readonly assumptions: AssumptionSet;
  /** False when the record's county comes from its ZIP. */
  readonly isCountyStated: boolean;
  /** Whether the source calls its cap rate pro forma: what it expects, not what it has. */
  readonly isCapRateProForma: boolean;
  readonly underwriting: Underwriting;
  /** The units that potential rent sums up; absent when it uses the two-bedroom rent. */
  readonly unitMix: Maybe<readonly RentedUnits[]>;
  readonly rentBand: Maybe<RentBand>;
  /** Operating expenses as the listing states them. */
  readonly statedTotal: Maybe<DecimalText>;
  readonly sides: UnderwritingSides;
  /** Annual debt service per dollar of loan, ten digits. */
  readonly loanConstant: DecimalText;
  /** Asking price and closing costs less loan. */
  readonly cashInvested: Maybe<DecimalText>;
  /** Absent for the same reason as the underwritten NOI. */
  readonly sensitivity: Maybe<readonly SensitivityRow[]>;
  readonly offer: Maybe<OfferRange>;
  readonly dealScore: DealScoreBreakdown;
  readonly confidence: ConfidenceBreakdown;
  readonly matches: PropertyMatches;
  readonly priceHistory: readonly ReportedPrice[];
  readonly sources: readonly ReportedSource[];
  readonly formerIds: readonly string[];
  readonly market: Market;
  /** UTC day of the scores, YYYY-MM-DD. */
  readonly scoredOn: string;
}

/** How the deal score is computed. */
export interface DealScoreBreakdown {
  readonly ruleVersion: string;
  readonly total: number;
  /** The four addends, two digits. */
  readonly parts: Readonly<Record<'yield' | 'dscr' | 'motivation' | 'distress', DecimalText>>;
  readonly scoredYieldPct: Maybe<DecimalText>;
  readonly scoredDscr: Maybe<DecimalText>;
  readonly motivationCount: number;
  readonly taxAmount: Maybe<DecimalText>;
  readonly taxMatchConfidence: Maybe<DecimalText>;
  readonly sheriffMatchConfidence: Maybe<DecimalText>;
  readonly thresholds: Readonly<Record<string, DecimalText>>;
}

/** How the confidence is computed: the mean of its inputs times the factor. */
export interface ConfidenceBreakdown {
  readonly ruleVersion: string;
  readonly score: DecimalText;
  readonly inputs: Readonly<Record<ConfidenceInput, DecimalText>>;
  readonly factor: DecimalText;
}

/** An asking price at one source. */
export interface ReportedPrice extends PricePoint {
  readonly sourceName: string;
  /** Change from the source's entry before in the same offer, percent with two digits. */
  readonly changePct: Maybe<DecimalText>;
}
