import type { SaleStatus } from '../../auctions/auction.js';

/**
 * What sheriffs' words for a sale mean; the first pattern that fits decides. A word that is not known is `unknown`,
 * never a guess. An obstacle that is lifted is none.
 */
const meanings: readonly (readonly [RegExp, SaleStatus])[] = [
  [/\bno (bids?|sale|bidders?)\b|\b(un|not )sold\b|\bpassed\b/i, 'no_bid'],
  [/cancel/i, 'cancelled'],
  [/adjourn|postpone|continued|re-?scheduled to|\bon hold\b|abeyance/i, 'adjourned'],
  [/\bbankrup(?!tcy( stay)? lifted)|\bstay(ed)?\b(?! lifted)/i, 'withdrawn'],
  [/withdr[ae]w|vacat|redeem|settled|recalled|dismissed|reinstated loan|loan reinstated|\bpaid\b/i, 'withdrawn'],
  [/\bsold\b|purchased|buy ?back|\bstruck\b|third party|3rd party/i, 'sold'],
  [/schedul|auction starts|waiting|reinstated|\blifted\b|\bactive\b|pending/i, 'scheduled'],
];

/** The status that a source's own words mean. */
export function readSaleStatus(text: string): SaleStatus {
  return meanings.find(([pattern]) => pattern.test(text))?.[1] ?? 'unknown';
}
