import { Decimal } from 'decimal.js';
import type { RankedStatus } from './deal-columns.js';

/** A filter over the deals feed, combined with AND. Thresholds are integers: cents, hundredths of a percent. */
export interface DealFilter {
  readonly state?: string;
  readonly city?: string;
  readonly minPriceCents?: number;
  readonly maxPriceCents?: number;
  readonly minCapHundredths?: number;
  readonly minUnits?: number;
  readonly maxUnits?: number;
  readonly minScore?: number;
  readonly status?: RankedStatus;
  /** The hot feed's literal predicate: advertised cap of 8.5% or more and a computed DSCR. */
  readonly hotOnly?: boolean;
}

/**
 * The hot feed's threshold: an advertised cap of 8.5%, in hundredths of a percent. Source: the service specification.
 */
export const hotCapHundredths = 850;

/** The smallest whole number of hundredths that is not below the value. Exact. */
export function hundredthsAtLeast(value: number): number {
  return new Decimal(value).times(100).ceil().toNumber();
}

/** The largest whole number of hundredths that is not above the value. Exact. */
export function hundredthsAtMost(value: number): number {
  return new Decimal(value).times(100).floor().toNumber();
}
