import { absent, isKnown, type Maybe, valueOf } from '../../absence.js';
import { judgeOwnAddress } from '../../places/addresses/own-address.js';
import { localDateOf } from '../../places/metros/local-date-of.js';
import { completeAddress } from '../parcels/complete-address.js';
import type { RollPlaces } from '../parcels/parcel-reader.js';
import { findStatePolicy } from '../../policy/state-policies.js';
import { leaveOutFields } from '../../policy/leave-out-fields.js';
import type { Auction, ObservedAuction, SaleStatus } from './auction.js';
import { mergeStatusHistory } from './merge-status-history.js';

/** A sale as stored: the row of the source that counts. */
export interface AuctionRow {
  readonly id: string;
  readonly source_name: string;
  readonly sale_status: SaleStatus;
  readonly content: ObservedAuction;
  readonly first_seen_at: Date;
  readonly last_seen_at: Date;
  readonly licence_class: string;
  readonly undisplayed_fields: readonly string[];
}

/** A status and a date as one of our runs first observed them. */
export interface StatusRow {
  readonly observed_at: Date;
  readonly status: SaleStatus;
  readonly sale_date: string;
}

/**
 * Assembles a sale without the fields its licence does not show. `statuses` are the ones our own runs observed, oldest
 * first; `roll` is of its parcel. The location of the sale itself is never shown as the property's address.
 */
export function rowToAuction(row: AuctionRow, statuses: readonly StatusRow[], roll: RollPlaces): Auction {
  const content = leaveOutFields(row.content, row.undisplayed_fields);
  const policy = findStatePolicy(content);
  const place = placeOf(content, roll);
  const isCompleted = isKnown(place.address) && place.address !== content.address;
  return {
    ...content,
    ...place,
    ...(policy?.suppressesDefendants === true ? { defendant: absent('suppressed_by_policy') } : {}),
    saleStatus: row.sale_status,
    statusHistory: mergeStatusHistory(
      content.statusHistory,
      statuses.map((each, index) => ({
        day: localDateOf(content.countyFips, each.observed_at),
        status: each.status,
        saleDate: each.sale_date,
        // A stored sale stays as last shown, so only the latest status can be compared with it.
        isMissing: index === statuses.length - 1 ? row.sale_status !== row.content.saleStatus : undefined,
      })),
    ),
    id: row.id,
    sourceName: row.source_name,
    sourceNames: [row.source_name, ...(isCompleted ? roll.places.map(({ sourceName }) => sourceName) : [])],
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    demonstration: row.licence_class === 'demonstration',
  };
}

function placeOf(content: ObservedAuction, roll: RollPlaces): Pick<Auction, 'address' | 'city' | 'zip'> {
  const judged = judgeOwnAddress(content);
  const { address, city, zip } = completeAddress(content, judged, roll);
  if (isKnown(address) || valueOf(content.parcelId) !== undefined || judged !== 'missing')
    return { address, city, zip };
  return { address: ownReason(content.address), city, zip };
}

/** Without a parcel there was nothing to look up, so the reason is the source's own. */
function ownReason(address: Maybe<string>): Maybe<string> {
  return isKnown(address) ? absent('not_stated_by_source') : address;
}
