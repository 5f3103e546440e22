/** A county of the demonstration: its location and wire formats. */
export interface DemoCounty {
  readonly state: string;
  /** Without the word County, as in `demo-places.ts`. */
  readonly name: string;
  readonly countyFips: string;
  readonly publishes: readonly DemoFormat[];
  /** True: its list of unpaid taxes has only parcel numbers, and a parcel roll has the addresses. */
  readonly hasRoll?: true;
}

/** `arcgis`, `socrata` and `roll` publish unpaid taxes, the others sheriff sales. */
export type DemoFormat = 'arcgis' | 'socrata' | 'roll' | 'civilview' | 'realauction';

/** The counties with fictional public records; every wire format occurs. */
export const demoCounties: readonly DemoCounty[] = [
  ofOhio('Cuyahoga', '39035', ['arcgis', 'realauction']),
  ofOhio('Franklin', '39049', ['realauction']),
  ofOhio('Hamilton', '39061', ['arcgis', 'civilview']),
  { state: 'IN', name: 'Marion', countyFips: '18097', publishes: ['arcgis'], hasRoll: true },
  { state: 'IL', name: 'Cook', countyFips: '17031', publishes: ['socrata'] },
  { state: 'TX', name: 'Dallas', countyFips: '48113', publishes: ['roll'] },
];

function ofOhio(name: string, countyFips: string, publishes: readonly DemoFormat[]): DemoCounty {
  return { state: 'OH', name, countyFips, publishes };
}
