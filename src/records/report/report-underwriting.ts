import type * as Wire from '../../../generated/types.gen.js';
import { absent, isKnown, known } from '../../absence.js';
import type { Report } from '../../deals/reports/report.js';
import type { RentBand, RentBandSide } from '../../deals/reports/rent-band.js';
import type { SensitivityRow } from '../../deals/reports/sensitivity.js';
import { expenseLines } from '../../underwriting/expense-lines.js';
import type { RentedUnits } from '../../underwriting/unit-mix.js';
import type { UnderwritingSide } from '../../deals/reports/underwriting-sides.js';
import { createAbsence } from '../absence.js';
import { assumptionSetToWire } from './assumption-set.js';
import { maybeTwoDigits, twoDigits } from '../decimal-text.js';

/** The underwriting section of a report. */
export function underwritingToWire(report: Report): Wire.ReportUnderwriting {
  const { underwriting, unitMix, rentBand, statedTotal, sides, sensitivity } = report;
  const { absentFields, take } = createAbsence<Wire.ReportUnderwriting['absent']>();
  const { rent } = underwriting;
  const { expenses } = underwriting;
  const lines = isKnown(expenses) ? known(expenseLines.map((line) => ({ line, ...expenses.value[line] }))) : expenses;
  const rows = isKnown(sensitivity) ? known(sensitivity.value.map(rowToWire)) : sensitivity;
  return {
    assumption_set: assumptionSetToWire(report.assumptions),
    rate_pct: underwriting.ratePct,
    rate_as_of: underwriting.rates.asOf,
    min_dscr: underwriting.minDscr,
    rent_basis: take('rent_basis', isKnown(rent) ? known(rent.value.basis) : rent),
    rent_fiscal_year: take('rent_fiscal_year', isKnown(rent) ? known(rent.value.fiscalYear) : rent),
    hud_published: take('hud_published', isKnown(rent) ? publishedOn(rent.value) : rent),
    rent_is_stale: take('rent_is_stale', isKnown(rent) ? known(rent.value.stale) : rent),
    unit_mix: take('unit_mix', isKnown(unitMix) ? known(unitMix.value.map(kindToWire)) : unitMix),
    rent_band: take('rent_band', isKnown(rentBand) ? known(bandToWire(rentBand.value)) : rentBand),
    vacancy_pct: take('vacancy_pct', underwriting.vacancyPct),
    gross_potential_rent: take('gross_potential_rent', underwriting.grossPotentialRent),
    effective_gross_income: take('effective_gross_income', underwriting.effectiveGrossIncome),
    stated_lines: [...underwriting.statedLines],
    stated_operating_expenses: take('stated_operating_expenses', maybeTwoDigits(statedTotal)),
    expenses: take('expenses', lines),
    operating_expenses: take('operating_expenses', underwriting.operatingExpenses),
    operating_expenses_basis: take('operating_expenses_basis', underwriting.operatingExpensesBasis),
    noi_for_value: take('noi_for_value', underwriting.noiForValue),
    noi_for_value_basis: take('noi_for_value_basis', underwriting.noiForValueBasis),
    noi_stabilized: take('noi_stabilized', underwriting.noiStabilized),
    claimed: sideToWire(sides.claimed),
    hud: sideToWire(sides.hud),
    gap: sideToWire(sides.gap),
    loan_constant: report.loanConstant,
    loan: take('loan', underwriting.loan),
    annual_debt_service: take('annual_debt_service', underwriting.annualDebtService),
    cash_invested: take('cash_invested', report.cashInvested),
    break_even_occupancy_pct: take('break_even_occupancy_pct', underwriting.breakEvenOccupancyPct),
    price_per_unit: take('price_per_unit', underwriting.pricePerUnit),
    gross_rent_multiplier: take('gross_rent_multiplier', underwriting.grossRentMultiplier),
    sensitivity: take('sensitivity', rows),
    absent: absentFields,
  };
}

function publishedOn({ published }: { readonly published?: string }) {
  return published === undefined ? absent('not_published_by_source') : known(published);
}

function kindToWire({ bedrooms, units, grossRent, utilityAllowance }: RentedUnits): Wire.RentedUnits {
  return {
    bedrooms,
    units,
    market_rent: twoDigits(grossRent),
    utility_allowance: twoDigits(utilityAllowance),
  };
}

function bandToWire({ oneBedroom, twoBedrooms }: RentBand): Wire.RentBand {
  return {
    words: 'bedrooms unknown: between',
    one_bedroom: bandSideToWire(oneBedroom),
    two_bedrooms: bandSideToWire(twoBedrooms),
  };
}

function bandSideToWire({ marketRent, noi, capRate, dscr, noiForValue }: RentBandSide): Wire.RentBandSide {
  const { absentFields, take } = createAbsence<Wire.RentBandSide['absent']>();
  return {
    market_rent: twoDigits(marketRent),
    noi: take('noi', noi),
    cap_rate: take('cap_rate', capRate),
    dscr: take('dscr', dscr),
    noi_for_value: take('noi_for_value', noiForValue),
    absent: absentFields,
  };
}

function sideToWire(side: UnderwritingSide): Wire.UnderwritingSide {
  const { absentFields, take } = createAbsence<Wire.UnderwritingSide['absent']>();
  return {
    noi: take('noi', side.noi),
    cap_rate: take('cap_rate', side.capRate),
    dscr: take('dscr', side.dscr),
    debt_yield_pct: take('debt_yield_pct', side.debtYieldPct),
    cash_on_cash_pct: take('cash_on_cash_pct', side.cashOnCashPct),
    max_loan_by_dscr: take('max_loan_by_dscr', side.maxLoanByDscr),
    max_loan: take('max_loan', side.maxLoan),
    absent: absentFields,
  };
}

function rowToWire({ driver, change, changeUnit, noi, capRate, dscr, cashFlow }: SensitivityRow): Wire.SensitivityRow {
  const { absentFields, take } = createAbsence<Wire.SensitivityRow['absent']>();
  return {
    driver,
    change,
    change_unit: changeUnit,
    noi,
    cap_rate: take('cap_rate', capRate),
    dscr: take('dscr', dscr),
    cash_flow: take('cash_flow', cashFlow),
    absent: absentFields,
  };
}
