import assert from 'node:assert/strict';
import { absent } from '../../../src/absence.js';
import { readOffer } from '../../../src/deals/scoring/price-events.js';
import { readPrices } from '../../../src/deals/scoring/price-reduction.js';

const dayMs = 86_400_000;
/** One price a day, or on the given day. */
type Observed = readonly (number | readonly [day: number, price: number])[];
const prices = (...observed: Observed) =>
  observed.map((each, index) => {
    const [day, price] = typeof each === 'number' ? [index, each] : each;
    return { observedAt: new Date(Date.UTC(2026, 10, 1) + day * dayMs), price: String(price) };
  });
const eventsOf = (...observed: Observed) => readOffer(prices(...observed)).points.map(({ event }) => event ?? '-');
const settledOf = (...observed: Observed) => readOffer(prices(...observed)).settled?.price;

describe('the prices of an offer', () => {
  const cases: readonly (readonly [what: string, observed: Observed, events: string])[] = [
    ['a first price', [400_000], 'listed'],
    ['a cent that comes and goes is no cut', [500_000, 499_999.99, 500_000, 499_999.99], 'listed - - -'],
    ['a fall of 1% and $500 is a cut', [400_000, 396_000], 'listed cut'],
    ['a fall of just over 1% is a cut', [400_000, 395_999], 'listed cut'],
    ['a fall under 1% is none', [400_000, 396_001], 'listed -'],
    ['a fall of 1% under $500 is none', [40_000, 39_501], 'listed -'],
    ['a fall of $500 is a cut', [40_000, 39_500], 'listed cut'],
    ['a rise', [400_000, 380_000, 390_000], 'listed cut raised'],
    ['a typing error is no event, nor its correction', [300_000, 3_000_000, 300_000], 'listed - corrected'],
    ['a digit that was forgotten', [300_000, 30_000, 300_000], 'listed - corrected'],
    ['a correction within 5%', [300_000, 3_000_000, 285_000], 'listed - corrected'],
    ['a price by over 5% lower after an error is a cut', [300_000, 3_000_000, 284_999], 'listed - cut'],
    ['a halving that has stood six days', [300_000, 150_000, [7, 150_000]], 'listed - -'],
    ['a halving that has stood a week', [300_000, 150_000, [8, 150_000]], 'listed cut -'],
    ['a halving that is left after a week', [300_000, 150_000, [8, 140_000]], 'listed cut cut'],
    ['a rise by half that comes back after a week', [300_000, 450_000, [8, 300_000]], 'listed raised cut'],
    ['one error after another', [300_000, 3_000_000, 3_100_000, 300_000], 'listed - - corrected'],
    ['a price of nothing waits', [0, 300_000], 'listed -'],
  ];
  for (const [what, observed, events] of cases)
    it(`${what}: ${events}`, () => assert.equal(eventsOf(...observed).join(' '), events));

  it('are settled but for a change by half that is younger than a week', () => {
    assert.equal(settledOf(300_000, 290_000), '290000');
    assert.equal(settledOf(300_000, 150_000, [6, 150_000]), '300000');
    assert.equal(settledOf(300_000, 150_000, [8, 150_000]), '150000');
    assert.equal(settledOf(), undefined);
  });

  it('begin with the word for their offer', () => {
    assert.deepEqual(
      readOffer(prices(1_000, 1_000), 'relisted').points.map(({ event }) => event),
      ['relisted', undefined],
    );
  });

  it('are reduced only while the settled price is under the first', () => {
    const read = (...observed: Observed) => {
      const { cuts, isReduced } = readPrices({
        listPrice: absent('not_stated_by_source'),
        prices: prices(...observed),
      });
      return [cuts.length, isReduced];
    };
    assert.deepEqual(read(420_000, 400_000, 410_000), [1, true]);
    assert.deepEqual(read(400_000, 390_000, 420_000, 410_000), [2, false]);
    assert.deepEqual(read(400_000, 390_000, 380_000), [2, true]);
    assert.deepEqual(read(), [0, false]);
  });
});
