import {
  addPosition,
  bitmapWhere,
  countPositions,
  createBitmap,
  cutFrom,
  firstPositions,
  intersect,
  type Bitmap,
} from './bitmap.js';
import { foldPlace, hotCapHundredths, type DealFilter } from './deal-filter.js';
import { compareRank, type PublishedDeal, type RankKey } from './published-deal.js';
import { createRangeIndex } from './range-index.js';

/** One published version of the deals feed, held in memory in the feed's order. Immutable. */
export interface DealSnapshot<Full = unknown, Basic = unknown> {
  readonly version: number;
  readonly publishedAt: Date;
  readonly deals: readonly PublishedDeal<Full, Basic>[];
  /** States and folded city names that have a deal. */
  readonly states: ReadonlySet<string>;
  readonly cities: ReadonlySet<string>;
  /** Positions of the deals that match, best first, after an optional position; with how many match in all. */
  select(filter: DealFilter, limit: number, after?: RankKey): Selection;
}

export interface Selection {
  readonly positions: readonly number[];
  readonly total: number;
  /** True when more deals match after the last position. */
  readonly hasMore: boolean;
}

/**
 * Builds a snapshot: the deals in their order, and indexes of positions per filter. A query intersects one set of
 * positions per filter, so that it costs the same whether much or nothing matches.
 */
export function createDealSnapshot<Full, Basic>(
  version: number,
  publishedAt: Date,
  unordered: readonly PublishedDeal<Full, Basic>[],
): DealSnapshot<Full, Basic> {
  const deals = [...unordered].sort(compareRank);
  const indexes = createIndexes(deals);
  return {
    version,
    publishedAt,
    deals,
    states: new Set(indexes.byState.keys()),
    cities: new Set(indexes.byCity.keys()),
    select(filter, limit, after) {
      const matching = matchingPositions(indexes, filter, deals.length);
      // Deals stand by score: none behind the first that scores less can match.
      const { minScore } = filter;
      cutFrom(
        matching,
        minScore === undefined ? deals.length : countWhile(deals, (deal) => deal.dealScore >= minScore),
      );
      const start = after === undefined ? 0 : countWhile(deals, (deal) => compareRank(deal, after) <= 0);
      const positions = firstPositions(matching, start, limit + 1);
      const hasMore = positions.length > limit;
      return { positions: hasMore ? positions.slice(0, limit) : positions, total: countPositions(matching), hasMore };
    },
  };
}

type Indexes = ReturnType<typeof createIndexes>;

function createIndexes(deals: readonly PublishedDeal[]) {
  const size = deals.length;
  const where = (test: (deal: PublishedDeal) => boolean) =>
    bitmapWhere(size, (position) => {
      const deal = deals[position];
      return deal !== undefined && test(deal);
    });
  return {
    // A state has many deals, a city few: the one is kept as a set, the other as the list of its positions.
    byState: new Map(
      [...groupPositions(deals, (deal) => deal.state)].map(([state, positions]) => [state, toBitmap(positions, size)]),
    ),
    byCity: groupPositions(deals, (deal) => foldPlace(deal.city)),
    byStatus: {
      Hot: where((deal) => deal.rentalStatus === 'Hot'),
      Warm: where((deal) => deal.rentalStatus === 'Warm'),
      Pass: where((deal) => deal.rentalStatus === 'Pass'),
    },
    hot: where((deal) => deal.dscrComputed && (deal.capHundredths ?? -Infinity) >= hotCapHundredths),
    price: createRangeIndex(size, (position) => deals[position]?.priceCents),
    cap: createRangeIndex(size, (position) => deals[position]?.capHundredths),
    units: createRangeIndex(size, (position) => deals[position]?.units),
  };
}

/** The deals that fit every filter but the score's. The set is the caller's to change. */
function matchingPositions(indexes: Indexes, filter: DealFilter, size: number): Bitmap {
  const { state, city, minPriceCents, maxPriceCents, minCapHundredths, minUnits, maxUnits } = filter;
  const matching = createBitmap(size).fill(0xffffffff);
  if (state !== undefined) intersect(matching, indexes.byState.get(state.toUpperCase()) ?? createBitmap(size));
  if (city !== undefined) intersect(matching, toBitmap(indexes.byCity.get(foldPlace(city)), size));
  if (filter.status !== undefined) intersect(matching, indexes.byStatus[filter.status]);
  if (filter.hotOnly === true) intersect(matching, indexes.hot);
  if (minPriceCents !== undefined || maxPriceCents !== undefined) {
    intersect(matching, indexes.price.between(minPriceCents ?? -Infinity, maxPriceCents ?? Infinity));
  }
  if (minCapHundredths !== undefined) intersect(matching, indexes.cap.between(minCapHundredths, Infinity));
  if (minUnits !== undefined || maxUnits !== undefined) {
    intersect(matching, indexes.units.between(minUnits ?? -Infinity, maxUnits ?? Infinity));
  }
  return matching;
}

function groupPositions(
  deals: readonly PublishedDeal[],
  keyOf: (deal: PublishedDeal) => string,
): ReadonlyMap<string, Uint32Array> {
  const groups = new Map<string, number[]>();
  deals.forEach((deal, position) => {
    const group = groups.get(keyOf(deal));
    if (group === undefined) groups.set(keyOf(deal), [position]);
    else group.push(position);
  });
  return new Map([...groups].map(([key, positions]) => [key, Uint32Array.from(positions)]));
}

function toBitmap(positions: Uint32Array | undefined, size: number): Bitmap {
  const bitmap = createBitmap(size);
  if (positions !== undefined) for (const position of positions) addPosition(bitmap, position);
  return bitmap;
}

/** How many deals from the start on pass a test that, once failed, fails for all that follow. */
function countWhile(deals: readonly PublishedDeal[], test: (deal: PublishedDeal) => boolean): number {
  let [low, high] = [0, deals.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const deal = deals[middle];
    if (deal !== undefined && test(deal)) low = middle + 1;
    else high = middle;
  }
  return low;
}
