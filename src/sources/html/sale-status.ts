import type { SaleStatus } from '../../auctions/auction.js';
import { openStatuses } from '../../auctions/is-upcoming.js';

/**
 * What sheriffs' words for a sale mean; the first pattern that fits decides. A word that is not known is `unknown`,
 * never a guess. An obstacle that is lifted is none. `no_bid` is a sale that was held and came to nothing, be it for want
 * of bids or of the bidder. RealAuction writes "Bankuptcy" beside "Bankruptcy".
 */
const meanings: readonly (readonly [RegExp, SaleStatus])[] = [
  [/\bno (bids?|sale|bidders?)\b|\b(un|not )sold\b|\bpassed\b|\bbidder walked away\b/i, 'no_bid'],
  [/cancel/i, 'cancelled'],
  [/adjourn|postpone|continued|re-?scheduled to|\bto be re-?scheduled|\bon hold\b|abeyance/i, 'adjourned'],
  [/\bbankr?up(?!tcy( stay)? lifted)|\bstay(ed)?\b(?! lifted)/i, 'withdrawn'],
  [/withdr[ae]w|vacat|redeem|settled|recalled|dismissed|reinstated loan|loan reinstated|\bpaid\b/i, 'withdrawn'],
  [/\bsold\b|purchased|buy ?back|\bstruck\b|third party|3rd party/i, 'sold'],
  [/schedul|auction starts|waiting|reinstated|\blifted\b|\bactive\b|pending/i, 'scheduled'],
];

/** The status that a source's own words mean. */
export function readSaleStatus(text: string): SaleStatus {
  return meanings.find(([pattern]) => pattern.test(text))?.[1] ?? 'unknown';
}

/**
 * The list that shows a sale, where a site has several: of sales to come; of closed ones whose day is over, sold or not; of
 * those that are closed before their day is over.
 */
export type SaleList = 'to_come' | 'over' | 'closed_early';

/**
 * The status of a sale by the source's own words and, where they leave it open, by its list. One that is to come is
 * scheduled where nothing is said; one that was closed is not to come whatever its words, and unless they tell more it was
 * called off, or nothing is known where its day is over.
 */
export function readListedStatus(text: string, list: SaleList): SaleStatus {
  const status = readSaleStatus(text);
  if (list === 'to_come') return text === '' ? 'scheduled' : status;
  if (!openStatuses.has(status)) return status;
  if (list === 'closed_early') return 'cancelled';
  return status === 'scheduled' ? 'unknown' : status;
}
