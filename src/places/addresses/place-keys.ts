import { eachHouse } from './parse/each-house.js';
import type { NormalizedAddress } from './normalized-address.js';

/**
 * Lookup keys of a building: each number of its range or list, by ZIP and by city. Two addresses that can match share a
 * key, unless they agree in neither ZIP nor city; a shared key proves nothing.
 */
export function placeKeys({ number, state, city, zip5 }: NormalizedAddress): string[] {
  const numbers = eachHouse(number).map(({ low, grid }) => (grid === '' ? String(low) : grid));
  const places = [zip5, city].filter((place) => place !== '');
  return numbers.flatMap((each) => places.map((place) => `${state}|${place}|${each}`));
}

/** The key of a place or parcel that its record does not show: takedowns find the record by it, and look-ups do not. */
export function unshownKey(key: string): string {
  return `~${key}`;
}
