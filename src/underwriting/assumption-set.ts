import type { DecimalText } from '../decimal-text.js';

/** All assumptions of underwriting, as versioned data. Every figure carries the version that produced it. */
export interface AssumptionSet {
  readonly version: string;
  /** YYYY-MM-DD (UTC): from this day the set re-underwrites everything. */
  readonly effectiveFrom: string;
  readonly vacancyPct: DecimalText;
  /** USD per unit and year, in addition to rent. */
  readonly otherIncomePerUnit: DecimalText;
  /** Percent of effective gross income, including management and reserves. */
  readonly operatingRatioPct: DecimalText;
  /** Minimum operating expenses: USD per unit and year. */
  readonly operatingFloorPerUnit: DecimalText;
  readonly ltvPct: DecimalText;
  readonly ratePct: DecimalText;
  readonly amortizationYears: number;
  readonly minDscr: DecimalText;
  readonly targetCapPct: DecimalText;
  /** Minimum loan, USD; a smaller one is not underwritten. */
  readonly minLoan: DecimalText;
  /** Above this price / (12 x rent x units), the rent proxy does not fit. */
  readonly maxRentMultiple: DecimalText;
  /** Below this price / (12 x rent x units), the unit count or the price is suspect. */
  readonly suspectRentMultiple: DecimalText;
  /** Largest difference, percent, at which stated NOI and advertised cap x price still agree. */
  readonly capNoiTolerancePct: DecimalText;
  readonly offer: OfferAssumptions;
}

/** How an offer range is derived from the target cap. */
export interface OfferAssumptions {
  /** Percentage points above the target cap for the low end. */
  readonly lowSpreadPct: DecimalText;
  /** Percentage points below the target cap for the high end. */
  readonly highSpreadPct: DecimalText;
  /** Percent of the row's NOI that counts when the HUD underwriting is not reliable. */
  readonly uncheckedNoiSharePct: DecimalText;
  /** Offers are rounded down to this step, USD. */
  readonly step: DecimalText;
}

/** The current assumption set, `uw-1.0.0`. */
export const assumptionSet: AssumptionSet = {
  version: 'uw-1.0.0',
  effectiveFrom: '2026-11-01',
  vacancyPct: '7.0',
  otherIncomePerUnit: '0',
  operatingRatioPct: '45.0',
  operatingFloorPerUnit: '3600',
  ltvPct: '75.0',
  ratePct: '6.75',
  amortizationYears: 30,
  minDscr: '1.25',
  targetCapPct: '8.50',
  minLoan: '75000',
  maxRentMultiple: '14.0',
  suspectRentMultiple: '2.5',
  capNoiTolerancePct: '5.0',
  offer: { lowSpreadPct: '0.75', highSpreadPct: '0.25', uncheckedNoiSharePct: '90', step: '1000' },
};

/** Every set that a published figure may name. */
const sets: readonly AssumptionSet[] = [assumptionSet];

/** The set of a version; undefined when this program does not have it. */
export function findAssumptionSet(version: string): AssumptionSet | undefined {
  return sets.find((set) => set.version === version);
}
