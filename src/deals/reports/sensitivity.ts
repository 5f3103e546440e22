import { absent, isKnown, known, type Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';
import type { AssumptionSet } from '../../underwriting/assumption-set.js';
import { Exact, publish, publishedExact } from '../../underwriting/decimal.js';
import { capRatePct, debtServiceCoverage } from '../../underwriting/ratios.js';
import { createUnderwrite } from '../../underwriting/underwrite.js';
import type { Underwriting } from '../../underwriting/underwriting.js';
import type { UnderwritingInputs } from '../../underwriting/underwriting-inputs.js';
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

/** The changes to each assumption, `sensitivity-2.0.0`. */
export const sensitivityChanges: Readonly<Record<SensitivityDriver, readonly DecimalText[]>> = {
  rent: ['-10.00', '-5.00', '5.00', '10.00'],
  vacancy: ['-2.00', '3.00', '5.00', '8.00'],
  rate: ['-1.00', '-0.50', '0.50', '1.00', '2.00'],
  expenses: ['-10.00', '-5.00', '5.00', '10.00'],
};

/**
 * Changes one assumption at a time, all others as they are. Absent when there is no HUD underwriting.
 * - HUD's rents, and operating expenses as a whole, change by percent of themselves.
 * - The vacancy that counts, which never falls under the lowest one, and the interest rate change by percentage points.
 */
export function testSensitivity(inputs: UnderwritingInputs, set: AssumptionSet): Maybe<readonly SensitivityRow[]> {
  const base = createUnderwrite(set)(inputs);
  if (!isKnown(base.noiUnderwritten)) return base.noiUnderwritten;
  const drivers = Object.keys(sensitivityChanges) as SensitivityDriver[];
  return known(
    drivers.flatMap((driver) =>
      sensitivityChanges[driver].map((change) => {
        const ratePct = driver === 'rate' ? plus(base.ratePct, change) : base.ratePct;
        return figureRow(
          driver,
          change,
          noiAfter(driver, change, base, inputs, set),
          { ...base, ratePct },
          inputs,
          set,
        );
      }),
    ),
  );
}

/** The NOI after a change, as published. */
function noiAfter(
  driver: SensitivityDriver,
  change: DecimalText,
  base: Underwriting,
  inputs: UnderwritingInputs,
  set: AssumptionSet,
): Exact {
  const { rent } = inputs;
  if (driver === 'rent' && isKnown(rent)) {
    const { rent2br, byBedrooms = [] } = rent.value;
    const rents = {
      rent2br: changeBy(rent2br, change),
      byBedrooms: byBedrooms.map((each) => changeBy(each, change)),
    };
    return read(createUnderwrite(set)({ ...inputs, rent: known({ ...rent.value, ...rents }) }).noiUnderwritten);
  }
  if (driver === 'vacancy') {
    const changed = { ...set, vacancyPct: read(base.vacancyPct).plus(change).toFixed() };
    return read(createUnderwrite(changed)({ ...inputs, vacancyPct: absent('not_applicable') }).noiUnderwritten);
  }
  if (driver === 'expenses') {
    const expenses = publishedExact(changeBy(read(base.operatingExpenses).toFixed(), change));
    return read(base.effectiveGrossIncome).minus(expenses);
  }
  return read(base.noiUnderwritten);
}

function figureRow(
  driver: SensitivityDriver,
  change: DecimalText,
  noi: Exact,
  underwriting: Underwriting,
  inputs: UnderwritingInputs,
  set: AssumptionSet,
): SensitivityRow {
  const { capRateUnderwritten, dscrUnderwritten } = underwriting;
  const loan = sizeLoan(underwriting, inputs, set);
  const onLoan = (figure: (service: Exact) => Exact, otherwise: Maybe<DecimalText>): Maybe<DecimalText> =>
    isKnown(loan) ? known(publish(figure(loan.value.service), 2)) : otherwise;
  return {
    driver,
    change,
    changeUnit: driver === 'vacancy' || driver === 'rate' ? 'percentage_points' : 'percent',
    noi: publish(noi, 2),
    capRate: isKnown(capRateUnderwritten)
      ? known(publish(capRatePct(noi, publishedExact(read(inputs.listPrice))), 2))
      : capRateUnderwritten,
    dscr: onLoan((service) => debtServiceCoverage(noi, service), dscrUnderwritten),
    cashFlow: onLoan((service) => noi.minus(service), dscrUnderwritten),
  };
}

/** A figure of an underwriting that has a HUD side. */
function read(figure: Maybe<DecimalText>): Exact {
  if (!isKnown(figure)) throw new RangeError('a figure of the HUD underwriting is absent');
  return new Exact(figure.value);
}

function plus(value: DecimalText, points: DecimalText): DecimalText {
  return new Exact(value).plus(points).toFixed();
}

function changeBy(value: DecimalText, changePct: DecimalText): DecimalText {
  return new Exact(100).plus(changePct).div(100).times(value).toFixed();
}
