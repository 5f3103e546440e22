import { Decimal } from 'decimal.js';
import type * as Wire from '../../generated/types.gen.js';
import { valueOf } from '../absence.js';
import type { Prover } from '../contract/prover.js';
import type { Deal } from '../deals/deal.js';
import type { DealColumns } from '../feeds/deal-columns.js';
import type { StoredBodies } from '../feeds/published-record.js';
import type { PublishedDeal } from './deal-feed.js';
import { basicDealToWire, dealToWire } from './wire/deal.js';

export interface DealWireProvers {
  readonly full: Prover<Wire.Deal>;
  readonly basic: Prover<Wire.BasicDeal>;
}

/** Renders a deal for publication: its proven bytes in both widths, and the columns that the feed ranks and filters by. */
export function createRenderDeal(provers: DealWireProvers): (deal: Deal) => PublishedDeal {
  return (deal) => {
    const wire = dealToWire(deal);
    return {
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
      views: { full: provers.full.render(wire), basic: provers.basic.render(basicDealToWire(wire)) },
    };
  };
}

/** Proves a deal that another process rendered. Throws a ContractBreach when it breaks the contract. */
export function createLoadDeal(
  provers: DealWireProvers,
): (columns: DealColumns, bodies: StoredBodies) => PublishedDeal {
  return (columns, { full, basic = '' }) => ({
    ...columns,
    views: { full: provers.full.load(full), basic: provers.basic.load(basic) },
  });
}

function hundredths(value: string | null): number | undefined {
  return value === null ? undefined : new Decimal(value).times(100).toNumber();
}
