import { distance } from 'fastest-levenshtein';
import { LRUCache } from 'lru-cache';
import { foldPlace } from '../../feeds/query/feed-kind.js';
import { milesFrom, toPoint } from '../../feeds/query/map-point.js';
import { createCountyMatch, foldCity } from '../../feeds/query/place-match.js';
import { countiesOfCities } from '../../places/addresses/tables/cities.js';
import { countyLabel, shortenCounty } from '../../places/metros/county-label.js';
import { countyNames, type CountyName } from '../../places/metros/counties.js';
import { findMetro } from '../../places/metros/metros.js';
import type { Near, Place } from '../../places/metros/place.js';
import { findCentroid, findZipsBetween } from '../../places/metros/zip-centroids.js';
import { findStatesOfZip } from '../../places/metros/states.js';
import { findCountyOfZip } from '../../places/metros/zip-counties.js';

const counties = countyNames
  .map((each) => ({ ...each, label: foldPlace(countyLabel(each.countyFips, each.state)) }))
  .sort((one, other) => (one.countyFips < other.countyFips ? -1 : 1));
type LabeledCounty = (typeof counties)[number];
type Test = (county: LabeledCounty) => boolean;

/**
 * The counties of a place by their codes, all of them for one without a part; none where no US county is meant. A city
 * that is not known counts as its state, and so does a ZIP without land.
 */
export function countiesOf(place: Place): readonly CountyName[] {
  return found.memo(JSON.stringify(place), { context: place });
}

/** Of the places that were asked for last. */
const found = new LRUCache<string, readonly CountyName[], Place>({
  max: 1_000,
  memoMethod: (_key, _stale, { context }) => findCounties(context),
});

function findCounties({ state, city, county, countyFips, zip, metro, near }: Place): readonly CountyName[] {
  const tests = [
    state && byState(state),
    city === undefined ? undefined : byCity(foldCity(city), state),
    county === undefined ? undefined : byLabel(county),
    countyFips && byFips(countyFips),
    zip && either(byFips(zip.flatMap((each) => findCountyOfZip(each) ?? [])), byState(statesOf(zip))),
    metro && byFips(metro.flatMap((slug) => findMetro(slug)?.countyFips ?? [])),
    near && byFips(zipsNear(near).flatMap((each) => findCountyOfZip(each) ?? [])),
  ].filter((test) => test !== undefined);
  return counties.filter((each) => tests.every((test) => test(each)));
}

/** Fewer miles than a degree of latitude has anywhere. */
const milesPerDegree = 68;
/** Within so many miles of any place in the country is the center of a ZIP's area, but in the wild. */
const reachMiles = 50;

/** The ZIPs whose center lies in a circle; where none does, the nearest one. */
function zipsNear(circle: Near): readonly string[] {
  const reach = Math.max(circle.radiusMiles, reachMiles) / milesPerDegree;
  const zips = findZipsBetween(circle.latitude - reach, circle.latitude + reach).flatMap((zip) => {
    const center = findCentroid(zip);
    const miles = center && milesFrom(circle, toPoint(center.latitude, center.longitude));
    return miles !== undefined && miles <= Math.max(circle.radiusMiles, reachMiles) ? { zip, miles } : [];
  });
  const inside = zips.filter(({ miles }) => miles <= circle.radiusMiles);
  const shown = inside.length > 0 ? inside : zips.sort((one, other) => one.miles - other.miles).slice(0, 1);
  return shown.map(({ zip }) => zip);
}

function byLabel(part: string): Test {
  const isNamed = createCountyMatch(part);
  return ({ label }) => isNamed(label);
}

function either(one: Test, other: Test): Test {
  return (county) => one(county) || other(county);
}

function byFips(codes: readonly string[]): Test {
  return ({ countyFips }) => codes.includes(countyFips);
}

function byState(codes: readonly string[]): Test {
  return ({ state }) => codes.includes(state);
}

/** Of the ZIPs without land. */
function statesOf(zips: readonly string[]): readonly string[] {
  return zips.filter((zip) => findCountyOfZip(zip) === undefined).flatMap(findStatesOfZip);
}

const cityCounties = new Map<string, string[]>();
for (const [city, codes] of countiesOfCities) {
  const name = foldCity(city.replace(/, ..$/, ''));
  cityCounties.set(name, [...(cityCounties.get(name) ?? []), ...codes]);
}

/** A known city means its counties, but in a state that has none of its name the whole state. */
function byCity(name: string, asked: readonly string[] | undefined): Test | undefined {
  const codes = cityCounties.get(name);
  if (codes === undefined) return undefined;
  const states = codes.map((code) => code.slice(0, 2));
  return ({ countyFips }) =>
    codes.includes(countyFips) || (asked !== undefined && !states.includes(countyFips.slice(0, 2)));
}

/** The label of the county with the most similar name; undefined when no name is similar. */
export function nearestCounty({ county = '', ...place }: Place): string | undefined {
  const text = foldPlace(county.replace(/\bcounty\b/i, '').replace(/,.*$/, ''));
  const [nearest] = countiesOf(place)
    .map((each) => ({ ...each, far: distance(text, foldPlace(each.name)) }))
    .filter(({ far }) => far <= Math.max(1, Math.floor(text.length / 4)))
    .sort((one, other) => one.far - other.far);
  return nearest && countyLabel(nearest.countyFips, nearest.state);
}

/** A county's name in lists, such as `Athens, OH`. */
export function shortLabel({ name, state }: CountyName): string {
  return `${shortenCounty(name, state)}, ${state}`;
}
