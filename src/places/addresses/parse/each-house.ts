import type { HouseNumber } from '../normalized-address.js';

const between = ' & ';

/** A list of numbers, each of which names a house and none what lies between them: `100 & 110`. Ascending. */
export function listOfHouses(numbers: readonly number[], fraction: string): HouseNumber {
  return { low: numbers[0] ?? 0, high: numbers.at(-1) ?? 0, fraction, grid: numbers.join(between) };
}

/** True for a list, where `low` and `high` are its first and last, and for nothing else. */
export function isListOfHouses({ grid }: HouseNumber): boolean {
  return grid.includes(between);
}

/**
 * The houses that a number names, each by itself: all of a range (101 at most, a wider one is not read as a range),
 * those of a list, and of anything else itself.
 */
export function eachHouse(number: HouseNumber): HouseNumber[] {
  const { low, high, fraction, grid } = number;
  const single = (each: number): HouseNumber => ({ low: each, high: each, fraction, grid: '' });
  if (isListOfHouses(number)) return grid.split(between).map((each) => single(Number(each)));
  if (grid !== '') return [number];
  const houses: HouseNumber[] = [];
  for (let each = low; each <= high; each += 2) houses.push(single(each));
  return houses;
}
