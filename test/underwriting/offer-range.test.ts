import assert from 'node:assert/strict';
import fc from 'fast-check';
import { absent, isKnown, known, valueOf, type Maybe } from '../../src/absence.js';
import { suggestOffer, type OfferRange } from '../../src/underwriting/offer-range.js';
import { createUnderwrite } from '../../src/underwriting/underwrite.js';
import { buildInputs, buildRent, plainSet, rates } from './build-listing.js';

const underwrite = createUnderwrite(plainSet);

/** `underwriteAt('420000', 6, '1000')`: six units at $1,000 rent each, without an advertised cap. */
function offerAt(price: Maybe<string>, units: number, rent: string, noi?: string): Maybe<OfferRange> {
  const stated = noi === undefined ? {} : { noi: known(noi) };
  const inputs = buildInputs({ listPrice: price, units: known(units), rent: buildRent(rent), ...stated });
  return suggestOffer(underwrite(inputs), price, plainSet);
}

describe('suggestOffer', () => {
  it('derives the range from the target cap and names its constraint', () => {
    assert.deepEqual(
      offerAt(known('500000'), 5, '1000'),
      known({
        low: '331000',
        mid: '361000',
        high: '372000',
        dscrMaxPrice: '420000',
        targetCapPct: '8.50',
        baseNoi: '30690.00',
        basis: 'noi_underwritten',
        discountToListPct: known('27.8'),
        bindingConstraint: 'target_cap',
        targetMetAtList: known(false),
      }),
    );
  });

  it('never suggests more than the asking price, and says that the target is met there', () => {
    const range = valueOf(offerAt(known('310500'), 4, '1220'));
    assert.deepEqual([range?.low, range?.mid, range?.high], ['310000', '310000', '310000']);
    assert.equal(range?.bindingConstraint, 'list_price');
    assert.deepEqual(range?.targetMetAtList, known(true));
  });

  it('names the target cap when the asking price gives the same value', () => {
    // 30,690.00 at 8.25% is 372,000.
    const range = valueOf(offerAt(known('372000'), 5, '1000'));
    assert.deepEqual([range?.high, range?.bindingConstraint], ['372000', 'target_cap']);
    assert.equal(valueOf(offerAt(known('371999'), 5, '1000'))?.bindingConstraint, 'list_price');
  });

  it('meets the target at exactly the price of the target cap, and not a cent above', () => {
    // 90% of 34,000 at 8.5% is 360,000.
    const isMet = (price: string) => valueOf(offerAt(known(price), 4, '300', '34000'))?.targetMetAtList;
    assert.deepEqual([isMet('360000'), isMet('360000.01')], [known(true), known(false)]);
  });

  it("uses 90% of the row's NOI when the HUD rent does not fit", () => {
    const range = valueOf(offerAt(known('1600000'), 4, '2130', '97600'));
    assert.deepEqual([range?.baseNoi, range?.basis], ['87840.00', 'noi_discounted']);
    assert.deepEqual([range?.low, range?.mid, range?.high], ['949000', '1033000', '1064000']);
  });

  it('uses the base as published: 90% of 34,094.44 is 30,685.00, and 8.5% of 361,000', () => {
    const range = valueOf(offerAt(known('1600000'), 4, '2130', '34094.44'));
    assert.deepEqual([range?.baseNoi, range?.mid], ['30685.00', '361000']);
  });

  it('uses the asking price as published: 310,999.996 is 311,000.00', () => {
    const range = valueOf(offerAt(known('310999.996'), 4, '1220'));
    assert.deepEqual([range?.high, range?.discountToListPct], ['311000', known('0.0')]);
    assert.equal(valueOf(offerAt(known('0.004'), 4, '1220', '40000'))?.bindingConstraint, 'target_cap');
  });

  it('is limited by debt coverage at high interest rates', () => {
    const dear = { ...rates, fivePlusUnitsPct: '12.00' };
    const inputs = buildInputs({
      rates: dear,
      listPrice: known('500000'),
      units: known(5),
      rent: buildRent('1000'),
    });
    const range = valueOf(suggestOffer(underwrite(inputs), inputs.listPrice, plainSet));
    assert.equal(range?.bindingConstraint, 'dscr');
    assert.equal(range?.high, range?.dscrMaxPrice);
  });

  it('works without an asking price on a stated NOI, and names what it cannot state', () => {
    const range = valueOf(offerAt(absent('not_stated_by_source'), 5, '1000', '50000'));
    assert.equal(range?.basis, 'noi_discounted');
    assert.deepEqual(range?.discountToListPct, absent('insufficient_inputs'));
    assert.deepEqual(range?.targetMetAtList, absent('insufficient_inputs'));
  });

  it('suggests nothing without a positive NOI', () => {
    const none = buildInputs({ listPrice: known('500000') });
    assert.deepEqual(suggestOffer(underwrite(none), none.listPrice, plainSet), absent('no_hud_rent'));
    const loss = buildInputs({ listPrice: known('500000'), noi: known('-5') });
    assert.deepEqual(suggestOffer(underwrite(loss), loss.listPrice, plainSet), absent('insufficient_inputs'));
  });

  it('keeps low <= mid <= high <= asking price in whole thousands, for any deal', () => {
    const price = fc.integer({ min: 1, max: 5_000_000 });
    fc.assert(
      fc.property(price, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 300, max: 3000 }), (ask, units, rent) => {
        const offer = offerAt(known(String(ask)), units, String(rent));
        if (!isKnown(offer)) return;
        const [low, mid, high] = [Number(offer.value.low), Number(offer.value.mid), Number(offer.value.high)];
        assert.ok(0 < low && low <= mid && mid <= high && high <= ask, `${low} ${mid} ${high} ${ask}`);
        for (const each of [low, mid, high]) assert.equal(each % 1000, 0);
      }),
      { numRuns: 500 },
    );
  });
});
