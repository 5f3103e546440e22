import type { HouseNumber } from '../normalized-address.js';

const between = ' & ';

/** A list of numbers in which each names a house, without the houses between: `100 & 110`. Ascending. */
export function listOfHouses(numbers: readonly number[], fraction: string): HouseNumber {
  return { low: numbers[0] ?? 0, high: numbers.at(-1) ?? 0, fraction, grid: numbers.join(between) };
}

/** True only for a list; its `low` and `high` are its first and last number. */
export function isListOfHouses({ grid }: HouseNumber): boolean {
  return grid.includes(between);
}

/**
 * Each house of a number: all of a range (at most 101, since wider ones are not parsed as ranges), all of a list,
 * otherwise the number itself.
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
