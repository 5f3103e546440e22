import { absent, isKnown, known, type Maybe, valueOf } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';
import type { AssumptionSet } from '../../underwriting/assumption-set.js';
import { createUnderwrite } from '../../underwriting/underwrite.js';
import type { Underwriting } from '../../underwriting/underwriting.js';
import type { UnderwritingInputs } from '../../underwriting/underwriting-inputs.js';

/** The HUD side with the same number of bedrooms in every unit. */
export interface RentBandSide {
  /** HUD's for that number of bedrooms, USD a month. */
  readonly marketRent: DecimalText;
  readonly noi: Maybe<DecimalText>;
  readonly capRate: Maybe<DecimalText>;
  readonly dscr: Maybe<DecimalText>;
  readonly noiForValue: Maybe<DecimalText>;
}

/** The range of the HUD side when no source states the bedrooms; the record assumes two. */
export interface RentBand {
  readonly oneBedroom: RentBandSide;
  readonly twoBedrooms: RentBandSide;
}

/**
 * The band of an underwriting on two bedrooms in every unit. Absent for the reason for which there is no HUD side,
 * `not_applicable` where the unit mix is known, and `not_collected` without HUD's rent for one bedroom.
 */
export function findRentBand(base: Underwriting, inputs: UnderwritingInputs, set: AssumptionSet): Maybe<RentBand> {
  const { unitMixBasis: basis } = base;
  if (!isKnown(basis)) return basis;
  if (basis.value === 'stated' || !isKnown(inputs.units)) return absent('not_applicable');
  const mix = known([{ bedrooms: 1, units: inputs.units.value }]);
  const [one, two] = [sideOf(createUnderwrite(set)({ ...inputs, unitMix: mix }), 1), sideOf(base, 2)];
  return one === undefined || two === undefined
    ? absent('not_collected')
    : known({ oneBedroom: one, twoBedrooms: two });
}

/** Undefined for an underwriting that is not of so many bedrooms in every unit. */
function sideOf(underwriting: Underwriting, bedrooms: number): RentBandSide | undefined {
  const { unitMix, noiUnderwritten, capRateUnderwritten, dscrUnderwritten, noiForValue } = underwriting;
  const [kind] = valueOf(unitMix) ?? [];
  if (kind?.bedrooms !== bedrooms) return undefined;
  const figures = { capRate: capRateUnderwritten, dscr: dscrUnderwritten, noiForValue };
  return { marketRent: kind.grossRent, noi: noiUnderwritten, ...figures };
}
