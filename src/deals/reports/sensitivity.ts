import { isKnown, known, type Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';
import type { AssumptionSet } from '../../underwriting/assumption-set.js';
import { Exact, publish } from '../../underwriting/decimal.js';
import { createUnderwrite } from '../../underwriting/underwrite.js';
import type { UnderwritingInputs } from '../../underwriting/underwriting.js';
import { sizeLoan } from './size-loan.js';

export type SensitivityDriver = 'rent' | 'vacancy' | 'rate' | 'expenses';

/** The HUD underwriting with one assumption changed. */
export interface SensitivityRow {
  readonly driver: SensitivityDriver;
  readonly change: DecimalText;
  /** `percent` of the assumption itself, or `percentage_points` added to it. */
  readonly changeUnit: 'percent' | 'percentage_points';
  readonly noi: DecimalText;
  readonly capRate: Maybe<DecimalText>;
  readonly dscr: Maybe<DecimalText>;
  /** NOI less debt service, USD a year. */
  readonly cashFlow: Maybe<DecimalText>;
}

/** The changes to each assumption, `sensitivity-1.0.0`. */
export const sensitivityChanges: Readonly<Record<SensitivityDriver, readonly DecimalText[]>> = {
  rent: ['-10.00', '-5.00', '5.00', '10.00'],
  vacancy: ['-2.00', '3.00', '5.00', '8.00'],
  rate: ['-1.00', '-0.50', '0.50', '1.00', '2.00'],
  expenses: ['-10.00', '-5.00', '5.00', '10.00'],
};

/**
 * Repeats the underwriting with one assumption changed at a time. Absent when there is no HUD underwriting.
 * - Rents and operating expenses (ratio and floor, or the itemized expenses) change by percent of themselves.
 * - Vacancy and interest rate change by percentage points.
 */
export function testSensitivity(inputs: UnderwritingInputs, set: AssumptionSet): Maybe<readonly SensitivityRow[]> {
  const base = createUnderwrite(set)(inputs).noiUnderwritten;
  if (!isKnown(base)) return base;
  const drivers = Object.keys(sensitivityChanges) as SensitivityDriver[];
  return known(
    drivers.flatMap((driver) => sensitivityChanges[driver].map((change) => testChange(driver, change, inputs, set))),
  );
}

function testChange(
  driver: SensitivityDriver,
  change: DecimalText,
  inputs: UnderwritingInputs,
  set: AssumptionSet,
): SensitivityRow {
  const changedSet = changeSet(driver, change, set);
  const changedInputs = changeInputs(driver, change, inputs);
  const underwriting = createUnderwrite(changedSet)(changedInputs);
  const { noiUnderwritten: noi, capRateUnderwritten, dscrUnderwritten } = underwriting;
  if (!isKnown(noi)) throw new RangeError('the NOI is absent after a changed assumption');
  const loan = sizeLoan(underwriting, inputs, changedSet);
  return {
    driver,
    change,
    changeUnit: driver === 'vacancy' || driver === 'rate' ? 'percentage_points' : 'percent',
    noi: noi.value,
    capRate: capRateUnderwritten,
    dscr: dscrUnderwritten,
    cashFlow: isKnown(loan) ? known(publish(new Exact(noi.value).minus(loan.value.service), 2)) : loan,
  };
}

function changeSet(driver: SensitivityDriver, change: DecimalText, set: AssumptionSet): AssumptionSet {
  switch (driver) {
    case 'rent':
      return set;
    case 'vacancy':
      return { ...set, vacancyPct: new Exact(set.vacancyPct).plus(change).toFixed() };
    case 'rate':
      return { ...set, ratePct: new Exact(set.ratePct).plus(change).toFixed() };
    case 'expenses':
      return {
        ...set,
        operatingRatioPct: changeBy(set.operatingRatioPct, change),
        operatingFloorPerUnit: changeBy(set.operatingFloorPerUnit, change),
      };
  }
}

function changeInputs(driver: SensitivityDriver, change: DecimalText, inputs: UnderwritingInputs): UnderwritingInputs {
  const { rent, operatingExpenses: total, expenseItems: items } = inputs;
  const changed = (value: DecimalText): DecimalText => changeBy(value, change);
  if (driver === 'rent' && isKnown(rent)) {
    const { rent2br, byBedrooms = [] } = rent.value;
    const rents = { rent2br: changed(rent2br), byBedrooms: byBedrooms.map(changed) };
    return { ...inputs, rent: known({ ...rent.value, ...rents }) };
  }
  if (driver === 'expenses' && isKnown(items)) {
    const changedItems = items.value.map((item) => ({ ...item, amount: changed(item.amount) }));
    const changedTotal = isKnown(total) ? known(changed(total.value)) : total;
    return { ...inputs, expenseItems: known(changedItems), operatingExpenses: changedTotal };
  }
  return inputs;
}

function changeBy(value: DecimalText, changePct: DecimalText): DecimalText {
  return new Exact(100).plus(changePct).div(100).times(value).toFixed();
}
