import type * as Wire from '../../../generated/types.gen.js';
import type { AssumptionSet, ByState } from '../../underwriting/assumption-set.js';

/** Converts an assumption set to the contract's form. */
export function assumptionSetToWire(set: AssumptionSet): Wire.AssumptionSet {
  const { builtFrom, earlierOrUnknown } = set.repairsPerUnit;
  return {
    version: set.version,
    effective_from: set.effectiveFrom,
    vacancy_pct: set.vacancyPct,
    vacancy_min_pct: set.vacancyMinPct,
    utility_allowances: [...set.utilityAllowances] as Wire.AssumptionSet['utility_allowances'],
    other_income_per_unit: set.otherIncomePerUnit,
    taxes_pct: byStateToWire(set.taxesPctOfEgi),
    insurance_per_unit: byStateToWire(set.insurancePerUnit),
    management_pct: set.managementPctOfEgi,
    repairs_per_unit: {
      ...Object.fromEntries(builtFrom.map(({ builtFrom: year, amount }) => [year, amount])),
      earlier_or_unknown: earlierOrUnknown,
    },
    utilities_per_unit: set.utilitiesPerUnit,
    other_per_unit: set.otherPerUnit,
    reserves_per_unit: set.reservesPerUnit,
    ltv_pct: set.ltvPct,
    amortisation_years: set.amortizationYears,
    min_dscr: set.minDscr,
    min_dscr_nonmetropolitan: set.minDscrNonmetropolitan,
    target_cap_pct: set.targetCapPct,
    min_loan: set.minLoan,
    closing_costs_pct: set.closingCostsPct,
    max_rent_multiple: set.maxRentMultiple,
    unchecked_noi_share_pct: set.uncheckedNoiSharePct,
    offer_opening_discount_pct: set.offer.openingDiscountPct,
    offer_discount_per_motivation_pct: set.offer.discountPerMotivationPct,
    offer_motivation_max: set.offer.motivationMax,
    offer_step: set.offer.step,
  };
}

function byStateToWire({ byState, elsewhere }: ByState): Wire.StateTable {
  return { by_state: { ...byState }, elsewhere };
}
