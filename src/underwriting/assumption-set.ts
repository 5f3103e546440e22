import type { DecimalText } from '../decimal-text.js';

/** Everything underwriting assumes, as versioned data: the version travels with every figure that it produced. */
export interface AssumptionSet {
  readonly version: string;
  /** YYYY-MM-DD (UTC); from this day on the set re-underwrites everything. */
  readonly effectiveFrom: string;
  readonly vacancyPct: DecimalText;
  /** USD per unit and year, beside rent. */
  readonly otherIncomePerUnit: DecimalText;
  /** Share of the effective gross income, with management and reserves. */
  readonly operatingRatioPct: DecimalText;
  /** Operating expenses are never under this: USD per unit and year. */
  readonly operatingFloorPerUnit: DecimalText;
  readonly ltvPct: DecimalText;
  readonly ratePct: DecimalText;
  readonly amortizationYears: number;
  readonly minDscr: DecimalText;
  readonly targetCapPct: DecimalText;
  /** A smaller loan is not underwritten: USD. */
  readonly minLoan: DecimalText;
  /** Price / (12 x rent x units) above this: the rent proxy does not fit. */
  readonly maxRentMultiple: DecimalText;
  /** Price / (12 x rent x units) under this: the unit count or the price is suspect. */
  readonly suspectRentMultiple: DecimalText;
  /** Stated NOI further than this from advertised cap x price: the two disagree. */
  readonly capNoiTolerancePct: DecimalText;
  readonly offer: OfferAssumptions;
}

/** How an offer range is derived from the target cap. */
export interface OfferAssumptions {
  /** Points above the target cap for the low end. */
  readonly lowSpreadPct: DecimalText;
  /** Points below the target cap for the high end. */
  readonly highSpreadPct: DecimalText;
  /** Share of the row's NOI that counts where the HUD underwrite is not reliable. */
  readonly uncheckedNoiSharePct: DecimalText;
  /** Offers are rounded down to this step, USD. */
  readonly step: DecimalText;
}

/** The assumption set in force, `uw-1.0.0`. */
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

/** Every set that a published figure may stand on. */
const sets: readonly AssumptionSet[] = [assumptionSet];

/** The set of a version; undefined when this program does not know it. */
export function findAssumptionSet(version: string): AssumptionSet | undefined {
  return sets.find((set) => set.version === version);
}
