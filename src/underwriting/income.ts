import type { Decimal } from 'decimal.js';
import { Exact } from './decimal.js';

/** Units of one kind, and the monthly rent of each, USD. */
export interface UnitMixLine {
  readonly units: number;
  readonly monthlyRent: Decimal.Value;
}

/** Potential rent with all units let, USD a year. */
export function grossPotentialRent(unitMix: readonly UnitMixLine[]): Exact {
  return unitMix.reduce(
    (sum, { units, monthlyRent }) => sum.plus(new Exact(monthlyRent).times(units * 12)),
    new Exact(0),
  );
}

/** The difference between potential and effective income. Collection loss counts on rent net of vacancy. */
export interface IncomeLosses {
  readonly vacancyPct: Decimal.Value;
  readonly collectionLossPct?: Decimal.Value;
  /** USD a year. */
  readonly otherIncome?: Decimal.Value;
}

/** EGI = GPR - vacancy - collection loss + other income, USD a year. */
export function effectiveGrossIncome(gpr: Decimal.Value, losses: IncomeLosses): Exact {
  return new Exact(gpr)
    .times(shareLeft(losses.vacancyPct))
    .times(shareLeft(losses.collectionLossPct ?? 0))
    .plus(losses.otherIncome ?? 0);
}

/** One item of operating expenses: USD a year, percent of EGI, or USD per unit and year. */
export type ExpenseLine =
  { readonly amount: Decimal.Value } | { readonly pctOfEgi: Decimal.Value } | { readonly perUnit: Decimal.Value };

/** The sum of itemized operating expenses, USD a year. */
export function sumExpenses(lines: readonly ExpenseLine[], egi: Decimal.Value, units: number): Exact {
  return lines.reduce((sum, line) => {
    if ('amount' in line) return sum.plus(line.amount);
    if ('pctOfEgi' in line) return sum.plus(new Exact(line.pctOfEgi).div(100).times(egi));
    return sum.plus(new Exact(line.perUnit).times(units));
  }, new Exact(0));
}

function shareLeft(lossPct: Decimal.Value): Exact {
  return new Exact(100).minus(lossPct).div(100);
}
