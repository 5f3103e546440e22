import { countyNames, findCountyName } from './county-names.js';

/** A county as records and filters write it, such as "Cuyahoga County, OH"; by its code where no county has that. */
export function countyLabel(countyFips: string, state: string): string {
  const name = findCountyName(countyFips);
  return name === undefined ? `County ${countyFips}, ${state}` : `${withKind(name)}, ${state}`;
}

/**
 * The label of a county as others name it, with its kind or without: "Orleans" in LA is "Orleans Parish, LA". Where a
 * county and a city share a name, as St. Louis, it is the county's. A name that no county of the state has is taken for
 * one.
 */
export function labelOfCounty(name: string, state: string): string {
  return `${withKind(namesByOthers.get(keyOf(name, state)) ?? name)}, ${state}`;
}

const kinds = / (County|Parish|city|City and Borough|Borough|Municipality|Census Area|Planning Region)$/;
/** Their names end like those of James City County, VA and of no kind. */
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

/** Of two counties by one name the latter counts: what has another kind comes first, by its name without that. */
const namesByOthers: ReadonlyMap<string, string> = new Map(
  [
    ...countyNames
      .filter(({ name }) => kinds.test(name))
      .map((each) => ({ ...each, by: each.name.replace(kinds, '') })),
    ...countyNames.map((each) => ({ ...each, by: each.name })),
    ...countyNames.map((each) => ({ ...each, by: withKind(each.name) })),
  ].map(({ by, state, name }) => [keyOf(by, state), name]),
);
