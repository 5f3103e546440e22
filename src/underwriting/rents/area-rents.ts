/** Rents in whole USD a month for 0, 1, 2, 3 and 4 bedrooms. */
export type BedroomRents = readonly [number, number, number, number, number];

export type AreaKind = 'zip' | 'county';

/** The rents that HUD publishes for one area and fiscal year. */
export interface AreaRents {
  readonly areaKind: AreaKind;
  /** A five-digit ZIP, or a county's five-digit FIPS code. */
  readonly areaCode: string;
  readonly fiscalYear: number;
  /** Which of several areas of a ZIP or county it is: a code of HUD, or a county's FIPS code; else empty. */
  readonly area: string;
  readonly rents: BedroomRents;
}

/** Rents with the source that delivered them. */
export interface SourcedRents extends AreaRents {
  readonly source: string;
}
