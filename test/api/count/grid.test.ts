import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countedOperations } from '../../../src/api/count/counters.js';
import { putOnGrid } from '../../../src/api/count/grid.js';
import { roundCount } from '../../../src/api/count/rounded-count.js';
import { loadContract } from '../../../src/contract/load-contract.js';
import { howShown } from '../../../src/wire/how-shown.js';

describe('the grid of counted queries', () => {
  for (const [name, given, widened, tightened] of [
    ['min_price', 149_999, 125_000, 150_000],
    ['max_price', 150_001, 175_000, 150_000],
    ['max_price', 1_000_001, 1_100_000, 1_000_000],
    ['min_price_per_unit', 45_000, 40_000, 50_000],
    ['min_amount', 0.5, 0, 1],
    ['min_amount', 12_345, 10_000, 20_000],
    ['min_appraised', 500_000, 500_000, 500_000],
    ['min_cap', 8.49, 8, 8.5],
    ['max_cap_gap', -0.7, -0.5, -1],
    ['min_dscr', 1.25, 1.2, 1.3],
    ['min_confidence', 0.55, 0.5, 0.6],
    ['min_score', 61, 60, 65],
    ['min_units', 7, 5, 10],
    ['max_units', 101, 100_000, 100],
    ['max_year_built', 1999, 2000, 1990],
    ['min_days_on_feed', 8, 7, 14],
    ['min_price_cut_pct', 4.4, 4, 5],
    ['min_price_cut', 5_001, 5_000, 10_000],
    ['from_date', '2026-11-28', '2026-11-23', '2026-11-30'],
    ['to_date', '2026-11-28', '2026-11-29', '2026-11-22'],
    ['state', 'OH', 'OH', 'OH'],
    ['has_address', true, true, true],
  ] as const)
    it(`takes ${name} ${given} as ${widened}, and as ${tightened} where nothing else may match`, () => {
      const put = putOnGrid({ [name]: given });
      assert.deepEqual(put, { widened: { [name]: widened }, tightened: { [name]: tightened } });
    });

  it('moves a circle so that the wider one holds it, and it holds the narrower one', () => {
    assert.deepEqual(putOnGrid({ near: '41.6621,-83.5418', radius: 20 }), {
      widened: { near: '41.65,-83.55', radius: 25 },
      tightened: { near: '41.65,-83.55', radius: 10 },
    });
    assert.equal(putOnGrid({ near: '41.6621,-83.5418', radius: 5 }).tightened, undefined);
    assert.equal(putOnGrid({ near: '41.6621,-83.5418', radius: 100 }).widened['radius'], 250);
  });

  it('keeps a threshold that is on it, and never narrows the wider query', () => {
    const names = fc.constantFrom('min_price', 'max_price', 'min_amount', 'min_dscr', 'min_units', 'max_cap_gap');
    fc.assert(
      fc.property(names, fc.double({ min: 0, max: 99_999, noNaN: true }), (name, value) => {
        const { widened, tightened } = putOnGrid({ [name]: value });
        const [wide, tight] = [Number(widened[name]), Number(tightened?.[name])];
        assert.ok(name.startsWith('max_') ? wide >= value && tight <= value : wide <= value && tight >= value);
        assert.deepEqual(putOnGrid({ [name]: wide }).widened, { [name]: wide });
      }),
    );
  });
});

describe('each threshold that may be counted with', () => {
  const counted = new Set<string>(Object.values(countedOperations));
  const { operations } = loadContract();
  const names = operations
    .filter(({ operationId }) => counted.has(operationId))
    .flatMap(({ parameters }) => parameters)
    .filter(({ name }) => !howShown.includes(name) && name !== 'radius');
  const values = { number: 3.0303, integer: 33_333, date: '2026-06-03', moment: '2026-06-03T10:11:12Z' };
  for (const [kind, odd] of Object.entries(values))
    it(`has a grid, so that it tells no record's own value: ${kind}`, () => {
      const asked = names.filter((each) => [each.type, each.kind].includes(kind));
      for (const { name } of asked) assert.notDeepEqual(putOnGrid({ [name]: odd }).widened, { [name]: odd }, name);
      assert.ok(asked.length > 0);
    });
});

describe('a rounded count', () => {
  it('is none, 1 to 4, 5 to 9, exact to 99, and the first two digits from 100 on', () => {
    const bounds = [0, 1, 4, 5, 9, 10, 99, 100, 137, 999, 1_000, 123_456].map((count) => {
      const { at_least: least, at_most: most } = roundCount(count);
      return `${least}-${most}`;
    });
    const expected = ['0-0', '1-4', '1-4', '5-9', '5-9', '10-10', '99-99', '100-109', '130-139', '990-999'];
    assert.deepEqual(bounds, [...expected, '1000-1099', '120000-129999']);
  });
});
