import { absent, known, type Maybe } from '../absence.js';
import { publish, publishedExact } from '../underwriting/decimal.js';

/**
 * The median advertised cap rate of a county's listings, from caps as published: percent with two digits, half-up. Of
 * an even count, the mean of the middle two. Serves as exit cap of the wholesale path; absent when no listing states a
 * cap.
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
  const sorted = caps.map((cap) => publishedExact(cap)).sort((a, b) => a.comparedTo(b));
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) return absent('insufficient_inputs');
  return known(publish(low.plus(high).div(2), 2));
}
