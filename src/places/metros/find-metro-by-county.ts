import { metros, type Metro } from './metros.js';

const metroByCounty: ReadonlyMap<string, Metro> = new Map(metros.map((metro) => [metro.countyFips, metro]));

/** The metro whose core county has this five-digit FIPS code; undefined when the county is not covered. */
export function findMetroByCounty(countyFips: string): Metro | undefined {
  return metroByCounty.get(countyFips);
}
