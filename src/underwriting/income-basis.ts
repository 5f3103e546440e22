import { absent, isKnown, type Maybe, known } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { ExpenseItem, UnitKind } from '../listings/listing.js';
import { Exact } from './decimal.js';
import { sumExpenses } from './income.js';
import type { UnderwritingInputs } from './underwriting.js';

/** Units of one kind, with HUD's rent for each, USD a month. */
export interface RentedUnits extends UnitKind {
  readonly monthlyRent: DecimalText;
}

/**
 * The unit mix that potential rent sums up; HUD publishes rents of 0 to 4 bedrooms. Absent when every unit counts with
 * the two-bedroom rent:
 * - for the reason for which the mix, the number of units or the rent is absent;
 * - `not_applicable` when the mix does not cover exactly the property's units, or HUD publishes no rent for one of its
 *   kinds.
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
 * The itemized expenses that replace the declared ratio and floor. Absent when those apply:
 * - for the reason for which the listing states no items;
 * - `not_applicable` when the items add up to zero, or not to the total that the listing states and so are incomplete.
 */
export function itemizeExpenses(inputs: UnderwritingInputs): Maybe<readonly ExpenseItem[]> {
  const { expenseItems: items, operatingExpenses: total } = inputs;
  if (!isKnown(items)) return items;
  const sum = sumExpenses(items.value, 0, 0);
  const isWhole = sum.gt(0) && (!isKnown(total) || sum.eq(total.value));
  return isWhole ? items : absent('not_applicable');
}
