import { auctionColumns, type AuctionColumns } from '../query/auction-kind.js';
import { packedWithout } from '../query/packing.js';
import type { EventRules } from './event.js';
import { usd } from './find-events.js';

export const auctionEvents: EventRules<AuctionColumns> = {
  letter: 'a',
  entity: 'auction',
  changes: [
    {
      event: 'repriced',
      columns: ['openingBidCents', 'appraisedCents'],
      valuesOf: ({ openingBidCents, appraisedCents }) => ({
        ...(openingBidCents !== undefined && { opening_bid: usd(openingBidCents) }),
        ...(appraisedCents !== undefined && { appraised_value: usd(appraisedCents) }),
      }),
    },
    { event: 'status_changed', columns: ['saleStatus'], valuesOf: ({ saleStatus }) => ({ sale_status: saleStatus }) },
    { event: 'rescheduled', columns: ['saleDate'], valuesOf: ({ saleDate }) => ({ sale_date: saleDate }) },
  ],
  lastOf: ({ saleDate }) => ({ sale_date: saleDate }),
  observedMs: ({ lastSeenMs }) => lastSeenMs,
  // Every column but what no filter reads.
  packing: packedWithout(auctionColumns, ['lastSeenMs']),
};
