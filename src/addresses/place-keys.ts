import { eachHouse, isListOfHouses } from './each-house.js';
import type { NormalizedAddress } from './normalized-address.js';

/** No building has more numbers; a longer range is found by its two ends. */
const mostNumbers = 40;

/**
 * Keys under which a building is looked up among many: each number of its range or list, by ZIP and by city. Two addresses that
 * can match share one, unless they agree in neither ZIP nor city; sharing one proves nothing.
 */
export function placeKeys(address: NormalizedAddress): string[] {
  const { state, city, zip5 } = address;
  const places = [...(zip5 === '' ? [] : [zip5]), ...(city === '' ? [] : [city])];
  return numbersOf(address.number).flatMap((number) => places.map((place) => `${state}|${place}|${number}`));
}

function numbersOf(number: NormalizedAddress['number']): string[] {
  const { low, high, grid } = number;
  if (isListOfHouses(number)) return eachHouse(number).map((house) => String(house.low));
  if (grid !== '') return [grid];
  const step = (high - low) / 2 > mostNumbers ? high - low : 2;
  const numbers: string[] = [];
  for (let each = low; each <= high; each += Math.max(step, 1)) numbers.push(String(each));
  return numbers;
}
