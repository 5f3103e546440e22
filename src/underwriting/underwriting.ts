import type { Maybe } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { Expenses, StatedLine } from './expense-lines.js';
import type { DataQualityFlag, Doubted } from './plausibility.js';
import type { UnderwriteReliability } from './reliability.js';
import type { DatedFigures } from './underwriting-inputs.js';
import type { RentedUnits } from './unit-mix.js';

export type NoiSource = 'stated' | 'derived_from_advertised_cap' | 'underwritten';
export type DscrStatus = 'computed' | 'insufficient_data' | 'not_applicable';
export type NoiForValueBasis = 'lesser_of_claimed_and_hud' | 'hud' | 'claim_discounted';

/**
 * The figures of one underwriting, each rounded once, half-up, to its published digits. Money in USD, rates in percent.
 */
export interface Underwriting extends DatedFigures {
  /** Version of the assumption set that produced every figure below, such as `uw-2.0.0`. */
  readonly assumptionSet: string;
  /** The one of `rates` that counts for this building. */
  readonly ratePct: DecimalText;
  readonly minDscr: DecimalText;
  readonly noi: Maybe<DecimalText>;
  readonly noiSource: Maybe<NoiSource>;
  readonly noiUnderwritten: Maybe<DecimalText>;
  readonly capRateUnderwritten: Maybe<DecimalText>;
  readonly capGapPct: Maybe<DecimalText>;
  readonly dscr: Maybe<DecimalText>;
  readonly dscrStatus: DscrStatus;
  readonly dscrUnderwritten: Maybe<DecimalText>;
  readonly reliability: UnderwriteReliability;
  /** Published as stated, and absent for value, offer, equity, scores and statuses. */
  readonly doubted: readonly Doubted[];
  /** The basis of value, offer and equity. */
  readonly noiForValue: Maybe<DecimalText>;
  readonly noiForValueBasis: Maybe<NoiForValueBasis>;
  /** The basis of the value after repairs. */
  readonly noiForArv: Maybe<DecimalText>;
  /** The underwritten NOI with the declared vacancy in place of a stated one. */
  readonly noiStabilized: Maybe<DecimalText>;
  readonly unitMix: Maybe<readonly RentedUnits[]>;
  readonly unitMixBasis: Maybe<'stated' | 'assumed_2br'>;
  /** One digit. */
  readonly vacancyPct: Maybe<DecimalText>;
  readonly grossPotentialRent: Maybe<DecimalText>;
  readonly effectiveGrossIncome: Maybe<DecimalText>;
  readonly statedLines: readonly StatedLine[];
  readonly expenses: Maybe<Expenses>;
  readonly operatingExpenses: Maybe<DecimalText>;
  readonly operatingExpensesBasis: Maybe<'lines' | 'stated_total'>;
  readonly loan: Maybe<DecimalText>;
  readonly annualDebtService: Maybe<DecimalText>;
  readonly debtYieldPct: Maybe<DecimalText>;
  readonly breakEvenOccupancyPct: Maybe<DecimalText>;
  readonly pricePerUnit: Maybe<DecimalText>;
  /** Price divided by gross potential rent. */
  readonly grossRentMultiplier: Maybe<DecimalText>;
  readonly dataQuality: readonly DataQualityFlag[];
}

/** True when HUD rents check the claim: the proxy fits, and neither price, units nor rent is doubted. */
export function isChecked({ reliability, doubted }: Pick<Underwriting, 'reliability' | 'doubted'>): boolean {
  return (
    reliability === 'ok' && !doubted.some((value) => value === 'list_price' || value === 'units' || value === 'rent')
  );
}
