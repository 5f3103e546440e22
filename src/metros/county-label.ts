import { metros } from './metros.js';

const names = new Map(metros.map(({ countyFips, coreCounty }) => [countyFips, coreCounty]));

/** A county as records and filters write it, such as "Cuyahoga County, OH"; by its code where no covered metro names it. */
export function countyLabel(countyFips: string, state: string): string {
  const name = names.get(countyFips);
  return name === undefined ? `County ${countyFips}, ${state}` : labelOfCounty(name, state);
}

/** The label of a county by its name, such as "Cuyahoga". */
export function labelOfCounty(name: string, state: string): string {
  return / (city|Parish|County)$/.test(name) ? `${name}, ${state}` : `${name} County, ${state}`;
}
