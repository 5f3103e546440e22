import { countyNames, findCountyName } from './counties.js';

/** A county's label in records and filters, such as "Cuyahoga County, OH"; by its code when no county has that code. */
export function countyLabel(countyFips: string, state: string): string {
  const name = findCountyName(countyFips);
  return name === undefined ? `County ${countyFips}, ${state}` : `${withKind(name)}, ${state}`;
}

/**
 * The label of a county from a name with or without its kind: "Orleans" in LA is "Orleans Parish, LA". A name shared by
 * a county and a city, as St. Louis, is the county's. An unknown name is treated as a county's.
 */
export function labelOfCounty(name: string, state: string): string {
  return `${withKind(namesByOthers.get(keyOf(name, state)) ?? name)}, ${state}`;
}

const kinds = / (County|Parish|city|City and Borough|Borough|Municipality|Census Area|Planning Region)$/;
/** Names that take no kind, unlike James City County, VA. */
const ofNoKind: readonly string[] = ['Carson City', 'District of Columbia'];

function withKind(name: string): string {
  return kinds.test(name) || ofNoKind.includes(name) ? name : `${name} County`;
}

function keyOf(name: string, state: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[.']/g, '')
    .replace(/\bsaint(?=e?\b)/g, 'st');
  return `${state} ${plain.replace(/\s/g, '')}`;
}

/**
 * Of two counties with one name the latter counts, so counties of other kinds come first, by their name without the
 * kind.
 */
const namesByOthers: ReadonlyMap<string, string> = new Map(
  [
    ...countyNames
      .filter(({ name }) => kinds.test(name))
      .map((each) => ({ ...each, by: each.name.replace(kinds, '') })),
    ...countyNames.map((each) => ({ ...each, by: each.name })),
    ...countyNames.map((each) => ({ ...each, by: withKind(each.name) })),
  ].map(({ by, state, name }) => [keyOf(by, state), name]),
);
