import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { Listing } from '../../../src/listings/listing.js';
import type { Rationale } from '../../../src/deals/scoring/rationale.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import type { ScoreInputs } from '../../../src/deals/scoring/score.js';
import { buildScoreInputs } from './build-score-inputs.js';

const motivated = ['relisted', 'auction_listing', 'remarks_as_is'] as const;

/** Fires `count` motivation codes. */
function motivate(count: number): Partial<Listing> {
  const codes = motivated.slice(0, count);
  return {
    relisted: codes.includes('relisted'),
    saleCondition: codes.includes('auction_listing') ? 'auction' : 'standard',
    remarks: known(codes.includes('remarks_as_is') ? 'Sold as-is.' : ''),
  };
}

const capRate = absent('not_stated_by_source');

function wholesale(listing: Partial<Listing>, others: Partial<ScoreInputs> = {}): Rationale {
  return scoreListing(buildScoreInputs({ condition: known('fair'), capRate, ...listing }, others)).rationales.wholesale;
}

/**
 * NOI 36,828.00 at an exit cap of 7.00% is an ARV of 526,114.29; MAO = 0.70 x ARV - 6 x 12,000 - 10,000 = 286,280.00.
 */
const atFloor = { metroMedianCapPct: known('6.20') };

describe('assessWholesale', () => {
  it('computes the maximum allowable offer to the cent and shows its parts', () => {
    const { inputs } = wholesale({}, atFloor);
    const shown = ['arv', 'repairs', 'mao'].map((name) => inputs[name]?.value);
    assert.deepEqual(shown, ['526114.29', '72000.00', '286280.00']);
  });

  it("uses the metro's median cap when it is above 7.0, and the floor when it is unknown", () => {
    assert.equal(wholesale({}, { metroMedianCapPct: known('8.00') }).inputs.arv?.value, '460350.00');
    const unknown = wholesale({}, { metroMedianCapPct: absent('insufficient_inputs') });
    assert.equal(unknown.inputs.arv?.value, '526114.29');
    assert.ok(unknown.missing.includes('metro_median_cap_rate'));
  });

  it('is Hot at exactly the maximum allowable offer with one motivation code, and Warm without', () => {
    const price = { listPrice: known('286280') };
    assert.equal(wholesale({ ...price, ...motivate(1) }, atFloor).status, 'Hot');
    const { status, reasons } = wholesale(price, atFloor);
    assert.deepEqual([status, reasons], ['Warm', ['within_mao_without_motivation']]);
  });

  it('is Warm at exactly 1.10 times it, and Pass a cent above with little motivation', () => {
    assert.equal(wholesale({ listPrice: known('314908') }, atFloor).status, 'Warm');
    assert.equal(wholesale({ listPrice: known('314908.01'), ...motivate(2) }, atFloor).status, 'Pass');
  });

  it('is Warm at exactly 1.20 times it with three motivation codes, and Pass a cent above', () => {
    assert.equal(wholesale({ listPrice: known('343536'), ...motivate(3) }, atFloor).status, 'Warm');
    assert.equal(wholesale({ listPrice: known('343536.01'), ...motivate(3) }, atFloor).status, 'Pass');
  });

  it('values a building at no more than it is claimed to earn', () => {
    const { inputs } = wholesale({ noi: known('30000') }, atFloor);
    assert.deepEqual([inputs.noi_for_arv?.value, inputs.arv?.value], ['30000.00', '428571.43']);
    assert.equal(wholesale({ noi: known('-5') }, atFloor).inputs.arv?.value, '526114.29');
  });

  it('rates repairs by condition, then by words in the remarks, then by the year built', () => {
    const level = (listing: Partial<Listing>): unknown[] => {
      const { inputs } = wholesale({ condition: absent('not_stated_by_source'), ...listing });
      return [inputs.rehab_level?.value, inputs.rehab_level?.basis, inputs.repairs?.value];
    };
    assert.deepEqual(level({ condition: known('good') }), ['light', 'stated_by_source', '36000.00']);
    assert.deepEqual(level({ condition: known('poor') }), ['heavy', 'stated_by_source', '150000.00']);
    assert.deepEqual(level({ condition: known('fair') }), ['medium', 'stated_by_source', '72000.00']);
    assert.deepEqual(level({ condition: known('distressed') }), ['heavy', 'stated_by_source', '150000.00']);
    assert.deepEqual(level({ condition: known('good'), remarks: known('Gutted') })[0], 'light');
    assert.deepEqual(level({ remarks: known('Turnkey, but one unit needs work, and one is gutted') })[0], 'heavy');
    assert.deepEqual(level({ remarks: known('Turnkey, but one unit needs work') })[0], 'medium');
    assert.deepEqual(level({ remarks: known('Turnkey'), yearBuilt: known(1920) })[0], 'light');
    assert.deepEqual(level({ remarks: known('Needs full rehab') }), ['heavy', 'stated_by_source', '150000.00']);
    assert.deepEqual(level({ remarks: known('Turn-key!') }), ['light', 'stated_by_source', '36000.00']);
    assert.deepEqual(level({ yearBuilt: known(1990) }), ['light', 'computed', '36000.00']);
    assert.deepEqual(level({ yearBuilt: known(1989) }), ['medium', 'computed', '72000.00']);
    assert.deepEqual(level({}), ['medium', 'assumed', '72000.00']);
  });

  it('passes with no_arv_basis when HUD rents do not check the claim', () => {
    for (const listing of [{ listPrice: known('1100000') }, { units: absent('not_stated_by_source') }]) {
      const { status, reasons, missing, inputs } = wholesale({ ...listing, ...motivate(3) });
      assert.deepEqual([status, reasons], ['Pass', ['no_arv_basis', 'unchecked']]);
      assert.ok(missing.includes('arv') && missing.includes('mao') && inputs.arv === undefined);
    }
  });

  it('cites the statute in a state that regulates wholesaling', () => {
    assert.match(wholesale({ state: 'IL' }).stateNotices.join(), /225 ILCS 454/);
    assert.deepEqual(wholesale({ state: 'constructor' }).stateNotices, []);
  });
});
