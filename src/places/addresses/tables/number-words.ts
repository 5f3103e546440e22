const units = 'ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE'.split(' ');
const teens = 'TEN ELEVEN TWELVE THIRTEEN FOURTEEN FIFTEEN SIXTEEN SEVENTEEN EIGHTEEN NINETEEN'.split(' ');
const tens = 'TWENTY THIRTY FORTY FIFTY SIXTY SEVENTY EIGHTY NINETY'.split(' ');
const unitOrdinals = 'FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH'.split(' ');
const teenOrdinals =
  'TENTH ELEVENTH TWELFTH THIRTEENTH FOURTEENTH FIFTEENTH SIXTEENTH SEVENTEENTH EIGHTEENTH NINETEENTH'.split(' ');
const tenOrdinals = 'TWENTIETH THIRTIETH FORTIETH FIFTIETH SIXTIETH SEVENTIETH EIGHTIETH NINETIETH'.split(' ');

function byValue(words: readonly string[], first: number, step: number): (readonly [string, number])[] {
  return words.map((word, index) => [word, first + index * step] as const);
}

/** Cardinal words below one hundred, except the compound ones (TWENTY ONE). */
export const cardinalWords: ReadonlyMap<string, number> = new Map([
  ...byValue(units, 1, 1),
  ...byValue(teens, 10, 1),
  ...byValue(tens, 20, 10),
]);

/** Ordinal words below one hundred, except the compound ones (TWENTY FIRST). */
export const ordinalWords: ReadonlyMap<string, number> = new Map([
  ...byValue(unitOrdinals, 1, 1),
  ...byValue(teenOrdinals, 10, 1),
  ...byValue(tenOrdinals, 20, 10),
]);
