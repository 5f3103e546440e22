import type { DecimalText } from '../decimal-text.js';

/** All assumptions of underwriting, as versioned data. Every figure carries the version that produced it. */
export interface AssumptionSet {
  readonly version: string;
  /** YYYY-MM-DD (UTC): from this day the set re-underwrites everything. */
  readonly effectiveFrom: string;
  /** Vacancy with collection loss, percent of potential rent; a higher stated one counts instead. */
  readonly vacancyPct: DecimalText;
  /** The lowest vacancy that counts, whatever is declared. */
  readonly vacancyMinPct: DecimalText;
  /** What a tenant pays for utilities with 0, 1, 2, 3 and 4 bedrooms, USD a month. */
  readonly utilityAllowances: readonly DecimalText[];
  /** USD per unit and year, in addition to rent. */
  readonly otherIncomePerUnit: DecimalText;
  readonly taxesPctOfEgi: ByState;
  readonly insurancePerUnit: ByState;
  readonly managementPctOfEgi: DecimalText;
  readonly repairsPerUnit: RepairSteps;
  /** Water, sewer, trash and common areas, which the owner pays. */
  readonly utilitiesPerUnit: DecimalText;
  readonly otherPerUnit: DecimalText;
  readonly reservesPerUnit: DecimalText;
  readonly ltvPct: DecimalText;
  readonly amortizationYears: number;
  readonly minDscr: DecimalText;
  /** In a county that HUD counts as nonmetropolitan, and where the county is unknown. */
  readonly minDscrNonmetropolitan: DecimalText;
  readonly targetCapPct: DecimalText;
  /** Minimum loan, USD; a smaller one is not underwritten. */
  readonly minLoan: DecimalText;
  /** Percent of the price, in addition to it. */
  readonly closingCostsPct: DecimalText;
  /** Above this price / (12 x rent x units), the rent proxy does not fit. */
  readonly maxRentMultiple: DecimalText;
  /** Below this price / (12 x rent x units), the unit count or the price is suspect. */
  readonly suspectRentMultiple: DecimalText;
  /** Largest difference, percent, at which stated NOI and advertised cap x price still agree. */
  readonly capNoiTolerancePct: DecimalText;
  /** Percent of a claim that counts when HUD rents do not check it. */
  readonly uncheckedNoiSharePct: DecimalText;
  readonly offer: OfferAssumptions;
}

/** A number for each state, two-letter code, and for any other place. USD are per unit and year. */
export interface ByState {
  readonly byState: Readonly<Record<string, DecimalText>>;
  readonly elsewhere: DecimalText;
}

/** Repairs and turnover by year built, newest first: USD per unit and year. */
export interface RepairSteps {
  readonly builtFrom: readonly { readonly builtFrom: number; readonly amount: DecimalText }[];
  readonly earlierOrUnknown: DecimalText;
}

/** How an opening offer is derived. */
export interface OfferAssumptions {
  /** Percent below what is paid at most. */
  readonly openingDiscountPct: DecimalText;
  /** Percentage points more for each motivation signal, up to `motivationMax` of them. */
  readonly discountPerMotivationPct: DecimalText;
  readonly motivationMax: number;
  /** Offers are rounded down to this step, USD. */
  readonly step: DecimalText;
}

/** `each('4.0', 'AR AZ')` is that number for these states. */
function each(amount: DecimalText, states: string): Readonly<Record<string, DecimalText>> {
  return Object.fromEntries(states.split(' ').map((state) => [state, amount]));
}

/** The current assumption set, `uw-2.0.0`. */
export const assumptionSet: AssumptionSet = {
  version: 'uw-2.0.0',
  effectiveFrom: '2026-11-28',
  vacancyPct: '7.0',
  vacancyMinPct: '5.0',
  utilityAllowances: ['90', '110', '130', '160', '190'],
  otherIncomePerUnit: '0',
  taxesPctOfEgi: {
    byState: {
      ...each('4.0', 'AR AZ CO DC DE HI ID LA NV UT WV WY'),
      ...each('5.5', 'AL CA FL GA KY MS MT NC NM OK OR SC TN VA WA'),
      ...each('7.5', 'AK IN MA MD ME MN MO ND SD'),
      ...each('10.0', 'IA KS NE OH PA RI WI'),
      ...each('11.5', 'MI NY TX VT'),
      ...each('14.0', 'CT IL NH NJ'),
    },
    elsewhere: '10.0',
  },
  insurancePerUnit: { byState: each('1000', 'AL FL LA MS OK TX'), elsewhere: '700' },
  managementPctOfEgi: '8.0',
  repairsPerUnit: {
    builtFrom: [
      { builtFrom: 2000, amount: '900' },
      { builtFrom: 1960, amount: '1200' },
    ],
    earlierOrUnknown: '1500',
  },
  utilitiesPerUnit: '900',
  otherPerUnit: '350',
  reservesPerUnit: '300',
  ltvPct: '75.0',
  amortizationYears: 30,
  minDscr: '1.25',
  minDscrNonmetropolitan: '1.30',
  targetCapPct: '8.50',
  minLoan: '75000',
  closingCostsPct: '3.0',
  maxRentMultiple: '14.0',
  suspectRentMultiple: '2.5',
  capNoiTolerancePct: '5.0',
  uncheckedNoiSharePct: '90',
  offer: { openingDiscountPct: '5', discountPerMotivationPct: '2', motivationMax: 5, step: '1000' },
};

/** Every set that a published figure may name. */
const sets: readonly AssumptionSet[] = [assumptionSet];

/** The set of a version; undefined when this program does not have it. */
export function findAssumptionSet(version: string): AssumptionSet | undefined {
  return sets.find((set) => set.version === version);
}
