import type { Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';

/**
 * The kind of HUD figure: the Small Area FMR of the ZIP, or the FMR of the county. `lowest`: the lowest of
 * several figures for the place, because the valid one is unknown.
 */
export type RentBasis = 'safmr_zip' | 'safmr_zip_lowest' | 'fmr_county' | 'fmr_county_lowest';

/** A place's rent as HUD publishes it (gross rent with utilities, 40th percentile). */
export interface HudRent {
  /** USD a month. */
  readonly rent2br: DecimalText;
  /** USD a month for 0, 1, 2, 3 and 4 bedrooms. Undefined where only that of 2 is known. */
  readonly byBedrooms?: readonly DecimalText[];
  readonly basis: RentBasis;
  /** HUD's fiscal year; FY2027 is in force from 2026-10-01. */
  readonly fiscalYear: number;
  /** True when a later fiscal year is in force on the day of use. */
  readonly stale: boolean;
  /** The day on which HUD published it, YYYY-MM-DD; undefined for a source's rent. */
  readonly published?: string;
  /** The source of the rent, whose licence limits its use; undefined for a rent of a table. */
  readonly source?: string;
}

/** A listing's place, as its source states it. */
export interface RentPlace {
  /** Empty where it is not known. */
  readonly city: string;
  /** Two-letter USPS code. */
  readonly state: string;
  readonly zip: Maybe<string>;
  /** A county's name or FIPS code. */
  readonly county: Maybe<string>;
}

/** What HUD's figures say of a place on a day. */
export interface PlaceFigures {
  /**
   * The ZIP's SAFMR, else the county's FMR. Else absent:
   * - `insufficient_inputs`: neither ZIP, town nor county is known;
   * - `no_hud_rent`: HUD publishes none, as for a military post office;
   * - `not_collected`: this service holds no figure of the place.
   */
  readonly rent: Maybe<HudRent>;
  /** True in a county that HUD counts as nonmetropolitan, and where the county is unknown. */
  readonly nonmetropolitan: boolean;
  /** True where the ZIP lies far from the stated county, in another of HUD's areas; false where either is unknown. */
  readonly isZipElsewhere: boolean;
}

/** HUD's figures in memory. */
export interface HudRents {
  at(place: RentPlace, on: Date): PlaceFigures;
}
