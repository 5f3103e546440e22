import assert from 'node:assert/strict';
import fc from 'fast-check';
import { absent, isKnown, known } from '../../../src/absence.js';
import { compareWithMarket, type ComparedDeal } from '../../../src/deals/reports/market.js';
import { percentile, plain, round } from './recompute.js';

const cleveland = known('39035');

const anyCounty: fc.Arbitrary<readonly ComparedDeal[]> = fc
  .array(
    fc.record({
      priceCents: fc.option(fc.integer({ min: 100, max: 900_000_00 }), { nil: undefined }),
      capHundredths: fc.option(fc.integer({ min: 400, max: 420 }), { nil: undefined }),
      units: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
      dealScore: fc.integer({ min: 0, max: 100 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((deals) => deals.map((deal, index) => ({ id: String(index), ...deal })));

describe('compareWithMarket', () => {
  it('finds median and percentile like a plain count', () => {
    fc.assert(
      fc.property(anyCounty, (deals) => {
        const market = compareWithMarket('0', cleveland, deals);
        assert.deepEqual([market.metro, market.deals], [known('Cleveland, OH'), known(deals.length)]);
        const cap = market.measures.find(({ measure }) => measure === 'cap_rate');
        assert.ok(cap);
        const caps = deals.flatMap(({ capHundredths }) => capHundredths ?? []).sort((a, b) => a - b);
        assert.equal(cap.count, caps.length);
        const half = caps.length / 2;
        const middle = caps.length % 2 === 1 ? caps[Math.floor(half)] : ((caps[half - 1] ?? 0) + (caps[half] ?? 0)) / 2;
        if (isKnown(cap.median)) assert.equal(cap.median.value, round(plain(String(middle)).div(100)));
        else assert.equal(caps.length, 0);
        const own = deals[0]?.capHundredths;
        if (own === undefined) return assert.deepEqual(cap.standing, absent('insufficient_inputs'));
        const [below, equal] = [caps.filter((each) => each < own).length, caps.filter((each) => each === own).length];
        const expected = {
          value: (own / 100).toFixed(2),
          below,
          equal,
          percentile: percentile(below, equal, caps.length),
        };
        assert.deepEqual(cap.standing, known(expected));
      }),
      { numRuns: 300 },
    );
  });

  it('compares the price per unit as it is published, in cents', () => {
    const deals = [
      { id: '0', priceCents: 100_00, units: 3, dealScore: 50 },
      { id: '1', priceCents: 33_33, units: 1, dealScore: 50 },
    ];
    const measure = compareWithMarket('0', cleveland, deals).measures.find((each) => each.measure === 'price_per_unit');
    assert.deepEqual(measure?.standing, known({ value: '33.33', below: 0, equal: 2, percentile: '50.0' }));
  });

  it('compares nothing when the county is unknown or of no covered metro, and gives the reason', () => {
    for (const [county, reason] of [
      [absent('insufficient_inputs'), 'insufficient_inputs'],
      [absent('not_collected'), 'not_applicable'],
      [absent('suppressed_by_policy'), 'suppressed_by_policy'],
      [known('99999'), 'not_applicable'],
    ] as const) {
      const nothing = { metro: absent(reason), deals: absent(reason), measures: [] };
      assert.deepEqual(compareWithMarket('0', county, []), nothing);
    }
  });
});
