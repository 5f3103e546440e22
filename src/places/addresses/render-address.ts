import type { HouseNumber, NormalizedAddress } from './normalized-address.js';

/** Writes an address on one line: `2079 E 9TH ST APT 2, CLEVELAND, OH 44115`. Normalizing it gives the same address. */
export function renderAddress(address: NormalizedAddress): string {
  const { unit, isUnitPresumed, beyond = [], city, state, zip5 } = address;
  const line = renderStreetLine(address);
  // Between commas, a number after any street is parsed as a unit without a designator.
  const street = isUnitPresumed === true ? [line, unit.replace('# ', '')] : [`${line} ${unit}`.trim()];
  return [...street, ...beyond, city, [state, zip5].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}

/** The line without unit, city, state and ZIP: `2079 E 9TH ST`. */
export function renderStreetLine(
  address: Pick<NormalizedAddress, 'number' | 'preDirectional' | 'street' | 'suffix' | 'postDirectional'>,
): string {
  const { number, preDirectional, street, suffix, postDirectional } = address;
  return [renderNumber(number), preDirectional, street, suffix, postDirectional].filter(Boolean).join(' ');
}

function renderNumber({ low, high, fraction, grid }: HouseNumber): string {
  const range = low === high ? String(low) : `${String(low)}-${String(high)}`;
  return [grid === '' ? range : grid, fraction].filter(Boolean).join(' ');
}
