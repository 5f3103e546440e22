import type { DealColumns } from '../query/deal-kind.js';
import type { EventRules } from './event.js';
import { usd } from './find-events.js';

/** A smaller change of price, of both 1.0% and 500 dollars, is none. Source: docs/decisions/addresses.md. */
const leastShare = 0.01;
const leastUsd = 500;

export const dealEvents: EventRules<DealColumns> = {
  letter: 'd',
  entity: 'deal',
  changes: [
    {
      event: 'repriced',
      columns: ['toldCents'],
      valuesOf: ({ toldCents }) => (toldCents === undefined ? {} : { list_price: usd(toldCents) }),
      isNoise(before, after) {
        const change = Math.abs(Number(after) - Number(before));
        return change < leastUsd && change < leastShare * Number(before);
      },
    },
    {
      event: 'status_changed',
      columns: ['rentalStatus', 'wholesaleStatus', 'creativeStatus'],
      valuesOf: ({ rentalStatus, wholesaleStatus, creativeStatus }) => ({
        rental_status: rentalStatus,
        wholesale_status: wholesaleStatus,
        creative_status: creativeStatus,
      }),
    },
  ],
  lastOf: ({ priceCents }) => (priceCents === undefined ? {} : { list_price: usd(priceCents) }),
  observedMs: ({ lastVerified }) => lastVerified.getTime(),
  packing: {
    dealScore: 'whole',
    confidenceHundredths: 'whole',
    state: 'text',
    county: 'text',
    countyFips: 'text',
    metro: 'text',
    zip: 'text',
    point: 'number',
    city: 'text',
    priceCents: 'number',
    capHundredths: 'whole',
    units: 'whole',
    rentalStatus: 'text',
    wholesaleStatus: 'text',
    creativeStatus: 'text',
    reliability: 'text',
    propertyType: 'text',
    dscrComputed: 'flag',
    centsPerUnit: 'number',
    dscrHundredths: 'whole',
    capUnderwrittenHundredths: 'whole',
    capGapHundredths: 'whole',
    priceCutTenths: 'whole',
    priceCutCents: 'number',
    yearBuilt: 'whole',
    daysOnFeed: 'whole',
    firstSeenMs: 'number',
    lastCutMs: 'number',
    sources: 'text',
  },
};
