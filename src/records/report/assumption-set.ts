import type * as Wire from '../../../generated/types.gen.js';
import type { AssumptionSet } from '../../underwriting/assumption-set.js';

/** Converts an assumption set to the contract's form. */
export function assumptionSetToWire(set: AssumptionSet): Wire.AssumptionSet {
  return {
    version: set.version,
    effective_from: set.effectiveFrom,
    vacancy_pct: set.vacancyPct,
    other_income_per_unit: set.otherIncomePerUnit,
    operating_ratio_pct: set.operatingRatioPct,
    operating_floor_per_unit: set.operatingFloorPerUnit,
    ltv_pct: set.ltvPct,
    rate_pct: set.ratePct,
    amortisation_years: set.amortizationYears,
    min_dscr: set.minDscr,
    target_cap_pct: set.targetCapPct,
    min_loan: set.minLoan,
    max_rent_multiple: set.maxRentMultiple,
    offer_low_spread_pct: set.offer.lowSpreadPct,
    offer_high_spread_pct: set.offer.highSpreadPct,
    offer_unchecked_noi_share_pct: set.offer.uncheckedNoiSharePct,
    offer_step: set.offer.step,
  };
}
