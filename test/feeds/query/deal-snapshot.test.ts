import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dealKind, type DealColumns, type DealFilter, type DealRank } from '../../../src/feeds/query/deal-kind.js';
import { compareRanks } from '../../../src/feeds/query/feed-order.js';
import { foldCity } from '../../filters/reference-order.js';
import { snapshotOf } from '../deals.js';

const some = <T>(...values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const deal: fc.Arbitrary<DealColumns> = fc.record({
  id: fc.uuid(),
  state: fc.constantFrom('OH', 'TX', 'MO'),
  zip: optional(fc.constantFrom('44105', '75201')),
  city: fc.constantFrom('Columbus', 'St. Louis', 'saint louis', 'Dallas'),
  priceCents: optional(fc.constantFrom(0, 1, 99_999, 100_000, 100_001, 900_000_000_000_00)),
  capHundredths: optional(fc.constantFrom(-100, 0, 849, 850, 851)),
  units: optional(fc.constantFrom(0, 1, 4, 100_000)),
  dealScore: fc.constantFrom(0, 49, 50, 51, 100),
  confidenceHundredths: fc.constantFrom(0, 50, 100),
  rentalStatus: fc.constantFrom('Hot' as const, 'Warm' as const, 'Pass' as const),
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
  lastVerified: fc.constant(new Date(0)),
  sources: fc.constant(''),
});

const filter: fc.Arbitrary<DealFilter> = fc.record(
  {
    state: some('OH', 'TX', 'oh', 'WY'),
    zip: some('44105', '75201', '00601'),
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
  },
  { requiredKeys: [] },
);

const sort = optional(fc.record({ by: fc.constantFrom(...Object.keys(dealKind.sorts)), descending: fc.boolean() }));

/** Absent numbers come last in both directions. */
function compareNumbers(one: number | undefined, other: number | undefined, descending: boolean): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return descending ? other - one : one - other;
}

describe('the snapshot of the deals feed', () => {
  it('selects what a plain loop selects, in the order that is asked for, page by page', async () => {
    const deals = fc.uniqueArray(deal, { maxLength: 60, selector: ({ id }) => id });
    await fc.assert(
      fc.asyncProperty(deals, filter, fc.integer({ min: 1, max: 20 }), sort, async (all, wanted, limit, order) => {
        const numberOf = order && dealKind.sorts[order.by]?.numberOf;
        const snapshot = await snapshotOf(all);
        const expected = [...all]
          .sort(compareRanks<DealRank>(dealKind.order))
          .filter((each) => isWanted(each, wanted))
          .sort((one, other) => compareNumbers(numberOf?.(one), numberOf?.(other), order?.descending === true))
          .map(({ id }) => id);
        const tested = all.filter(dealKind.testOf(wanted)).map(({ id }) => id);
        assert.deepEqual(tested.sort(), [...expected].sort(), 'record by record');
        const seen: (string | undefined)[] = [];
        for (let hasMore = true, after = undefined as DealColumns | undefined; hasMore;) {
          const place = after && { rank: after, number: numberOf?.(after) };
          const page = snapshot.select(wanted, limit, place, undefined, order);
          assert.equal(page.total, expected.length);
          assert.ok(page.positions.length <= limit);
          seen.push(...page.positions.map((position) => snapshot.records.at(position)?.id));
          hasMore = page.hasMore;
          after = snapshot.records.at(page.positions.at(-1) ?? -1);
        }
        assert.deepEqual(seen, expected);
      }),
      { numRuns: 2_000 },
    );
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

function isWanted(each: DealColumns, wanted: DealFilter): boolean {
  const within = (value: number | undefined, least: number | undefined, most?: number): boolean =>
    (least === undefined && most === undefined) ||
    (value !== undefined && value >= (least ?? -Infinity) && value <= (most ?? Infinity));
  const isOneOf = (value: string | undefined, list: readonly string[] | undefined): boolean =>
    list === undefined || (value !== undefined && list.includes(value));
  return (
    isOneOf(
      each.state,
      wanted.state?.map((code) => code.toUpperCase()),
    ) &&
    isOneOf(each.zip, wanted.zip) &&
    (wanted.city === undefined || foldCity(each.city) === foldCity(wanted.city)) &&
    within(each.priceCents, wanted.minPriceCents, wanted.maxPriceCents) &&
    within(each.capHundredths, wanted.minCapHundredths) &&
    within(each.units, wanted.minUnits, wanted.maxUnits) &&
    within(each.dealScore, wanted.minScore) &&
    within(each.centsPerUnit, wanted.minCentsPerUnit, wanted.maxCentsPerUnit) &&
    within(each.dscrHundredths, wanted.minDscrHundredths) &&
    within(each.confidenceHundredths, wanted.minConfidenceHundredths) &&
    within(each.capUnderwrittenHundredths, wanted.minCapUnderwrittenHundredths) &&
    within(each.capGapHundredths, undefined, wanted.maxCapGapHundredths) &&
    within(each.yearBuilt, wanted.minYearBuilt, wanted.maxYearBuilt) &&
    within(each.daysOnFeed, wanted.minDaysOnFeed, wanted.maxDaysOnFeed) &&
    within(each.priceCutTenths, wanted.minPriceCutTenths) &&
    within(each.priceCutCents, wanted.minPriceCutCents) &&
    isOneOf(each.rentalStatus, wanted.status) &&
    (wanted.hotOnly === undefined || ((each.capHundredths ?? -Infinity) >= 850 && each.dscrComputed))
  );
}
