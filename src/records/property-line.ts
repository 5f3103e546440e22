import type { Deal } from '../../generated/types.gen.js';

/** The address of a deal in one line, as far as its record states it. */
export function propertyLine({ address, city, state, zip }: Deal): string {
  return [address, city, zip === null ? state : `${state} ${zip}`].filter((part) => part !== null).join(', ');
}
