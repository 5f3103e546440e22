import type { AuctionColumns } from '../query/auction-kind.js';
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
  packing: {
    saleDate: 'text',
    state: 'text',
    county: 'text',
    countyFips: 'text',
    metro: 'text',
    zip: 'text',
    point: 'number',
    timeZone: 'text',
    appraisedCents: 'number',
    isOpen: 'flag',
    saleStatus: 'text',
    openingBidCents: 'number',
    firstSeenMs: 'number',
    sources: 'text',
  },
};
