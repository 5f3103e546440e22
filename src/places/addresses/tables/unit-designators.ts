/** USPS Publication 28, Appendix C2: designators that are followed by an identifier. Spelling -> abbreviation. */
export const valuedDesignators: ReadonlyMap<string, string> = new Map([
  ['#', '#'],
  ['APARTMENT', 'APT'],
  ['APARTMENTS', 'APT'],
  ['APT', 'APT'],
  ['APTS', 'APT'],
  ['BLDG', 'BLDG'],
  ['BUILDING', 'BLDG'],
  ['DEPARTMENT', 'DEPT'],
  ['DEPT', 'DEPT'],
  ['FL', 'FL'],
  ['FLOOR', 'FL'],
  ['FLR', 'FL'],
  ['HANGAR', 'HNGR'],
  ['HNGR', 'HNGR'],
  ['LOT', 'LOT'],
  ['PIER', 'PIER'],
  ['RM', 'RM'],
  ['ROOM', 'RM'],
  ['SLIP', 'SLIP'],
  ['SPACE', 'SPC'],
  ['SPC', 'SPC'],
  ['STE', 'STE'],
  ['SUITE', 'STE'],
  ['SUITES', 'STE'],
  ['TRAILER', 'TRLR'],
  ['TRLR', 'TRLR'],
  ['UNIT', 'UNIT'],
  ['UNITS', 'UNIT'],
]);

/** Designators that stand alone. Spelling -> abbreviation. */
export const bareDesignators: ReadonlyMap<string, string> = new Map([
  ['BASEMENT', 'BSMT'],
  ['BSMT', 'BSMT'],
  ['DOWN', 'LOWR'],
  ['DOWNSTAIRS', 'LOWR'],
  ['FRNT', 'FRNT'],
  ['FRONT', 'FRNT'],
  ['LBBY', 'LBBY'],
  ['LOBBY', 'LBBY'],
  ['LOWER', 'LOWR'],
  ['LOWR', 'LOWR'],
  ['OFC', 'OFC'],
  ['OFFICE', 'OFC'],
  ['PENTHOUSE', 'PH'],
  ['PH', 'PH'],
  ['REAR', 'REAR'],
  ['SIDE', 'SIDE'],
  ['UP', 'UPPR'],
  ['UPPER', 'UPPR'],
  ['UPPR', 'UPPR'],
  ['UPSTAIRS', 'UPPR'],
]);

/** Bare designators that may also end a street's name (`E FRONT`, `RIVER SIDE`); only a suffix before them tells. */
export const designatorsInNames: ReadonlySet<string> = new Set(['DOWN', 'FRONT', 'OFFICE', 'SIDE', 'UP']);

/** Designators that writers swap freely: only the identifier behind them tells units apart. */
export const interchangeableDesignators: ReadonlySet<string> = new Set(['#', 'APT', 'UNIT', 'STE', 'RM']);

/** Designators that never end a street name, so that one without an identifier is simply dropped. */
export const danglingDesignators: ReadonlySet<string> = new Set(['#', 'APT', 'APTS', 'UNIT', 'UNITS', 'STE', 'SUITE']);
