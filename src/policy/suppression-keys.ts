import type { NormalizedAddress } from '../addresses/normalized-address.js';
import { renderStreetLine } from '../addresses/render-address.js';

/** No building has more numbers; a longer range is read as its two ends. */
const mostNumbers = 40;

/**
 * The spellings under which a building is suppressed and found again: each number of a range by itself, by ZIP and, where
 * the city is known, by city. Units do not count: a suppressed flat suppresses its building.
 */
export function buildingKeys(address: NormalizedAddress, hasCity = true): string[] {
  const { city, state, zip5 } = address;
  return numbersOf(address).flatMap((number) => {
    const line = renderStreetLine({ ...address, number });
    const byZip = zip5 === '' ? [] : [`${line}|${state}|${zip5}`];
    return hasCity && city !== '' ? [...byZip, `${line}|${city}|${state}`] : byZip;
  });
}

/** The plain numbers of a building with its state: a quick test whether the spellings are worth making. */
export function numberKeys(address: NormalizedAddress): string[] {
  return numbersOf(address).map(({ low }) => numberKey(low, address.state));
}

/** The quick test's key of one number. */
export function numberKey(number: number, state: string): string {
  return `${number}|${state}`;
}

const plainStart = /^\s*(\d{1,7})\s+(?![\s\d/-])/;

/**
 * The house number of a street line that starts with a plain number; undefined for ranges, fractions and whatever else
 * needs the normaliser.
 */
export function plainNumberOf(street: string): number | undefined {
  const [, digits] = plainStart.exec(street) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function numbersOf({ number }: NormalizedAddress): NormalizedAddress['number'][] {
  const { low, high, grid } = number;
  if (grid !== '' || low === high) return [number];
  const step = (high - low) / 2 > mostNumbers ? high - low : 2;
  const numbers: NormalizedAddress['number'][] = [];
  for (let each = low; each <= high; each += step) numbers.push({ ...number, low: each, high: each });
  return numbers;
}
