import assert from 'node:assert/strict';
import fc from 'fast-check';
import { absent, isKnown, known, valueOf, type Maybe } from '../../src/absence.js';
import { suggestOffer, type OfferRange } from '../../src/underwriting/offer-range.js';
import type { BlockingFlag } from '../../src/underwriting/plausibility.js';
import { createUnderwrite } from '../../src/underwriting/underwrite.js';
import type { UnderwritingInputs } from '../../src/underwriting/underwriting-inputs.js';
import { deep } from '../support/depth.js';
import { buildInputs, buildRent, plainSet, rates } from './build-listing.js';

const underwrite = createUnderwrite(plainSet);

/** Five units at a rent of $1,000 and without a claim: 30,690.00 of income for value. */
const five = buildInputs({ listPrice: known('500000'), units: known(5), rent: buildRent('1000') });

function offer(
  inputs: Partial<UnderwritingInputs> = {},
  motivation = 0,
  ...flags: readonly BlockingFlag[]
): Maybe<OfferRange> {
  const given = { ...five, ...inputs, flags };
  return suggestOffer(underwrite(given), given.listPrice, motivation, plainSet);
}

describe('suggestOffer', () => {
  it('derives all prices from the income for value, and names the constraint', () => {
    assert.deepEqual(
      offer(),
      known({
        low: '343000',
        mid: '352000',
        high: '361000',
        walkAwayPrice: '361000',
        maxPriceAtTargetCap: '361000',
        maxPriceAtMinDscr: '420000',
        openingDiscountPct: '5',
        headroomPct: known('-27.8'),
        discountToListPct: known('29.6'),
        bindingConstraint: 'target_cap',
        targetMetAtList: known(false),
        targetCapPct: '8.50',
        minDscr: '1.25',
        noiForValue: '30690.00',
        basis: 'hud',
      }),
    );
  });

  it('never offers more than the asking price, and tells how far one could go above it', () => {
    const range = valueOf(offer({ listPrice: known('310500') }));
    assert.deepEqual([range?.low, range?.mid, range?.high], ['294000', '302000', '310000']);
    assert.deepEqual([range?.walkAwayPrice, range?.headroomPct], ['361000', known('16.3')]);
    assert.deepEqual([range?.bindingConstraint, range?.targetMetAtList], ['list_price', known(true)]);
  });

  it('names the target cap before the debt cover and the asking price where they are equal', () => {
    // 30,600.00 at 8.50% is 360,000.
    const at = (listPrice: string) => valueOf(offer({ noi: known('30600'), listPrice: known(listPrice) }));
    assert.equal(at('360000')?.bindingConstraint, 'target_cap');
    assert.equal(at('359999.99')?.bindingConstraint, 'list_price');
  });

  it('meets the target at the price of the target cap as published, and not a cent above', () => {
    const isMet = (listPrice: string) => valueOf(offer({ listPrice: known(listPrice) }))?.targetMetAtList;
    assert.deepEqual([isMet('361000'), isMet('361000.01')], [known(true), known(false)]);
  });

  it('opens two points lower for each motivation signal, for five of them at most', () => {
    const discounts = [0, 1, 4, 5, 9].map((count) => valueOf(offer({}, count))?.openingDiscountPct);
    assert.deepEqual(discounts, ['5', '7', '13', '15', '15']);
    // 361,058.82 x 85%.
    assert.deepEqual([valueOf(offer({}, 5))?.low, valueOf(offer({}, 5))?.high], ['306000', '361000']);
  });

  it('stands on 90% of the claim where HUD rents do not check it', () => {
    const range = valueOf(offer({ listPrice: known('1600000'), units: known(4), noi: known('97600') }));
    assert.deepEqual([range?.noiForValue, range?.basis], ['87840.00', 'claim_discounted']);
    assert.deepEqual([range?.maxPriceAtTargetCap, range?.high], ['1033000', '1033000']);
  });

  it('is limited by debt coverage at high interest rates, and where more coverage is asked', () => {
    const dear = { rates: { ...rates, fivePlusUnitsPct: '12.00' } };
    const range = valueOf(offer(dear));
    assert.deepEqual([range?.bindingConstraint, range?.high], ['dscr', range?.maxPriceAtMinDscr]);
    const rural = valueOf(offer({ nonmetropolitan: true }));
    assert.deepEqual([rural?.minDscr, rural?.maxPriceAtMinDscr], ['1.30', '404000']);
  });

  it('works without an asking price on a claim, and names what it cannot state', () => {
    const range = valueOf(offer({ listPrice: absent('not_stated_by_source'), noi: known('50000') }));
    assert.deepEqual([range?.basis, range?.high, range?.walkAwayPrice], ['claim_discounted', '529000', '529000']);
    for (const name of ['headroomPct', 'discountToListPct', 'targetMetAtList'] as const)
      assert.deepEqual(range?.[name], absent('insufficient_inputs'), name);
    const doubted = valueOf(offer({ noi: known('50000') }, 0, 'price_placeholder'));
    assert.deepEqual(doubted, range, 'a doubted price is read as absent');
  });

  it('assumes the higher interest rate where the number of units is doubted', () => {
    const claim = { noi: known('50000') };
    assert.equal(valueOf(offer(claim, 0, 'price_placeholder'))?.maxPriceAtMinDscr, '616000');
    assert.equal(valueOf(offer(claim, 0, 'units_suspect'))?.maxPriceAtMinDscr, '601000');
  });

  it('suggests nothing on an income that is absent or under one step, or for under one step', () => {
    const none = absent('insufficient_inputs');
    assert.deepEqual(offer({ rent: absent('no_hud_rent') }), none);
    for (const noi of ['-5', '0', '999.99']) assert.deepEqual(offer({ noi: known(noi) }), none, noi);
    assert.ok(isKnown(offer({ noi: known('1000') })));
    const claim = { noi: known('50000') };
    assert.deepEqual(offer({ ...claim, listPrice: known('1052') }), none);
    assert.ok(isKnown(offer({ ...claim, listPrice: known('1053') })));
  });

  it('keeps low <= mid <= high <= both prices in whole thousands, and low < high from 20,000 on, for any deal', () => {
    const drawn = fc.tuple(
      fc.integer({ min: 1, max: 5_000_000 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 300, max: 3000 }),
      fc.nat(9),
    );
    fc.assert(
      fc.property(drawn, ([ask, units, rent, motivation]) => {
        const inputs = { listPrice: known(String(ask)), units: known(units), rent: buildRent(String(rent)) };
        const range = valueOf(offer(inputs, motivation));
        if (range === undefined) return;
        const [low, mid, high, walkAway] = [range.low, range.mid, range.high, range.walkAwayPrice].map(Number) as [
          number,
          number,
          number,
          number,
        ];
        assert.ok(0 < low && low <= mid && mid <= high && high <= Math.min(ask, walkAway), `${low} ${mid} ${high}`);
        if (high >= 20_000) assert.ok(low < high);
        for (const each of [low, mid, high, walkAway]) assert.equal(each % 1000, 0);
      }),
      { numRuns: deep(1000, 250) },
    );
  });
});
