import { readTable } from '../../../project-file.js';

const rows = readTable('src/places/data/address-words.csv', {
  kind: /^[a-z_]+$/,
  kept: /^[A-Z #]+$/,
  spellings: /^[A-Z #|]+$/,
});

/** Spelling -> canonical form (upper case). */
export function wordsOf(kind: string): ReadonlyMap<string, string> {
  const own = rows.filter((row) => row.kind === kind);
  return new Map(own.flatMap(({ kept, spellings }) => spellings.split('|').map((spelling) => [spelling, kept])));
}

/** Spelling -> USPS directional. */
export const directionals = wordsOf('directional');

/** USPS Publication 28, appendix C1: every spelling -> standard abbreviation. */
export const streetSuffixes = wordsOf('street_suffix');

/** Suffixes that nearly always end a street line; the rest (LAKE, PARK, HILL) often belong to a name or a city. */
export const plainSuffixes: ReadonlySet<string> = new Set(
  'ALY AVE BLVD CIR CT DR EXPY EXT HWY LN LOOP PIKE PKWY PL PLZ RD SQ ST TER TPKE TRL WAY'.split(' '),
);

/**
 * Streets named for a person with several spellings -> canonical spelling. A match that needs this table is a
 * `street_alias`.
 */
export const streetAliases = wordsOf('street_alias');

/** Spelling (up to `longestHighwayName` words) -> canonical name. A number or a letter must follow. */
export const highwayNames = wordsOf('highway');
export const longestHighwayName = 4;

/** Nouns of numbered roads: spelling -> canonical form. */
export const roadNouns = wordsOf('road_noun');

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

/** USPS Publication 28, appendix C2: designators with an identifier. Spelling -> abbreviation. */
export const valuedDesignators = wordsOf('valued_designator');

/** Designators without an identifier. Spelling -> abbreviation. */
export const bareDesignators = wordsOf('bare_designator');

/** Bare designators that may also end a street's name (`E FRONT`, `RIVER SIDE`); they count only after a suffix. */
export const designatorsInNames: ReadonlySet<string> = new Set(['DOWN', 'FRONT', 'OFFICE', 'SIDE', 'UP']);

/** Interchangeable designators: only the identifier distinguishes units. */
export const interchangeableDesignators: ReadonlySet<string> = new Set(['#', 'APT', 'UNIT', 'STE', 'RM']);

/** Designators that never end a street name, so one without an identifier is dropped. */
export const danglingDesignators: ReadonlySet<string> = new Set(['#', 'APT', 'APTS', 'UNIT', 'UNITS', 'STE', 'SUITE']);

/** Words that begin a part of a subdivision: spelling -> canonical form. A number or a letter follows all but URB. */
export const subdivisionWords = wordsOf('subdivision');

/** Buildings where sales are held: an address with one is the location of the auction, not of the property. */
export const venueWords =
  /\b(?:COURT ?HOUSE|JUSTICE CENTER|JUSTICE CENTRE|HALL OF JUSTICE|SHERIFFS? OFFICE|SHERIFFS? DEPARTMENT|AUCTION ROOM|COUNTY ADMINISTRATION (?:BUILDING|BLDG))\b/;

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
