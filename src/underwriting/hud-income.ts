import { isKnown } from '../absence.js';
import type { AssumptionSet } from './assumption-set.js';
import { Exact, exactOf, publishedExact, shareOf } from './decimal.js';
import type { Expenses } from './expense-lines.js';
import { expensesOf } from './expenses.js';
import { grossPotentialRent, rentUnitMix, rentUnits, type RentedUnits } from './unit-mix.js';
import type { UnderwritingInputs } from './underwriting-inputs.js';

/** The income that HUD rent supports, each figure as published: USD a year with cents. */
export interface HudIncome {
  readonly mix: readonly RentedUnits[];
  readonly mixBasis: 'stated' | 'assumed_2br';
  readonly gpr: Exact;
  /** The rent that reliability judges by: HUD's gross two-bedroom rent for every unit, whatever the unit mix. */
  readonly grossRent: Exact;
  /** Percent, one digit. */
  readonly vacancyPct: Exact;
  readonly egi: Exact;
  readonly expenses: Expenses;
  readonly opex: Exact;
  readonly opexBasis: 'lines' | 'stated_total';
  readonly noi: Exact;
  /** With the declared vacancy in place of a stated one. */
  readonly noiStabilized: Exact;
}

/** Percent. */
const all = new Exact(100);

/**
 * Potential rent less vacancy and expenses; undefined without a positive HUD rent.
 * - Rent is that of the unit mix, else the two-bedroom rent for every unit (`rentUnitMix`).
 * - A stated vacancy counts when it is above the declared one.
 * - A stated total of expenses counts when it is above the sum of the lines (`expensesOf`).
 */
export function incomeOf(inputs: UnderwritingInputs, units: number, set: AssumptionSet): HudIncome | undefined {
  const { rent } = inputs;
  if (!isKnown(rent)) return undefined;
  const { rent2br } = rent.value;
  const grossRent = exactOf(rent2br).times(12 * units);
  if (!grossRent.gt(0)) return undefined;
  const stated = rentUnitMix(inputs, set);
  const mix = isKnown(stated) ? stated.value : [rentUnits({ bedrooms: 2, units }, rent2br, inputs, set)];
  const gpr = publishedExact(grossPotentialRent(mix));
  const [least, usual] = [exactOf(set.vacancyMinPct), exactOf(set.vacancyPct)];
  const declaredVacancy = usual.lt(least) ? least : usual;
  const statedVacancy = isKnown(inputs.vacancyPct) ? exactOf(inputs.vacancyPct.value).toDecimalPlaces(1) : usual;
  const vacancyPct = statedVacancy.gt(declaredVacancy) ? Exact.min(all, statedVacancy) : declaredVacancy;
  const stable = operate(gpr, declaredVacancy);
  const inPlace = vacancyPct === declaredVacancy ? stable : operate(gpr, vacancyPct);
  return {
    ...{ mix, mixBasis: isKnown(stated) ? 'stated' : 'assumed_2br', gpr, grossRent, vacancyPct },
    ...inPlace,
    noiStabilized: stable.noi,
  };

  function operate(potential: Exact, vacancy: Exact) {
    const other = exactOf(set.otherIncomePerUnit).times(units);
    const egi = publishedExact(shareOf(potential, all.minus(vacancy)).plus(other));
    const { expenses, sum } = expensesOf(inputs, { units, mix, effectiveGrossIncome: egi }, set);
    const total = isKnown(inputs.operatingExpenses) ? publishedExact(inputs.operatingExpenses.value) : sum;
    const isMore = total.gt(sum);
    const opex = isMore ? total : sum;
    return {
      egi,
      expenses,
      opex,
      opexBasis: isMore ? ('stated_total' as const) : ('lines' as const),
      noi: egi.minus(opex),
    };
  }
}
