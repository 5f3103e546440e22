/** Rents in whole USD a month for 0, 1, 2, 3 and 4 bedrooms. */
export type BedroomRents = readonly [number, number, number, number, number];

export type AreaKind = 'zip' | 'county';

/** The rents that HUD publishes for one area and fiscal year. */
export interface AreaRents {
  readonly areaKind: AreaKind;
  /** A five-digit ZIP, or a county's five-digit FIPS code. */
  readonly areaCode: string;
  readonly fiscalYear: number;
  readonly rents: BedroomRents;
}

/** Rents with the source that delivered them; rents without one are built into the project. */
export interface SourcedRents extends AreaRents {
  readonly source?: string;
}

export interface ZipCounty {
  readonly zip: string;
  readonly countyFips: string;
}

/** HUD rents, and the county of each ZIP. */
export interface HudFigures {
  readonly rents: readonly AreaRents[];
  readonly zipCounties: readonly ZipCounty[];
}
