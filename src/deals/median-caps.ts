import { Decimal } from 'decimal.js';
import { absent, isKnown, known, type Maybe } from '../absence.js';
import type { Listing } from '../listings/listing.js';

export interface MedianCaps {
  add(this: void, listing: Listing): void;
  /** Median advertised cap rate of the county's listings, percent with two digits; absent where none states one. */
  of(countyFips: string): Maybe<string>;
}

/** Collects advertised cap rates by core county, for the exit cap of the wholesale path. */
export function createMedianCaps(): MedianCaps {
  const caps = new Map<string, Decimal[]>();
  return {
    add({ countyFips, capRate }) {
      if (!isKnown(countyFips) || !isKnown(capRate)) return;
      const list = caps.get(countyFips.value) ?? [];
      list.push(new Decimal(capRate.value));
      caps.set(countyFips.value, list);
    },
    of(countyFips) {
      const sorted = (caps.get(countyFips) ?? []).sort((a, b) => a.comparedTo(b));
      const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
      if (low === undefined || high === undefined) return absent('insufficient_inputs');
      return known(low.plus(high).div(2).toFixed(2, Decimal.ROUND_HALF_UP));
    },
  };
}
