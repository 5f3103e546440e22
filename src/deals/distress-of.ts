import { absent, known } from '../absence.js';
import { isUpcoming } from '../counties/auctions/auction.js';
import type { PropertyMatches } from '../counties/matches/match-county-records.js';
import type { DistressMatches } from './scoring/score.js';

/**
 * The matched county records that scores use: the largest tax debt, and the next sale that is still upcoming in its
 * county's calendar.
 */
export function distressOf({ signals, auctions }: PropertyMatches, now: Date): DistressMatches {
  const debt = signals.find(({ signalType }) => signalType === 'tax_delinquent');
  const sale = auctions.find((each) => isUpcoming(each, now));
  return {
    taxDelinquency:
      debt === undefined
        ? absent('not_yet_observed')
        : known({
            amount: debt.amount,
            confidence: debt.confidence,
            sourceUrl: debt.sourceUrl,
            observedAt: debt.lastSeenAt,
          }),
    sheriffSale:
      sale === undefined
        ? absent('not_yet_observed')
        : known({ confidence: sale.confidence, sourceUrl: sale.sourceUrl, observedAt: sale.lastSeenAt }),
  };
}
