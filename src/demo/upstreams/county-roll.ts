import { createDelinquencies } from '../counties/create-delinquencies.js';
import type { DemoCounty } from '../counties/demo-counties.js';
import type { MockRollLine } from './mock-tax-roll.js';

/** City names by the roll's abbreviations. */
export const rollCities: Readonly<Record<string, string>> = { DA: 'Dallas', IR: 'Irving' };
const codes = new Map(Object.entries(rollCities).map(([code, city]) => [city.toUpperCase(), code]));

/**
 * A county's roll: one line per account, year and jurisdiction. It includes this year's taxes, which are not late yet;
 * land without a number has street number 0.
 */
export function createRollLines(county: DemoCounty, day: string): readonly MockRollLine[] {
  return createDelinquencies(county, day).flatMap(({ number, property, owner, owed }) => {
    const [streetNumber = '', ...street] = property.address.split(' ');
    const place = {
      account: property.parcelId.replaceAll('-', ''),
      owner,
      streetNumber: number % 12 === 6 ? '0' : shortenRange(streetNumber),
      street: `${street.join(' ')}, ${codes.get(property.city) ?? ''}`,
    };
    const current = { year: Number(day.slice(0, 4)), cents: owed[0]?.cents ?? 0 };
    return [current, ...owed].flatMap(({ year, cents }) => {
      const school = Math.floor(cents / 2);
      return [
        { ...place, year, jurisdiction: '1001', cents: cents - school },
        { ...place, year, jurisdiction: '1002', cents: school },
      ];
    });
  });
}

/** `2981-2983` -> `2981-83`, to fit the roll's column. */
function shortenRange(number: string): string {
  const [low = '', high = ''] = number.split('-');
  return low.length === high.length && low.slice(0, -2) === high.slice(0, -2) ? `${low}-${high.slice(-2)}` : number;
}
