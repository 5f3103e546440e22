import { localDateOf } from '../../places/metros/local-date-of.js';
import type { Auction, SaleStatus } from './auction.js';

/** The statuses with which a sale on a future day is still upcoming. */
export const openStatuses: ReadonlySet<SaleStatus> = new Set(['scheduled', 'adjourned', 'unknown']);

/** True for a sale that is upcoming in its county's calendar. Source of the rule: docs/decisions/contract.md. */
export function isUpcoming(
  { saleDate, saleStatus, countyFips }: Pick<Auction, 'saleDate' | 'saleStatus' | 'countyFips'>,
  now: Date,
): boolean {
  return openStatuses.has(saleStatus) && saleDate >= localDateOf(countyFips, now);
}
