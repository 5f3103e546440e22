import type { ObservedPrice } from '../../listings/listing.js';
import { Exact, publishedExact } from '../../underwriting/decimal.js';
import { motivationRules } from './rule-sets.js';

/** What an observed price is, beside the prices of its offer before. */
export type PriceEvent = 'listed' | 'cut' | 'raised' | 'relisted' | 'corrected';

/** An observed price; without an event it tells nothing new, or has not stood long enough yet. */
export interface PricePoint extends ObservedPrice {
  readonly event: PriceEvent | undefined;
}

/** The known prices of one offer. */
export interface OfferPrices {
  readonly points: readonly PricePoint[];
  readonly first: ObservedPrice | undefined;
  /** The latest that is settled. */
  readonly settled: ObservedPrice | undefined;
  /** The latest settled one that was news: it differs from the news before by 1.0% or by 500. */
  readonly told: ObservedPrice | undefined;
}

const dayMs = 86_400_000;
const { thresholds } = motivationRules;

/**
 * Reads the prices of one offer, oldest first: which are cuts, rises, or the end of a typing error. A change by half or
 * more is unsettled until it has stood for a week; if the price comes back before, it was an error. Prices count as
 * published, in cents. Source of the rule: docs/decisions/addresses.md.
 */
export function readOffer(prices: readonly ObservedPrice[], opening: 'listed' | 'relisted' = 'listed'): OfferPrices {
  const [first, ...later] = prices.map((price): PricePoint => ({ ...price, event: undefined }));
  if (first === undefined) return { points: [], first: undefined, settled: undefined, told: undefined };
  const points: PricePoint[] = [{ ...first, event: opening }];
  let settled: ObservedPrice = first;
  let told: ObservedPrice = first;
  let pending: number | undefined;

  function settle(index: number, point: PricePoint, event: PriceEvent | undefined = eventOf(settled, point)): void {
    points[index] = { ...point, event };
    settled = point;
    if (isNews(told, point)) told = point;
    pending = undefined;
  }

  for (const point of later) {
    const index = points.push(point) - 1;
    const waiting = pending === undefined ? undefined : points[pending];
    if (pending !== undefined && waiting !== undefined && hasStood(waiting, point)) settle(pending, waiting);
    const change = changeOf(settled, point);
    if (change.gte(thresholds.unsettled_pct_min)) {
      if (waiting === undefined || !changeOf(waiting, point).isZero()) pending = index;
    } else if (pending !== undefined && change.lte(thresholds.corrected_within_pct)) settle(index, point, 'corrected');
    else settle(index, point);
  }
  return { points, first, settled, told };
}

function hasStood({ observedAt: since }: ObservedPrice, { observedAt: until }: ObservedPrice): boolean {
  return until.getTime() - since.getTime() >= Number(thresholds.unsettled_days) * dayMs;
}

function isNews(from: ObservedPrice, to: ObservedPrice): boolean {
  const difference = publishedExact(to.price).minus(publishedExact(from.price)).abs();
  return difference.gte(thresholds.cut_usd_min) || changeOf(from, to).gte(thresholds.cut_pct_min);
}

/** Percent of the first price, without sign. */
function changeOf({ price: one }: ObservedPrice, { price: other }: ObservedPrice): Exact {
  const [from, to] = [publishedExact(one), publishedExact(other)];
  if (from.eq(to)) return new Exact(0);
  return from.gt(0) ? to.minus(from).abs().div(from).times(100) : new Exact(100);
}

/** Smaller changes are none: two systems that round differently, or a digit that comes and goes. */
function eventOf(from: ObservedPrice, to: ObservedPrice): 'cut' | 'raised' | undefined {
  const difference = publishedExact(to.price).minus(publishedExact(from.price));
  const isEvent = difference.abs().gte(thresholds.cut_usd_min) && changeOf(from, to).gte(thresholds.cut_pct_min);
  if (!isEvent) return undefined;
  return difference.lt(0) ? 'cut' : 'raised';
}
