import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dealKind, type DealColumns, type DealFilter, type DealRank } from '../../../src/feeds/query/deal-kind.js';
import { compareRanks } from '../../../src/feeds/query/feed-order.js';
import { toPoint } from '../../../src/feeds/query/map-point.js';
import { deep } from '../../support/depth.js';
import { snapshotOf } from '../deals.js';

const some = <T>(...values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const deal: fc.Arbitrary<DealColumns> = fc.record({
  id: fc.uuid(),
  state: fc.constantFrom('OH', 'TX', 'MO'),
  zip: optional(fc.constantFrom('44105', '75201')),
  county: optional(fc.constantFrom('cuyahoga county, oh', 'dallas county, tx')),
  countyFips: optional(fc.constantFrom('39035', '48113')),
  metro: optional(fc.constantFrom('cleveland', 'dallas')),
  point: optional(
    fc.constantFrom(toPoint(41.45, -81.63), toPoint(41.4507, -81.63), toPoint(41.5, -81.7), toPoint(32.78, -96.8)),
  ),
  city: fc.constantFrom('Columbus', 'St. Louis', 'saint louis', 'Dallas'),
  priceCents: optional(fc.constantFrom(0, 1, 99_999, 100_000, 100_001, 900_000_000_000_00)),
  capHundredths: optional(fc.constantFrom(-100, 0, 849, 850, 851)),
  units: optional(fc.constantFrom(0, 1, 4, 100_000)),
  dealScore: fc.constantFrom(0, 49, 50, 51, 100),
  confidenceHundredths: fc.constantFrom(0, 50, 100),
  rentalStatus: fc.constantFrom('Hot' as const, 'Warm' as const, 'Pass' as const),
  wholesaleStatus: fc.constantFrom('Hot' as const, 'Pass' as const),
  creativeStatus: fc.constantFrom('Warm' as const, 'Pass' as const),
  reliability: fc.constantFrom('ok', 'unknown'),
  propertyType: optional(fc.constantFrom('duplex', 'portfolio')),
  dscrComputed: fc.boolean(),
  centsPerUnit: optional(fc.constantFrom(0, 33_333.333333333336, 100_000)),
  dscrHundredths: optional(fc.constantFrom(0, 124, 125, 126)),
  capUnderwrittenHundredths: optional(fc.constantFrom(-100, 0, 700, 701)),
  capGapHundredths: optional(fc.constantFrom(-10_000, -100, 0, 100, 9_900)),
  isPriceDoubted: optional(fc.constant(true)),
  isCapDoubted: optional(fc.constant(true)),
  priceCutTenths: optional(fc.constantFrom(0, 49, 50, 1_000)),
  priceCutCents: optional(fc.constantFrom(0, 50_000, 100_000)),
  yearBuilt: optional(fc.constantFrom(1700, 1960, 2026)),
  daysOnFeed: fc.constantFrom(0, 1, 30, 36_500),
  firstSeenMs: fc.constantFrom(0, 1_000),
  lastCutMs: optional(fc.constantFrom(0, 1_000)),
  lastVerified: fc.constant(new Date(0)),
  sources: fc.constant(''),
});

const asked = {
  state: some('OH', 'TX', 'oh', 'WY'),
  zip: some('44105', '75201', '00601'),
  county: fc.constantFrom('Cuyahoga', ', TX', 'nowhere'),
  countyFips: some('39035', '48113', '39095'),
  metro: some('cleveland', 'dallas', 'toledo'),
  near: fc.record({
    latitude: fc.constant(41.45),
    longitude: fc.constant(-81.63),
    radiusMiles: fc.constantFrom(1, 5, 5.01, 100),
  }),
  wholesaleStatus: some('Hot' as const, 'Warm' as const),
  creativeStatus: some('Pass' as const, 'Warm' as const),
  reliability: some('ok', 'proxy_out_of_range', 'unknown'),
  propertyType: some('duplex', 'triplex'),
  priceCutSinceMs: fc.constantFrom(0, 1, 1_001),
  firstSeenSinceMs: fc.constantFrom(0, 1, 1_001),
  city: fc.constantFrom('columbus', ' ST.  LOUIS ', 'Dallas', 'Nowhere'),
  minPriceCents: fc.constantFrom(0, 1, 100_000),
  maxPriceCents: fc.constantFrom(0, 100_000, 900_000_000_000_00),
  minCapHundredths: fc.constantFrom(0, 850),
  minUnits: fc.constantFrom(0, 1, 4),
  maxUnits: fc.constantFrom(0, 4, 100_000),
  minScore: fc.constantFrom(0, 50, 51, 100),
  status: some('Hot' as const, 'Warm' as const, 'Pass' as const),
  hotOnly: fc.constant(true as const),
  minCentsPerUnit: fc.constantFrom(0, 33_333, 33_334, 100_000),
  maxCentsPerUnit: fc.constantFrom(0, 33_333, 33_334, 100_000),
  minDscrHundredths: fc.constantFrom(0, 125),
  minConfidenceHundredths: fc.constantFrom(0, 50, 51),
  minCapUnderwrittenHundredths: fc.constantFrom(0, 700),
  maxCapGapHundredths: fc.constantFrom(-10_000, -100, 0, 100),
  minYearBuilt: fc.constantFrom(1700, 1960, 2100),
  maxYearBuilt: fc.constantFrom(1700, 1960, 2100),
  minDaysOnFeed: fc.constantFrom(0, 30),
  maxDaysOnFeed: fc.constantFrom(0, 30),
  minPriceCutTenths: fc.constantFrom(0, 50),
  minPriceCutCents: fc.constantFrom(0, 50_000),
};

/** An order, and filters of which each could be alone: all together match next to nothing. */
const question = fc
  .record({
    order: optional(fc.record({ by: fc.constantFrom(...Object.keys(dealKind.sorts)), descending: fc.boolean() })),
    names: fc.subarray(Object.keys(asked), { maxLength: 5 }),
    all: fc.record<Required<DealFilter>>(asked),
  })
  .map(({ order, names, all }) => {
    const given = order?.by === 'distance' ? [...names, 'near'] : names;
    const wanted: DealFilter = Object.fromEntries(Object.entries(all).filter(([name]) => given.includes(name)));
    return { wanted, order };
  });

/** Absent numbers come last in both directions. */
function compareNumbers(one: number | undefined, other: number | undefined, descending: boolean): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return descending ? other - one : one - other;
}

type Asked = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

/** Asserts that a snapshot selects what a plain loop does, page by page. */
function assertSelects(
  snapshot: Awaited<ReturnType<typeof snapshotOf>>,
  inOrder: readonly DealColumns[],
  { wanted, order }: Asked,
  limit: number,
): void {
  const rule = order && dealKind.sorts[order.by];
  const numberOf = (record: DealColumns) => rule?.numberOf(record, wanted);
  const tests = dealKind.testsOf(wanted);
  const expected = inOrder
    .filter((record) => tests.every(({ column, passes }) => passes(column ? Reflect.get(record, column) : record)))
    .sort((one, other) => compareNumbers(numberOf(one), numberOf(other), order?.descending === true))
    .map(({ id }) => id);
  const seen: (string | undefined)[] = [];
  for (let hasMore = true, after = undefined as DealColumns | undefined; hasMore;) {
    const place = after && { rank: after, number: numberOf(after) };
    const page = snapshot.select(wanted, limit, place, undefined, order);
    assert.equal(page.total, expected.length);
    assert.ok(page.positions.length <= limit);
    for (const position of page.positions) seen.push(snapshot.records.at(position)?.id);
    hasMore = page.hasMore;
    after = snapshot.records.at(page.positions.at(-1) ?? -1);
  }
  assert.deepEqual(seen, expected);
}

const inFeedOrder = (deals: readonly DealColumns[]) => deals.toSorted(compareRanks<DealRank>(dealKind.order));

describe('the snapshot of the deals feed', () => {
  it('selects what a plain loop selects, in the order that is asked for, page by page', async () => {
    const deals = fc.uniqueArray(deal, { maxLength: 60, selector: ({ id }) => id });
    await fc.assert(
      fc.asyncProperty(deals, question, fc.integer({ min: 1, max: 20 }), async (all, asked, limit) => {
        assertSelects(await snapshotOf(all), inFeedOrder(all), asked, limit);
      }),
      { numRuns: deep(2_000, 200) },
    );
  });

  for (const size of [1, 580, deep(100_000, 5_000)])
    it(`selects so from ${size} deals`, async () => {
      const drawn = fc.sample(deal, { numRuns: Math.min(size, 2_000) });
      const all = Array.from({ length: size }, (_, index): DealColumns => {
        const id = `${((index * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
        return { ...(drawn[index % drawn.length] as DealColumns), id };
      });
      const [snapshot, inOrder] = [await snapshotOf(all), inFeedOrder(all)];
      const limit = Math.ceil(size / 3);
      const property = fc.property(question, (asked) => assertSelects(snapshot, inOrder, asked, limit));
      fc.assert(property, { numRuns: deep(300, 25) });
    });

  it('reads on behind a place even when no deal stands there any more', async () => {
    const deals = fc.uniqueArray(deal, { minLength: 3, maxLength: 30, selector: ({ id }) => id });
    await fc.assert(
      fc.asyncProperty(deals, fc.nat(), async (all, index) => {
        const sorted = [...all].sort(compareRanks<DealRank>(dealKind.order));
        const gone = sorted[index % sorted.length];
        assert.ok(gone);
        const snapshot = await snapshotOf(
          all.filter((each) => each !== gone),
          2,
        );
        const { positions } = snapshot.select({}, 100, { rank: gone });
        const behind = sorted.slice(sorted.indexOf(gone) + 1).map(({ id }) => id);
        assert.deepEqual(
          positions.map((position) => snapshot.records.at(position)?.id),
          behind,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('selects from nothing', async () => {
    const snapshot = await snapshotOf([], 0);
    assert.deepEqual(snapshot.select({ state: ['OH'], minScore: 1 }, 10), { positions: [], total: 0, hasMore: false });
  });
});
