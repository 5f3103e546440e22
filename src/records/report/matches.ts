import type * as Wire from '../../../generated/types.gen.js';
import type { MatchedAuction, MatchedSignal } from '../../counties/matches/match-county-records.js';
import { countyLabel } from '../../places/metros/county-label.js';
import { createAbsence } from '../absence.js';
import { maybeTwoDigits, twoDigits } from '../decimal-text.js';

/** A matched distress record in a report. */
export function matchedSignalToWire(signal: MatchedSignal): Wire.MatchedSignal {
  const { absentFields, take } = createAbsence<Wire.MatchedSignal['absent']>();
  return {
    ...matchToWire(signal),
    signal_type: signal.signalType,
    parcel_id: signal.parcelId,
    amount: twoDigits(signal.amount),
    years_owed: take('years_owed', signal.yearsOwed),
    absent: absentFields,
  };
}

/** A matched foreclosure sale in a report. */
export function matchedAuctionToWire(auction: MatchedAuction): Wire.MatchedAuction {
  const { absentFields, take } = createAbsence<Wire.MatchedAuction['absent']>();
  return {
    ...matchToWire(auction),
    auction_type: auction.auctionType,
    sale_date: auction.saleDate,
    sale_status: auction.saleStatus,
    opening_bid: take('opening_bid', maybeTwoDigits(auction.openingBid)),
    appraised_value: take('appraised_value', maybeTwoDigits(auction.appraisedValue)),
    case_number: take('case_number', auction.caseNumber),
    absent: absentFields,
  };
}

function matchToWire({
  id,
  matchType,
  confidence,
  countyFips,
  state,
  lastSeenAt,
  sourceUrl,
}: MatchedSignal | MatchedAuction) {
  return {
    id,
    // Only evidence is matched, so other match types cannot occur; the contract's proof checks it.
    match_type: matchType as Wire.MatchedSignal['match_type'],
    confidence,
    county: countyLabel(countyFips, state),
    last_seen: lastSeenAt.toISOString(),
    source_url: sourceUrl,
  };
}
