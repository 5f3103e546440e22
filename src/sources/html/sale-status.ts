import type { SaleStatus } from '../../auctions/auction.js';

/**
 * What sheriffs' words for a sale mean; the first pattern that fits decides. A word that is not known is `unknown`,
 * never a guess.
 */
const meanings: readonly (readonly [RegExp, SaleStatus])[] = [
  [/\bno (bids?|sale|bidders?)\b|\bunsold\b|\bpassed\b/i, 'no_bid'],
  [/cancel/i, 'cancelled'],
  [/adjourn|postpone|continued|re-?scheduled to|\bon hold\b|abeyance/i, 'adjourned'],
  [/withdr[ae]w|vacat|redeem|bankrup|\bstay(ed)?\b|settled|recalled|dismissed|reinstated loan|\bpaid\b/i, 'withdrawn'],
  [/\bsold\b|purchased|buy ?back|\bstruck\b|third party|3rd party/i, 'sold'],
  [/schedul|auction starts|waiting|reinstated|\bactive\b|pending/i, 'scheduled'],
];

/** The status that a source's own words mean. */
export function readSaleStatus(text: string): SaleStatus {
  return meanings.find(([pattern]) => pattern.test(text))?.[1] ?? 'unknown';
}
