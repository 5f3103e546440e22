import { isKnown } from '../absence.js';
import type { ObservedListing } from './listing.js';

/**
 * True when an observation has the facts that a deal is judged by: address, price, units, and an income (cap rate or
 * NOI).
 */
export function isCompleteObservation({ address, listPrice, units, capRate, noi }: ObservedListing): boolean {
  return isKnown(address) && isKnown(listPrice) && isKnown(units) && (isKnown(capRate) || isKnown(noi));
}
