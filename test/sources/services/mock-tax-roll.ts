import type { MockServer } from './mock-server.js';
import { createDelinquencies } from '../../../src/demo/counties/create-delinquencies.js';
import type { DemoCounty } from '../../../src/demo/counties/demo-counties.js';

/** One line of the roll: an account, a year and a jurisdiction. */
export interface MockRollLine {
  readonly account: string;
  readonly year: number;
  readonly jurisdiction: string;
  readonly owner: string;
  readonly streetNumber: string;
  /** Street and an abbreviation of the city: `EXAMPLE AVE, DA`. */
  readonly street: string;
  readonly cents: number;
}

/**
 * A mock document server of the Dallas County tax roll: 500 columns a line, two implied decimals, and one truncated
 * line. Returns 304 for the day's version. Source: Dallas County Tax Office, tax roll file layout.
 */
export function createMockTaxRoll(readLines: (day: string) => readonly MockRollLine[]): MockServer {
  return ({ headers, day }) => {
    const etag = `"roll-${day}"`;
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: '' };
    const body = `${readLines(day).map(renderLine).join('')}CUT OFF\n`;
    return { headers: { 'content-type': 'text/plain', etag }, body };
  };
}

function renderLine(line: MockRollLine): string {
  const fields: readonly (readonly [number, string])[] = [
    [1, line.account],
    [35, String(line.year)],
    [39, line.jurisdiction],
    [226, line.owner.slice(0, 40)],
    [266, 'PO BOX 100'],
    [386, 'ELSEWHERE'],
    [426, 'OK73007'],
    [440, 'R'],
    [441, line.streetNumber],
    [449, line.street.slice(0, 40)],
    [490, String(line.cents).padStart(11, '0')],
  ];
  const text = fields.reduce((done, [start, value]) => {
    if (done.length >= start) throw new Error(`The text before column ${start} of the roll is too long: ${done}`);
    return done.padEnd(start - 1) + value;
  }, '');
  return `${text.padEnd(500)}\n`;
}

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
