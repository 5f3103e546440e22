/** Abbreviations inside a city name -> canonical word. SAINT is abbreviated, as in nearly every source. */
export const cityWords: ReadonlyMap<string, string> = new Map([
  ['SAINT', 'ST'],
  ['SAINTE', 'STE'],
  ['FT', 'FORT'],
  ['MT', 'MOUNT'],
  ['BCH', 'BEACH'],
  ['GRV', 'GROVE'],
  ['HTS', 'HEIGHTS'],
  ['HGTS', 'HEIGHTS'],
  ['HLS', 'HILLS'],
  ['PK', 'PARK'],
  ['SPGS', 'SPRINGS'],
  ['SPG', 'SPRING'],
  ['TWP', 'TOWNSHIP'],
  ['VLG', 'VILLAGE'],
]);

/** Abbreviations at the start of a city name -> canonical word. */
export const leadingCityWords: ReadonlyMap<string, string> = new Map([
  ['N', 'NORTH'],
  ['NO', 'NORTH'],
  ['S', 'SOUTH'],
  ['SO', 'SOUTH'],
  ['E', 'EAST'],
  ['W', 'WEST'],
]);
