import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { countyNames } from '../../src/places/metros/counties.js';
import { countyLabel } from '../../src/places/metros/county-label.js';
import { findCentroid } from '../../src/places/metros/zip-centroids.js';
import { fold } from './reference-order.js';

/** Any notation of one number. */
export const amount = (...values: string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
export const anyCase = (...names: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...names), fc.nat(3))
    .map(
      ([name, style]) =>
        [name, name.toLowerCase(), name.toUpperCase(), `  ${name.replaceAll(' ', '   ')} `][style] ?? name,
    );
export const dollars = amount(
  '0',
  '0.01',
  '4999.99',
  '5000',
  '5000.00',
  '5e3',
  '5000.005',
  '5000.01',
  '123456.78',
  '1000000000000',
);
const named = anyCase(
  'cuyahoga',
  'Cook County',
  'county, oh',
  ', TX',
  'St. Louis city',
  'Cuyahoga, OH',
  'cook county il',
  'st. louis,mo',
  "'; drop table--",
  '%',
  '_',
);
export const counties = fc.oneof(named, named, amount('01001', '39035', '48113,17031'));

/** A filter: some of its values, and its meaning for a record as it is sold. */
export interface Filter<Item> {
  readonly values: fc.Arbitrary<string>;
  /** `query` has the other conditions. */
  meets(record: Item, asked: string, query: Readonly<Record<string, string>>): boolean;
  /** What must be asked for with it. */
  readonly needs?: Readonly<Record<string, string>>;
}

/** One value of a list or several, each perhaps in another case, in any order. */
export const listOf = (...values: readonly string[]): fc.Arbitrary<string> =>
  fc.array(anyCase(...values), { minLength: 1, maxLength: 3 }).map((some) => some.map((each) => each.trim()).join(','));
export const isAmong = (value: string | null, list: string): boolean =>
  value !== null && list.split(',').some((each) => fold(each) === fold(value));
export const zips = listOf('44105', '63101', '75201', '99999');

/** Moments around those at which the generated records were read. */
export const moments = amount('2020-01-01', '2026-11-19', '2026-11-20', '2026-11-22', '2026-11-22T17:00:00Z');

/** A record as filters of places see it. */
interface Placed {
  readonly state: string;
  readonly zip: string | null;
  readonly county: string | null;
}

/** The filters of places, which every feed has. `see` leaves out what is doubted, and gives the county's label. */
export function placeFilters<Item>(see: (record: Item) => Placed): Readonly<Record<string, Filter<Item>>> {
  return {
    state: { values: listOf('OH', 'MO', 'TX', 'IL', 'WY'), meets: (record, list) => isAmong(see(record).state, list) },
    county: { values: counties, meets: (record, part) => isWithin(see(record).county, part) },
    zip: { values: zips, meets: (record, list) => isAmong(see(record).zip, list) },
    metro: {
      values: amount('cleveland', 'cleveland,toledo', 'kansas-city', 'chicago,cleveland,dallas'),
      meets: (record, list) => list.split(',').some((metro) => see(record).county === coreCounties[metro]),
    },
    near: {
      values: amount('44105', '63101', '41.5,-81.7', '41.49999,-81.70001', '0,0'),
      meets: (record, asked, { radius = '10' }) => milesBetween(asked, see(record).zip) <= Number(radius),
    },
    radius: { values: amount('1', '1.0', '3', '7.5', '100'), needs: { near: '44105' }, meets: () => true },
  };
}

const coreCounties: Readonly<Record<string, string>> = {
  cleveland: 'Cuyahoga County, OH',
  toledo: 'Lucas County, OH',
  'kansas-city': 'Jackson County, MO',
  chicago: 'Cook County, IL',
  dallas: 'Dallas County, TX',
};

/** By the law of cosines; infinite to where no ZIP is. */
export function milesBetween(asked: string, zip: string | null): number {
  const [from, to] = [centerOf(asked), zip === null ? undefined : centerOf(zip)];
  if (from === undefined || to === undefined) return Infinity;
  const [north, east, otherNorth, otherEast] = [...from, ...to].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
    number,
    number,
  ];
  const cosine =
    Math.sin(north) * Math.sin(otherNorth) + Math.cos(north) * Math.cos(otherNorth) * Math.cos(east - otherEast);
  return 3_958.8 * Math.acos(Math.min(1, cosine));
}

function centerOf(asked: string): readonly [number, number] | undefined {
  const center = findCentroid(asked);
  if (center !== undefined) return [center.latitude, center.longitude];
  const [north, east] = asked.split(',').map(Number);
  return north === undefined || east === undefined ? undefined : [north, east];
}

export function isWithin(label: string | null, part: string): boolean {
  if (label === null) return false;
  if (/^\d{5}(,\d{5})*$/.test(part))
    return countyNames.some(
      ({ countyFips, state }) => part.includes(countyFips) && countyLabel(countyFips, state) === label,
    );
  const kind = / (County|Parish|city|City and Borough|Borough|Municipality|Census Area|Planning Region),/;
  const spellings = [label, label.replace(',', ''), label.replace(kind, '')].map(fold);
  const asked = fold(part);
  return spellings.some((spelling) => spelling.includes(asked) || spelling.includes(asked.replace(/,\s*/, ' ').trim()));
}

export function isAtLeast(value: string | number | null, bound: string): boolean {
  return value !== null && new Decimal(value).gte(bound);
}

export function isAtMost(value: string | number | null, bound: string): boolean {
  return value !== null && new Decimal(value).lte(bound);
}
