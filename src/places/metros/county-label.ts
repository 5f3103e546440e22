import { countyNames, findCountyName, type CountyName } from './counties.js';

/** A county's label in records and filters, such as "Cuyahoga County, OH"; by its code when no county has that code. */
export function countyLabel(countyFips: string, state: string): string {
  const name = findCountyName(countyFips);
  return name === undefined ? `County ${countyFips}, ${state}` : `${withKind(name, state)}, ${state}`;
}

/**
 * The label of a county from a name with or without its kind: "Orleans" in LA is "Orleans Parish, LA". A name shared by
 * a county and a city, as St. Louis, is the county's. An unknown name is treated as a county's.
 */
export function labelOfCounty(name: string, state: string): string {
  const key = `${state} ${name}`;
  const told = labels.get(key);
  if (told !== undefined) return told;
  const label = `${withKind(findCounties(name, state)[0]?.name ?? name, state)}, ${state}`;
  // Sources may state anything.
  if (labels.size >= mostLabels) labels.clear();
  labels.set(key, label);
  return label;
}

const labels = new Map<string, string>();
const mostLabels = 5_000;

/**
 * The counties of a state that a name can mean, or the one of a FIPS code, in any state.
 * - Case, accents, blanks, `.`, `'` and the kind of county do not count, and Saint is St.
 * - Only of a county and a city of one name, such as Baltimore, the kind tells which; the name alone means both, the
 *   county first.
 */
export function findCounties(stated: string, state: string): readonly CountyName[] {
  const text = stated.trim();
  if (/^\d{5}$/.test(text)) return countyNames.filter(({ countyFips }) => countyFips === text);
  return countiesByKey.get(keyOf(text, state)) ?? countiesByKey.get(keyOf(text.replace(statedKinds, ''), state)) ?? [];
}

/**
 * A county's name as stated, without the word County or Parish, which only a county needs that shares its name with a
 * city of its state.
 */
export function shortenCounty(stated: string, state: string): string {
  const short = stated.replace(/\s+(county|parish)$/i, '');
  return findCounties(short, state).length > 1 ? stated : short;
}

const kinds = / (County|Parish|city|City and Borough|Borough|Municipality|Census Area|Planning Region|Municipio)$/;
const statedKinds = new RegExp(kinds.source.replace('|city|', '|'), 'i');
/** Names that take no kind, unlike James City County, VA. */
const ofNoKind: readonly string[] = ['Carson City', 'District of Columbia'];
/** Territories whose parts are islands. */
const islands: readonly string[] = ['AS', 'GU', 'MP', 'VI'];

function withKind(name: string, state: string): string {
  return kinds.test(name) || ofNoKind.includes(name) || islands.includes(state) ? name : `${name} County`;
}

function keyOf(name: string, state: string): string {
  const plain = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[.'\u0300-\u036f]/g, '')
    .replace(/\bsaint(?=e?\b)/g, 'st');
  return `${state} ${plain.replace(/\s/g, '')}`;
}

/** Each county by its name, its name without the kind, and its label; the county before the city of its name. */
const countiesByKey = new Map<string, CountyName[]>();
for (const county of [...countyNames].sort((one, other) => Number(isCity(one)) - Number(isCity(other)))) {
  const names = [county.name, county.name.replace(kinds, ''), withKind(county.name, county.state)];
  for (const key of new Set(names.map((name) => keyOf(name, county.state)))) {
    const others = countiesByKey.get(key);
    if (others === undefined) countiesByKey.set(key, [county]);
    else others.push(county);
  }
}

function isCity({ name }: CountyName): boolean {
  return name.endsWith(' city');
}
