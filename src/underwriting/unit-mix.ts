import { absent, isKnown, type Maybe, known } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { UnitKind } from '../listings/listing.js';
import type { AssumptionSet } from './assumption-set.js';
import { Exact, exactOf } from './decimal.js';
import type { UnderwritingInputs } from './underwriting-inputs.js';

/** Units of one kind, with the rent of each, USD a month. */
export interface RentedUnits extends UnitKind {
  /** As HUD publishes it, with utilities. */
  readonly grossRent: DecimalText;
  /** What the tenant pays for utilities; 0 where the owner pays. */
  readonly utilityAllowance: DecimalText;
}

/**
 * The unit mix that potential rent sums up; HUD publishes rents of 0 to 4 bedrooms. Absent when every unit counts with
 * the two-bedroom rent:
 * - for the reason for which the mix, the number of units or the rent is absent;
 * - `not_applicable` when the mix does not cover exactly the property's units, or HUD publishes no rent for one of its
 *   kinds.
 */
export function rentUnitMix(inputs: UnderwritingInputs, set: AssumptionSet): Maybe<readonly RentedUnits[]> {
  const { unitMix, units, rent } = inputs;
  if (!isKnown(unitMix)) return unitMix;
  if (!isKnown(units)) return absent('insufficient_inputs');
  if (!isKnown(rent)) return rent;
  const { byBedrooms = [] } = rent.value;
  const rented = unitMix.value.flatMap((kind) => {
    const grossRent = byBedrooms[kind.bedrooms];
    return grossRent !== undefined && exactOf(grossRent).gt(0) ? rentUnits(kind, grossRent, inputs, set) : [];
  });
  const count = rented.reduce((sum, kind) => sum + kind.units, 0);
  const isWhole = rented.length === unitMix.value.length && count === units.value;
  return isWhole ? known(rented) : absent('not_applicable');
}

/** Units of one kind at HUD's rent for it. */
export function rentUnits(
  { bedrooms, units }: UnitKind,
  grossRent: DecimalText,
  { ownerPaysUtilities }: UnderwritingInputs,
  { utilityAllowances }: AssumptionSet,
): RentedUnits {
  return {
    bedrooms,
    units,
    grossRent,
    utilityAllowance: ownerPaysUtilities ? '0' : (utilityAllowances[bedrooms] ?? '0'),
  };
}

/** Potential rent with all units let, USD a year: gross rent less what tenants pay for utilities, never under 0. */
export function grossPotentialRent(mix: readonly RentedUnits[]): Exact {
  return mix.reduce((sum, { units, grossRent, utilityAllowance }) => {
    const net = exactOf(grossRent).minus(exactOf(utilityAllowance));
    return net.gt(0) ? sum.plus(net.times(12 * units)) : sum;
  }, new Exact(0));
}
