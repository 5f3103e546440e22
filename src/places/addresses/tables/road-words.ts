/**
 * Words that say who maintains a road or what it serves, never names: after them ROAD, HIGHWAY and ROUTE are followed
 * by a road's number or letter. Excludes words that also name ordinary streets (RIVER, PARK, NATIONAL): text after such
 * a street is a presumed unit.
 */
export const describingWords: ReadonlySet<string> = new Set(
  (
    'ACCESS AGENCY ALT ALTERNATE BIA BUS BUSINESS BYP BYPASS CAMP CATTLE COUNTY DISTRICT FARM FIRE FOREST FORESTRY ' +
    'FRONTAGE INTERSTATE LEASE LOGGING LOOP MARKET OIL PARISH PRIVATE PVT RANCH RANGE RESERVATION SECONDARY SERVICE ' +
    'SPUR STATE STATES SUPPLEMENTAL TIMBER TO TOLL TOWN TOWNSHIP TRIBAL TRUCK TRUNK TWP UNITED US'
  ).split(' '),
);

/** Nouns of numbered roads: spelling -> canonical form. */
export const roadNouns: ReadonlyMap<string, string> = new Map([
  ['RD', 'RD'],
  ['ROAD', 'RD'],
  ['HIGHWAY', 'HWY'],
  ['HIGHWY', 'HWY'],
  ['HIWAY', 'HWY'],
  ['HIWY', 'HWY'],
  ['HWAY', 'HWY'],
  ['HWY', 'HWY'],
  ['ROUTE', 'RTE'],
  ['RT', 'RTE'],
  ['RTE', 'RTE'],
]);
