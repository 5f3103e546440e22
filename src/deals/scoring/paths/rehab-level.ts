import { isKnown } from '../../../absence.js';
import type { Listing, PropertyCondition } from '../../../listings/listing.js';
import type { InputBasis } from '../rationale.js';
import type { RemarksReading } from '../read-remarks.js';

export type RehabLevel = 'light' | 'medium' | 'heavy';

const levelOfCondition: Readonly<Record<PropertyCondition, RehabLevel>> = {
  good: 'light',
  fair: 'medium',
  poor: 'heavy',
  distressed: 'heavy',
};

/**
 * The repair level of a building: by its stated condition, else by words in the remarks (the heaviest counts), else by
 * the year built. Medium as a declared assumption when none is known.
 */
export function rateRehab(
  listing: Pick<Listing, 'condition' | 'yearBuilt'>,
  remarks: RemarksReading,
  lightYearMin: () => string,
): { readonly level: RehabLevel; readonly basis: InputBasis } {
  if (isKnown(listing.condition)) {
    return { level: levelOfCondition[listing.condition.value], basis: 'stated_by_source' };
  }
  for (const level of ['heavy', 'medium', 'light'] as const) {
    if (remarks.has(`${level}_rehab`)) return { level, basis: 'stated_by_source' };
  }
  if (!isKnown(listing.yearBuilt)) return { level: 'medium', basis: 'assumed' };
  return { level: listing.yearBuilt.value >= Number(lightYearMin()) ? 'light' : 'medium', basis: 'computed' };
}
