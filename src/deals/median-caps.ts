import { Decimal } from 'decimal.js';
import { absent, known, type Maybe } from '../absence.js';

/**
 * The median advertised cap rate of a county's listings, percent with two digits, for the exit cap of the wholesale path;
 * absent where none states one.
 *
 * @param capsByCounty the advertised cap rates, percent, by county
 */
export function createMedianCaps(
  capsByCounty: ReadonlyMap<string, readonly string[]>,
): (countyFips: string) => Maybe<string> {
  const medians = new Map([...capsByCounty].map(([county, caps]) => [county, medianOf(caps)]));
  return (countyFips) => medians.get(countyFips) ?? absent('insufficient_inputs');
}

function medianOf(caps: readonly string[]): Maybe<string> {
  const sorted = caps.map((cap) => new Decimal(cap)).sort((a, b) => a.comparedTo(b));
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) return absent('insufficient_inputs');
  return known(low.plus(high).div(2).toFixed(2, Decimal.ROUND_HALF_UP));
}
