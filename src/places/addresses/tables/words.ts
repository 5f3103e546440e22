import { readTable } from '../../../project-file.js';

const rows = readTable('src/places/data/address-words.csv', {
  kind: /^[a-z_]+$/,
  kept: /^[A-Z #]+$/,
  spellings: /^[A-Z #|]+$/,
});

/** Spelling -> the form kept (upper case). */
export function wordsOf(kind: string): ReadonlyMap<string, string> {
  const own = rows.filter((row) => row.kind === kind);
  return new Map(own.flatMap(({ kept, spellings }) => spellings.split('|').map((spelling) => [spelling, kept])));
}

/** Spelling -> USPS directional. */
export const directionals = wordsOf('directional');

/** USPS Publication 28, appendix C1: every spelling -> standard abbreviation. */
export const streetSuffixes = wordsOf('street_suffix');

/** Suffixes that end a street line nearly always; the rest (LAKE, PARK, HILL) are often part of a name or of a city. */
export const plainSuffixes: ReadonlySet<string> = new Set(
  'ALY AVE BLVD CIR CT DR EXPY EXT HWY LN LOOP PIKE PKWY PL PLZ RD SQ ST TER TPKE TRL WAY'.split(' '),
);

/**
 * Streets named for a person and written in several ways -> the one spelling kept. A match that needed this table is a
 * `street_alias`.
 */
export const streetAliases = wordsOf('street_alias');

/** Spelling (up to `longestHighwayName` words) -> the form kept. A number or a letter must follow. */
export const highwayNames = wordsOf('highway');
export const longestHighwayName = 4;

/** Nouns of numbered roads: spelling -> the form kept. */
export const roadNouns = wordsOf('road_noun');

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

/** USPS Publication 28, appendix C2: designators that are followed by an identifier. Spelling -> abbreviation. */
export const valuedDesignators = wordsOf('valued_designator');

/** Designators that stand alone. Spelling -> abbreviation. */
export const bareDesignators = wordsOf('bare_designator');

/** Bare designators that may also end a street's name (`E FRONT`, `RIVER SIDE`); only a suffix before them tells. */
export const designatorsInNames: ReadonlySet<string> = new Set(['DOWN', 'FRONT', 'OFFICE', 'SIDE', 'UP']);

/** Designators that writers swap freely: only the identifier behind them tells units apart. */
export const interchangeableDesignators: ReadonlySet<string> = new Set(['#', 'APT', 'UNIT', 'STE', 'RM']);

/** Designators that never end a street name, so that one without an identifier is simply dropped. */
export const danglingDesignators: ReadonlySet<string> = new Set(['#', 'APT', 'APTS', 'UNIT', 'UNITS', 'STE', 'SUITE']);

/**
 * Words that open a part of a subdivision: spelling -> the form kept. All but URB are followed by a number or a letter.
 */
export const subdivisionWords = wordsOf('subdivision');

/** Buildings where sales are held: an address that names one says where the auction is, not what is sold. */
export const venueWords =
  /\b(?:COURT ?HOUSE|JUSTICE CENTER|JUSTICE CENTRE|HALL OF JUSTICE|SHERIFFS? OFFICE|SHERIFFS? DEPARTMENT|AUCTION ROOM|COUNTY ADMINISTRATION (?:BUILDING|BLDG))\b/;
