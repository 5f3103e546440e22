import { absent, isKnown, known, type Maybe } from '../../absence.js';
import type { Listing, ObservedPrice } from '../../listings/listing.js';
import { Exact, publish, publishedExact } from '../../underwriting/decimal.js';
import { readOffer } from './price-events.js';

/** What the prices of the present offer tell, as this service's own runs saw them. */
export interface PricesRead {
  /**
   * Drop from the first price to the latest settled one, percent with one digit; "0.0" without a drop. Absent
   * (`not_yet_observed`) before a second observation of a positive price, and `suppressed_by_policy` when prices must
   * not be shown.
   */
  readonly reductionPct: Maybe<string>;
  /** The same drop in USD, with cents. */
  readonly cutUsd: Maybe<string>;
  /** The asking price that is news: without changes that are not settled, or under both 1.0% and 500. */
  readonly told: Listing['listPrice'];
  readonly cuts: readonly ObservedPrice[];
  /** True when the latest settled price is under the first. */
  readonly isReduced: boolean;
}

/** Reads the prices of the present offer, once. They count as published, in cents. */
export function readPrices({ listPrice, prices }: Pick<Listing, 'listPrice' | 'prices'>): PricesRead {
  const { points, first, settled, told } = readOffer(prices);
  const isSuppressed = !isKnown(listPrice) && listPrice.absent === 'suppressed_by_policy';
  const none = absent(isSuppressed ? 'suppressed_by_policy' : 'not_yet_observed');
  const read = {
    reductionPct: none,
    cutUsd: none,
    told: told !== undefined && isKnown(listPrice) ? known(told.price) : listPrice,
    cuts: points.filter(({ event }) => event === 'cut'),
    isReduced: false,
  };
  if (first === undefined || settled === undefined || prices.length < 2) return read;
  const [from, to] = [publishedExact(first.price), publishedExact(settled.price)];
  const isReduced = to.lt(from);
  if (!from.gt(0)) return { ...read, isReduced };
  const drop = isReduced ? from.minus(to) : nothing;
  return {
    reductionPct: known(publish(drop.div(from).times(100), 1)),
    cutUsd: known(publish(drop, 2)),
    told: read.told,
    cuts: read.cuts,
    isReduced,
  };
}

const nothing = new Exact(0);
