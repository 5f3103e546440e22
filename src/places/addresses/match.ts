import {
  compareAddresses,
  type AddressComparison,
  type Agreement,
  compareSubdivisions,
  otherStreetsOf,
} from './compare-addresses.js';
import { isEvidence, matchConfidences, type AddressMatch, type MatchType } from './match-types.js';
import { isNormalizedAddress, type AddressNotParsed, type NormalizedAddress } from './normalized-address.js';
import { isSameUnit } from './parse/split-unit.js';
import { marksOf, nameOf, similarFrom, trigramSimilarity } from './similar-names.js';

/** Facts beyond the two addresses. All optional; an unknown fact never helps a match. */
export interface MatchContext {
  /** Parcel keys of the first and the second address, as `parcelKey` makes them. */
  readonly parcels?: readonly [string | undefined, string | undefined];
  /**
   * All known addresses of the pair's ZIP and house number, in any order; may include the pair. Without them uniqueness
   * is unknown, so no `suffix_missing` or `fuzzy_trigram`, and no `street_alias` of a name that differs in blanks.
   */
  readonly candidates?: readonly NormalizedAddress[];
}

/**
 * Decides whether two addresses are the same property at building level, and with what confidence; undefined when they
 * are not. Symmetric (parcels swap too). An address that was not parsed can match only by parcel. A parcel does not
 * outweigh contradicting addresses. Source of the rules: docs/decisions/addresses.md.
 */
export function matchAddresses(
  a: NormalizedAddress | AddressNotParsed,
  b: NormalizedAddress | AddressNotParsed,
  context: MatchContext = {},
): AddressMatch | undefined {
  const type =
    isNormalizedAddress(a) && isNormalizedAddress(b)
      ? findMatchType(a, b, context)
      : isSameParcel(context)
        ? 'parcel_exact'
        : undefined;
  return type === undefined ? undefined : { matchType: type, confidence: matchConfidences[type] };
}

function findMatchType(a: NormalizedAddress, b: NormalizedAddress, context: MatchContext): MatchType | undefined {
  const comparison = compareAddresses(a, b);
  const subdivision = compareSubdivisions(a, b);
  if (isRejected(a, b, comparison) || subdivision === 'conflict') return undefined;
  if (comparison.preDirectional !== 'same') return lacksDirectional(a, b, comparison) ? 'review_predir' : undefined;
  const doubt = findDoubt(a, b, comparison, subdivision);
  if (comparison.street === 'conflict')
    return doubt === undefined ? findFuzzy(a, b, comparison, context.candidates) : undefined;
  if (isSameParcel(context)) return 'parcel_exact';
  if (comparison.zip !== 'same' && a.city !== b.city) return undefined;
  const found = findExact(a, b, comparison) ?? findWeaker(a, b, comparison, context.candidates);
  return found !== undefined && isEvidenceType(found) ? (doubt ?? found) : found;
}

/** The reason why two addresses of one street and number are not evidence of each other. */
function findDoubt(
  a: NormalizedAddress,
  b: NormalizedAddress,
  { county }: AddressComparison,
  subdivision: Agreement,
): MatchType | undefined {
  if (otherStreetsOf(a).length + otherStreetsOf(b).length > 0) return 'several_properties';
  if (subdivision !== 'same') return 'review_subdivision';
  if (county === 'conflict') return 'review_city_conflict';
  const isPresumed = a.isUnitPresumed === true || b.isUnitPresumed === true;
  return isPresumed && !isSameUnit(a.unit, b.unit) ? 'review_unit' : undefined;
}

function isEvidenceType(matchType: MatchType): boolean {
  return isEvidence({ matchType, confidence: matchConfidences[matchType] });
}

/** Contradictions that nothing outweighs. */
function isRejected(a: NormalizedAddress, b: NormalizedAddress, comparison: AddressComparison): boolean {
  return (
    a.state !== b.state ||
    comparison.zip === 'conflict' ||
    comparison.number === 'conflict' ||
    comparison.preDirectional === 'conflict' ||
    comparison.postDirectional === 'conflict'
  );
}

/** The same in all parts but for a missing pre-directional: 77 W Park Ave is hardly 77 Park Ave. */
function lacksDirectional(a: NormalizedAddress, b: NormalizedAddress, comparison: AddressComparison): boolean {
  const { street, suffix, postDirectional, zip } = comparison;
  const isPlaced = zip === 'same' || a.city === b.city;
  return street === 'same' && suffix === 'same' && postDirectional === 'same' && isPlaced;
}

function isSameParcel({ parcels }: MatchContext): boolean {
  return parcels !== undefined && parcels[0] !== undefined && parcels[0] === parcels[1];
}

/** The same street in every part; only number range, unit and ZIP may differ. */
function findExact(a: NormalizedAddress, b: NormalizedAddress, comparison: AddressComparison): MatchType | undefined {
  const { number, street, suffix, postDirectional, zip } = comparison;
  if (street !== 'same' || suffix !== 'same' || postDirectional !== 'same') return undefined;
  if (number === 'contains') return 'range_contains';
  if (!isSameUnit(a.unit, b.unit)) return 'building_level';
  if (zip === 'same') return a.unit === '' ? 'exact_normalized' : 'exact_unit';
  return a.number.low === a.number.high ? 'exact_no_zip' : 'range_equal';
}

/** A numbered road cannot lack a suffix: its bypass or spur is another road. */
const numberedRoad = /(?:^| )(?:RD|HWY|RTE|FM|RM|INTERSTATE) (?:\d+[A-Z]?|[A-Z]{1,2})$/;

function findWeaker(
  a: NormalizedAddress,
  b: NormalizedAddress,
  { street, suffix, postDirectional, zip }: AddressComparison,
  candidates: readonly NormalizedAddress[] | undefined,
): MatchType | undefined {
  if (postDirectional !== 'same') return suffix === 'conflict' ? undefined : 'review_postdir';
  if (suffix === 'same') return street !== 'blanks' || isAlone(a, b, zip, candidates) ? 'street_alias' : undefined;
  const isProven = suffix === 'missing_on_one' && street === 'same' && zip === 'same' && !numberedRoad.test(a.street);
  return isProven && isOnlySuffix(a, b, candidates) ? 'suffix_missing' : 'review_suffix_conflict';
}

/** True when the ZIP is known to have no second street of that name with this number. */
function isOnlySuffix(
  a: NormalizedAddress,
  b: NormalizedAddress,
  candidates: readonly NormalizedAddress[] | undefined,
): boolean {
  const suffix = a.suffix === '' ? b.suffix : a.suffix;
  const rivals = candidates?.filter((other) => isOnStreet(a, other) || isOnStreet(b, other));
  return rivals?.every((rival) => rival.suffix === '' || rival.suffix === suffix) ?? false;
}

function isOnStreet(address: NormalizedAddress, other: NormalizedAddress): boolean {
  return isNear(address, other) && compareAddresses(address, other).street !== 'conflict';
}

/** Possibly in the same ZIP with the same number; candidates are found by city as well. */
function isNear(address: NormalizedAddress, other: NormalizedAddress): boolean {
  const { number, zip } = compareAddresses(address, other);
  return number !== 'conflict' && zip !== 'conflict';
}

const runnerUpTo = 0.4;

/**
 * A misspelled street name with no similar street in the ZIP. Digits and single letters are never misspellings: 93rd is
 * not 94th, Route A not Route B.
 */
function findFuzzy(
  a: NormalizedAddress,
  b: NormalizedAddress,
  { number, suffix, postDirectional, zip }: AddressComparison,
  candidates: readonly NormalizedAddress[] | undefined,
): MatchType | undefined {
  if (number !== 'same' || suffix === 'conflict' || postDirectional !== 'same') return undefined;
  if (marksOf(a) !== marksOf(b) || trigramSimilarity(nameOf(a), nameOf(b)) < similarFrom) return undefined;
  return isAlone(a, b, zip, candidates) ? 'fuzzy_trigram' : undefined;
}

/** True when the two have one ZIP, which is known to have no third street with a similar name at this number. */
function isAlone(
  a: NormalizedAddress,
  b: NormalizedAddress,
  zip: Agreement,
  candidates: readonly NormalizedAddress[] | undefined,
): boolean {
  if (zip !== 'same' || candidates === undefined) return false;
  const runnerUp = candidates
    .filter((other) => !isSameStreet(other, a) && !isSameStreet(other, b) && isNear(a, other))
    .map((other) => Math.max(trigramSimilarity(nameOf(a), nameOf(other)), trigramSimilarity(nameOf(b), nameOf(other))))
    .reduce((most, similarity) => Math.max(most, similarity), 0);
  return runnerUp <= runnerUpTo;
}

/** The same street in every part; with or without a ZIP, it is no rival of its own building. */
function isSameStreet(a: NormalizedAddress, b: NormalizedAddress): boolean {
  return (
    a.street === b.street &&
    a.suffix === b.suffix &&
    a.preDirectional === b.preDirectional &&
    a.postDirectional === b.postDirectional
  );
}
