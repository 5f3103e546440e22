/** Words that begin a part of a subdivision: spelling -> canonical form. A number or a letter follows all but URB. */
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
