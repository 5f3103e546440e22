/**
 * Words that open a part of a subdivision: spelling -> the form kept. All but URB are followed by a number or a letter.
 */
export const subdivisionWords: ReadonlyMap<string, string> = new Map([
  ['BLK', 'BLK'],
  ['BLOCK', 'BLK'],
  ['LOT', 'LOT'],
  ['PARCEL', 'PARCEL'],
  ['PCL', 'PARCEL'],
  ['PHASE', 'PHASE'],
  ['SEC', 'SEC'],
  ['SECT', 'SEC'],
  ['SECTION', 'SEC'],
  ['TRACT', 'TRACT'],
  ['TRCT', 'TRACT'],
  ['URB', 'URB'],
  ['URBANIZACION', 'URB'],
  ['URBANIZATION', 'URB'],
]);
