import type * as Wire from '../../generated/types.gen.js';
import type { Prover } from '../contract/prover.js';
import { openStatuses, type Auction, type SaleStatusEntry } from '../counties/auctions/auction.js';
import { placeOf } from '../counties/matches/property-place.js';
import type { AuctionColumns } from '../feeds/query/auction-kind.js';
import type { AllColumns } from '../feeds/query/feed-kind.js';
import { proveView, toStored, type RecordToStore } from '../feeds/store/published-record.js';
import { findTimeZone } from '../places/metros/counties.js';
import { countyLabel } from '../places/metros/county-label.js';
import type { Licence } from '../sources/source.js';
import { createAbsence } from './absence.js';
import { maybeTwoDigits, toHundredths } from './decimal-text.js';
import { originOfRecord } from './origin.js';
import { placeOfRecord } from './place-columns.js';
import { provenanceToWire, type Licensed } from './provenance.js';

/** Renders an auction for publication: its proven text, and the columns by which the feed ranks and filters. */
export function createRenderAuction(prover: Prover<Wire.Auction>): (licensed: Licensed<Auction>) => RecordToStore {
  return ({ record: auction, licence }) => {
    const wire = auctionToWire(auction, licence);
    const columns: AllColumns<AuctionColumns> = {
      id: wire.id,
      saleDate: wire.sale_date,
      ...placeOfRecord(auction),
      timeZone: findTimeZone(auction.countyFips) ?? 'UTC',
      appraisedCents: wire.appraised_value === null ? undefined : toHundredths(wire.appraised_value),
      isOpen: openStatuses.has(auction.saleStatus),
      saleStatus: auction.saleStatus,
      openingBidCents: wire.opening_bid === null ? undefined : toHundredths(wire.opening_bid),
      firstSeenMs: auction.firstSeenAt.getTime(),
      lastSeenMs: auction.lastSeenAt.getTime(),
      ...originOfRecord(auction),
    };
    const placeKeys = [...placeOf(auction).keys, ...(auction.unshownPlaceKeys ?? [])];
    return toStored(columns, placeKeys, { full: proveView(prover, wire) });
  };
}

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
    first_seen: auction.firstSeenAt.toISOString(),
    last_seen: auction.lastSeenAt.toISOString(),
    provenance: provenanceToWire(auction, licence),
    absent: absentFields,
  };
}

function entryToWire({ status, date, text }: SaleStatusEntry): Wire.SaleStatusEntry {
  const { absentFields, take } = createAbsence<Wire.SaleStatusEntry['absent']>();
  return { status, date: take('date', date), text, absent: absentFields };
}
