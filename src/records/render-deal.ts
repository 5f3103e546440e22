import { valueOf } from '../absence.js';
import type { Deal } from '../deals/deal.js';
import type { DealColumns } from '../feeds/query/deal-kind.js';
import type { AllColumns } from '../feeds/query/feed-kind.js';
import type { ViewProvers } from '../feeds/store/held-bodies.js';
import type { DealViews, PublishedDeal } from './feeds/deal-feed.js';
import { originOfDeal } from './origin.js';
import { toHundredths } from './decimal-text.js';
import { basicDealToWire, dealToWire } from './deal.js';

export type DealWireProvers = ViewProvers<DealViews>;

/**
 * Renders a deal for publication: its proven text in both views, and the columns by which the feed ranks and filters.
 */
export function createRenderDeal(provers: DealWireProvers): (deal: Deal) => PublishedDeal {
  return (deal) => {
    const wire = dealToWire(deal);
    return {
      columns: {
        id: deal.id,
        state: wire.state,
        city: wire.city,
        priceCents: hundredths(wire.list_price),
        capHundredths: hundredths(wire.cap_rate),
        units: valueOf(deal.listing.units),
        dealScore: wire.deal_score,
        confidenceHundredths: hundredths(wire.confidence_score) ?? 0,
        rentalStatus: wire.rental_status,
        dscrComputed: wire.dscr_status === 'computed',
        lastVerified: deal.listing.lastSeenAt,
        ...originOfDeal(deal),
      } satisfies AllColumns<DealColumns>,
      placeKeys: [...deal.place.keys, ...(deal.listing.unshownPlaceKeys ?? [])],
      views: { full: provers.full.prove(wire), basic: provers.basic.prove(basicDealToWire(wire)) },
    };
  };
}

function hundredths(value: string | null): number | undefined {
  return value === null ? undefined : toHundredths(value);
}
