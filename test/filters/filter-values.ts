import { Decimal } from 'decimal.js';
import fc from 'fast-check';
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
export const counties = anyCase(
  'cuyahoga',
  'Cook County',
  'county, oh',
  ', TX',
  'St. Louis city',
  'Cuyahoga, OH',
  'cook county il',
  'st. louis,mo',
  '01001',
  "'; drop table--",
  '%',
  '_',
);

/** A filter: some of its values, and its meaning for a record as it is sold. */
export interface Filter<Item> {
  readonly values: fc.Arbitrary<string>;
  meets(record: Item, asked: string): boolean;
}

/** One value of a list or several, each perhaps in another case, in any order. */
export const listOf = (...values: readonly string[]): fc.Arbitrary<string> =>
  fc.array(anyCase(...values), { minLength: 1, maxLength: 3 }).map((some) => some.map((each) => each.trim()).join(','));
export const isAmong = (value: string | null, list: string): boolean =>
  value !== null && list.split(',').some((each) => fold(each) === fold(value));
export const zips = listOf('44105', '63101', '75201', '99999');

/** Filters of every feed. */
export const placeFilters = {
  state: {
    values: listOf('OH', 'MO', 'TX', 'IL', 'WY'),
    meets: ({ state }: { readonly state: string }, list: string) => isAmong(state, list),
  },
  zip: {
    values: zips,
    meets: ({ zip }: { readonly zip: string | null }, list: string) => isAmong(zip, list),
  },
};

export function isWithin(label: string, part: string): boolean {
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
