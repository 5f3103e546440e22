/**
 * Words that say who keeps a road or what it serves, never whose name it bears: behind them ROAD, HIGHWAY and ROUTE are
 * followed by the road's own number or letter. Words that are also names of ordinary streets (RIVER, PARK, NATIONAL)
 * are not among them: what follows such a street is a presumed unit.
 */
export const describingWords: ReadonlySet<string> = new Set(
  (
    'ACCESS AGENCY ALT ALTERNATE BIA BUS BUSINESS BYP BYPASS CAMP CATTLE COUNTY DISTRICT FARM FIRE FOREST FORESTRY ' +
    'FRONTAGE INTERSTATE LEASE LOGGING LOOP MARKET OIL PARISH PRIVATE PVT RANCH RANGE RESERVATION SECONDARY SERVICE ' +
    'SPUR STATE STATES SUPPLEMENTAL TIMBER TO TOLL TOWN TOWNSHIP TRIBAL TRUCK TRUNK TWP UNITED US'
  ).split(' '),
);

/** Nouns of numbered roads: spelling -> the form kept. */
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
