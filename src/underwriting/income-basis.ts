import { absent, isKnown, type Maybe, known } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { ExpenseItem, UnitKind } from '../listings/listing.js';
import { Exact } from './decimal.js';
import { sumExpenses } from './income.js';
import type { UnderwritingInputs } from './underwriting.js';

/** Some units of one kind, and HUD's rent for each of them, USD a month. */
export interface RentedUnits extends UnitKind {
  readonly monthlyRent: DecimalText;
}

/**
 * The unit mix that potential rent is the sum over. Absent where the two-bedroom rent stands for every unit: for the
 * reason for which the mix, the number of units or the rent is absent; `not_applicable` where the mix is not of exactly
 * the units of the property, or HUD publishes no rent for one of its kinds (it publishes those of 0 to 4 bedrooms).
 */
export function rentUnitMix({ unitMix, units, rent }: UnderwritingInputs): Maybe<readonly RentedUnits[]> {
  if (!isKnown(unitMix)) return unitMix;
  if (!isKnown(units)) return absent('insufficient_inputs');
  if (!isKnown(rent)) return rent;
  const { byBedrooms = [] } = rent.value;
  const rented = unitMix.value.flatMap((kind) => {
    const monthlyRent = byBedrooms[kind.bedrooms];
    return monthlyRent !== undefined && new Exact(monthlyRent).gt(0) ? { ...kind, monthlyRent } : [];
  });
  const count = rented.reduce((sum, kind) => sum + kind.units, 0);
  const isWhole = rented.length === unitMix.value.length && count === units.value;
  return isWhole ? known(rented) : absent('not_applicable');
}

/**
 * The itemised expenses that operating expenses are the sum of, without the declared ratio and floor. Absent where
 * those two stand for them: for the reason for which the listing states none; `not_applicable` where they come to
 * nothing, or where it states a total too that is another than their sum, so that they are not all of it.
 */
export function itemiseExpenses(inputs: UnderwritingInputs): Maybe<readonly ExpenseItem[]> {
  const { expenseItems: items, operatingExpenses: total } = inputs;
  if (!isKnown(items)) return items;
  const sum = sumExpenses(items.value, 0, 0);
  const isWhole = sum.gt(0) && (!isKnown(total) || sum.eq(total.value));
  return isWhole ? items : absent('not_applicable');
}
