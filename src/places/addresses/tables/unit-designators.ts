/** USPS Publication 28, Appendix C2: designators with an identifier. Spelling -> abbreviation. */
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

/** Designators without an identifier. Spelling -> abbreviation. */
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

/** Bare designators that may also end a street's name (`E FRONT`, `RIVER SIDE`); they count only after a suffix. */
export const designatorsInNames: ReadonlySet<string> = new Set(['DOWN', 'FRONT', 'OFFICE', 'SIDE', 'UP']);

/** Interchangeable designators: only the identifier distinguishes units. */
export const interchangeableDesignators: ReadonlySet<string> = new Set(['#', 'APT', 'UNIT', 'STE', 'RM']);

/** Designators that never end a street name, so one without an identifier is dropped. */
export const danglingDesignators: ReadonlySet<string> = new Set(['#', 'APT', 'APTS', 'UNIT', 'UNITS', 'STE', 'SUITE']);
