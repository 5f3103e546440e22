import { dealColumns, type DealColumns } from '../query/deal-kind.js';
import { packedWithout } from '../query/packing.js';
import type { EventRules } from './event.js';
import { usd } from './find-events.js';

/** A smaller change of price, of both 1.0% and 500 dollars, is none. Source: docs/decisions/addresses.md. */
const leastShare = 0.01;
const leastUsd = 500;

/** Every column but what no filter reads; whole numbers take half the memory. */
const packing = {
  ...packedWithout(dealColumns, ['toldCents', 'isPriceDoubted', 'isCapDoubted', 'lastVerified', 'matched', 'aliases']),
  dealScore: 'whole',
  confidenceHundredths: 'whole',
  capHundredths: 'whole',
  units: 'whole',
  dscrHundredths: 'whole',
  capUnderwrittenHundredths: 'whole',
  capGapHundredths: 'whole',
  priceCutTenths: 'whole',
  yearBuilt: 'whole',
  daysOnFeed: 'whole',
} as const;

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
  packing,
};
