import type * as Wire from '../../generated/types.gen.js';
import type { Auction, SaleStatusEntry } from '../counties/auctions/auction.js';
import { countyLabel } from '../places/metros/county-label.js';
import type { Licence } from '../sources/source.js';
import { createAbsence } from './absence.js';
import { maybeTwoDigits } from './decimal-text.js';
import { provenanceToWire } from './provenance.js';
import { toTimestamp } from './timestamp.js';

/** Converts an auction to the contract's form: every field typed, every null with its reason. */
export function auctionToWire(auction: Auction, licence: Licence): Wire.Auction {
  const { absentFields, take } = createAbsence<Wire.Auction['absent']>();
  return {
    id: auction.id,
    auction_type: auction.auctionType,
    county: countyLabel(auction.countyFips, auction.state),
    state: auction.state,
    sale_date: auction.saleDate,
    property_address: take('property_address', auction.address),
    city: take('city', auction.city),
    zip: take('zip', auction.zip),
    appraised_value: take('appraised_value', maybeTwoDigits(auction.appraisedValue)),
    opening_bid: take('opening_bid', maybeTwoDigits(auction.openingBid)),
    judgment_amount: take('judgment_amount', maybeTwoDigits(auction.judgmentAmount)),
    deposit_requirement: take('deposit_requirement', maybeTwoDigits(auction.depositRequirement)),
    plaintiff: take('plaintiff', auction.plaintiff),
    defendant: take('defendant', auction.defendant),
    attorney: take('attorney', auction.attorney),
    case_number: take('case_number', auction.caseNumber),
    case_status: take('case_status', auction.caseStatus),
    parcel_id: take('parcel_id', auction.parcelId),
    sale_status: auction.saleStatus,
    status_history: auction.statusHistory.map(entryToWire),
    source_url: auction.sourceUrl,
    first_seen: toTimestamp(auction.firstSeenAt),
    last_seen: toTimestamp(auction.lastSeenAt),
    provenance: provenanceToWire(auction, licence),
    absent: absentFields,
  };
}

function entryToWire({ status, date, text }: SaleStatusEntry): Wire.SaleStatusEntry {
  const { absentFields, take } = createAbsence<Wire.SaleStatusEntry['absent']>();
  return { status, date: take('date', date), text, absent: absentFields };
}
