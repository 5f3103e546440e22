import type * as Wire from '../../generated/types.gen.js';
import { type Auction, openStatuses } from '../counties/auctions/auction.js';
import type { Prover } from '../contract/prover.js';
import type { AuctionColumns } from '../feeds/query/auction-kind.js';
import { foldPlace, type AllColumns } from '../feeds/query/feed-kind.js';
import { placeOf } from '../counties/matches/property-place.js';
import { findTimeZone } from '../places/metros/counties.js';
import type { Licence } from '../sources/source.js';
import type { PublishedAuction } from './feeds/auction-feed.js';
import { auctionToWire } from './auction.js';
import { originOfRecord } from './origin.js';
import { toHundredths } from './decimal-text.js';

/** An auction with the licence under which it is sold. */
export interface LicensedAuction {
  readonly id: string;
  readonly auction: Auction;
  readonly licence: Licence;
}

/** Renders an auction for publication: its proven text, and the columns by which the feed ranks and filters. */
export function createRenderAuction(prover: Prover<Wire.Auction>): (licensed: LicensedAuction) => PublishedAuction {
  return ({ auction, licence }) => {
    const wire = auctionToWire(auction, licence);
    return {
      columns: {
        id: wire.id,
        saleDate: wire.sale_date,
        county: foldPlace(wire.county),
        timeZone: findTimeZone(auction.countyFips) ?? 'UTC',
        appraisedCents: wire.appraised_value === null ? undefined : toHundredths(wire.appraised_value),
        isOpen: openStatuses.has(auction.saleStatus),
        lastSeenMs: auction.lastSeenAt.getTime(),
        ...originOfRecord(auction),
      } satisfies AllColumns<AuctionColumns>,
      placeKeys: [...placeOf(auction).keys, ...(auction.unshownPlaceKeys ?? [])],
      views: { full: prover.prove(wire) },
    };
  };
}
