import { foldPlace, hotCapHundredths, type DealFilter } from './deal-filter.js';
import { compareRank, type PublishedDeal, type RankKey } from './published-deal.js';

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

const noNumber = -1;

/**
 * Builds a snapshot: rank-ordered columns in typed arrays, and posting lists for state and city. A query is one scan
 * over the shortest of them.
 */
export function createDealSnapshot<Full, Basic>(
  version: number,
  publishedAt: Date,
  unordered: readonly PublishedDeal<Full, Basic>[],
): DealSnapshot<Full, Basic> {
  const deals = [...unordered].sort(compareRank);
  const columns = createColumns(deals);
  const byState = createPostings(deals, (deal) => deal.state);
  const byCity = createPostings(deals, (deal) => foldPlace(deal.city));

  function candidates(filter: DealFilter): Uint32Array | undefined {
    const lists = [
      ...(filter.state === undefined ? [] : [byState.get(filter.state.toUpperCase()) ?? empty]),
      ...(filter.city === undefined ? [] : [byCity.get(foldPlace(filter.city)) ?? empty]),
    ];
    return lists.sort((a, b) => a.length - b.length)[0];
  }

  function select(filter: DealFilter, limit: number, after?: RankKey): Selection {
    const listed = candidates(filter);
    // Deals stand by score: none behind the first that scores less can match.
    const end = filter.minScore === undefined ? deals.length : firstBelow(columns.score, filter.minScore);
    const start = after === undefined ? 0 : firstAfter(deals, after);
    const matches = createMatcher(columns, filter, byState, byCity);
    const positions: number[] = [];
    let total = 0;
    let hasMore = false;
    const count = listed === undefined ? end : listed.length;
    for (let index = 0; index < count; index++) {
      const position = listed === undefined ? index : (listed[index] ?? 0);
      if (position >= end) break;
      if (!matches(position)) continue;
      total++;
      if (position < start) continue;
      if (positions.length < limit) positions.push(position);
      else hasMore = true;
    }
    return { positions, total, hasMore };
  }

  return { version, publishedAt, deals, states: new Set(byState.keys()), cities: new Set(byCity.keys()), select };
}

const empty = new Uint32Array(0);

interface Columns {
  readonly price: Float64Array;
  readonly cap: Int32Array;
  readonly units: Int32Array;
  readonly score: Uint8Array;
  readonly status: Uint8Array;
  readonly dscrComputed: Uint8Array;
  /** Numbers of the state and of the city, so that both can be compared without text. */
  readonly state: Uint32Array;
  readonly city: Uint32Array;
}

const statusNumbers = { Hot: 1, Warm: 2, Pass: 3 } as const;
const capAbsent = -0x80000000;

function createColumns(deals: readonly PublishedDeal[]): Columns {
  const number = createNumbering();
  return {
    price: Float64Array.from(deals, (deal) => deal.priceCents ?? noNumber),
    cap: Int32Array.from(deals, (deal) => deal.capHundredths ?? capAbsent),
    units: Int32Array.from(deals, (deal) => deal.units ?? noNumber),
    score: Uint8Array.from(deals, (deal) => deal.dealScore),
    status: Uint8Array.from(deals, (deal) => statusNumbers[deal.rentalStatus]),
    dscrComputed: Uint8Array.from(deals, (deal) => (deal.dscrComputed ? 1 : 0)),
    state: Uint32Array.from(deals, (deal) => number(`state ${deal.state}`)),
    city: Uint32Array.from(deals, (deal) => number(`city ${foldPlace(deal.city)}`)),
  };
}

function createNumbering(): (key: string) => number {
  const numbers = new Map<string, number>();
  return (key) => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  };
}

function createPostings(
  deals: readonly PublishedDeal[],
  keyOf: (deal: PublishedDeal) => string,
): ReadonlyMap<string, Uint32Array> {
  const lists = new Map<string, number[]>();
  deals.forEach((deal, position) => {
    const key = keyOf(deal);
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [position]);
    else list.push(position);
  });
  return new Map([...lists].map(([key, list]) => [key, Uint32Array.from(list)]));
}

function createMatcher(
  columns: Columns,
  filter: DealFilter,
  byState: ReadonlyMap<string, Uint32Array>,
  byCity: ReadonlyMap<string, Uint32Array>,
): (position: number) => boolean {
  const tests: ((position: number) => boolean)[] = [];
  const { price, cap, units, score, status, dscrComputed, state, city } = columns;
  const at = (column: ArrayLike<number>, position: number): number => column[position] ?? noNumber;
  const { minPriceCents, maxPriceCents, minCapHundredths, minUnits, maxUnits, minScore } = filter;
  if (filter.state !== undefined) tests.push(samePlace(state, byState.get(filter.state.toUpperCase())));
  if (filter.city !== undefined) tests.push(samePlace(city, byCity.get(foldPlace(filter.city))));
  if (minPriceCents !== undefined) tests.push((p) => at(price, p) !== noNumber && at(price, p) >= minPriceCents);
  if (maxPriceCents !== undefined) tests.push((p) => at(price, p) !== noNumber && at(price, p) <= maxPriceCents);
  if (minCapHundredths !== undefined) tests.push((p) => at(cap, p) !== capAbsent && at(cap, p) >= minCapHundredths);
  if (minUnits !== undefined) tests.push((p) => at(units, p) !== noNumber && at(units, p) >= minUnits);
  if (maxUnits !== undefined) tests.push((p) => at(units, p) !== noNumber && at(units, p) <= maxUnits);
  if (minScore !== undefined) tests.push((p) => at(score, p) >= minScore);
  if (filter.status !== undefined) {
    const wanted = statusNumbers[filter.status];
    tests.push((p) => at(status, p) === wanted);
  }
  if (filter.hotOnly === true) tests.push((p) => at(cap, p) >= hotCapHundredths && at(dscrComputed, p) === 1);
  return (position) => {
    for (const test of tests) if (!test(position)) return false;
    return true;
  };
}

/** Whether a position has the same place as any deal of that place's posting list. */
function samePlace(column: Uint32Array, postings: Uint32Array | undefined): (position: number) => boolean {
  const [first] = postings ?? empty;
  const wanted = first === undefined ? undefined : column[first];
  return (position) => wanted !== undefined && column[position] === wanted;
}

/** First position whose score is below the given one; scores descend. */
function firstBelow(scores: Uint8Array, score: number): number {
  let [low, high] = [0, scores.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((scores[middle] ?? 0) >= score) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First position behind a place in the order, whether or not a deal still stands at that place. */
function firstAfter(deals: readonly RankKey[], place: RankKey): number {
  let [low, high] = [0, deals.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const deal = deals[middle];
    if (deal !== undefined && compareRank(deal, place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
