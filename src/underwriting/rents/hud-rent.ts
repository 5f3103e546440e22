import type { Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';

/** Which HUD figure a rent is: the Small Area FMR of the ZIP, or the FMR of the county. */
export type RentBasis = 'safmr_zip' | 'fmr_county';

/** The rent of a place as HUD publishes it (gross rent with utilities, 40th percentile). */
export interface HudRent {
  /** USD a month. */
  readonly rent2br: DecimalText;
  /** USD a month for 0, 1, 2, 3 and 4 bedrooms; what was kept before they were read has none. */
  readonly byBedrooms?: readonly DecimalText[];
  readonly basis: RentBasis;
  /** HUD's fiscal year; FY2027 is in force from 2026-10-01. */
  readonly fiscalYear: number;
  /** True when a later fiscal year is in force on the day of use. */
  readonly stale: boolean;
  /** The source that brought it, and with whose licence it ends; the project itself carries what has none. */
  readonly source?: string;
}

/** Where a rent is asked for. */
export interface Place {
  readonly zip: Maybe<string>;
  readonly countyFips: Maybe<string>;
}

/**
 * Finds the rent for a place: the ZIP's SAFMR, else the county's FMR, else absent (`no_hud_rent`, or
 * `insufficient_inputs` when neither ZIP nor county is known).
 */
export type FindRent = (place: Place, on: Date) => Maybe<HudRent>;
