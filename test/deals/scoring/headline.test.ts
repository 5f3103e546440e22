import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { Listing } from '../../../src/listings/listing.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import type { ScoreInputs } from '../../../src/deals/scoring/score.js';
import type { Underwriting } from '../../../src/underwriting/underwriting.js';
import { buildFigures, buildScoreInputs } from './build-score-inputs.js';

function headline(listing: Partial<Listing>, others: Parameters<typeof buildScoreInputs>[1] = {}): string {
  return scoreListing(buildScoreInputs(listing, others)).headline;
}

function headlineAt(gap: string, figures: Partial<Underwriting> = {}): string {
  return scoreListing(buildFigures({ capGapPct: known(gap), ...figures })).headline;
}

const unstated = absent('not_stated_by_source');

describe('writeHeadline', () => {
  it('starts with the claim against HUD when they differ by exactly a point, in either direction', () => {
    assert.equal(headlineAt('1.00'), 'Claimed cap 9.20% is 1.00 points above the 8.77% that HUD FY2025 rents support.');
    assert.equal(
      headlineAt('-1.00'),
      'Claimed cap 9.20% is 1.00 points below the 8.77% that HUD FY2025 rents support.',
    );
    assert.equal(
      headlineAt('0.99'),
      'Claimed cap 9.20% is within 0.99 points of the 8.77% that HUD FY2025 rents support.',
    );
  });

  it('says when the HUD proxy does not fit the price', () => {
    assert.match(
      headlineAt('6.00', { reliability: 'proxy_out_of_range' }),
      /a proxy that does not fit this price per unit/,
    );
  });

  it('names the available figure when there is no claim, no HUD rent or neither', () => {
    assert.equal(
      headline({ capRate: unstated }),
      'No cap rate is claimed; HUD FY2025 rents support 8.77% at the asking price.',
    );
    const noRent = { rent: absent('no_hud_rent') } as const;
    assert.equal(headline({}, noRent), 'Claimed cap 9.20% could not be checked against HUD rents.');
    const stated = headline({ capRate: unstated, noi: known('40000') }, noRent);
    assert.equal(stated, 'Stated income covers debt 1.63 times; no cap rate is claimed.');
    const nothing = headline({ capRate: unstated, listPrice: unstated }, noRent);
    assert.equal(nothing, 'Price or income is not stated well enough to underwrite.');
  });

  it('says that no cap rate is claimed only when the source states none', () => {
    const noRent = { rent: absent('no_hud_rent') } as const;
    const noi = known('40000');
    for (const reason of ['not_stated_by_source', 'not_published_by_source'] as const) {
      assert.match(headline({ capRate: absent(reason) }), /^No cap rate is claimed; HUD/);
      assert.match(headline({ capRate: absent(reason), noi }, noRent), /; no cap rate is claimed\.$/);
    }
    for (const reason of ['parse_failed', 'suppressed_by_policy', 'stale_source'] as const) {
      const capRate = absent(reason);
      assert.equal(headline({ capRate }), 'HUD FY2025 rents support a cap rate of 8.77% at the asking price.');
      assert.equal(headline({ capRate, noi }, noRent), 'Stated income covers debt 1.63 times.');
    }
  });

  it('adds the strongest motivation after the lead, at most one', () => {
    const match = known({ confidence: '0.98', sourceUrl: 'https://county.example/1', observedAt: new Date(0) });
    const distress: ScoreInputs['distress'] = { taxDelinquency: unstated, sheriffSale: match };
    assert.match(headline({ saleCondition: 'auction' }, { distress }), /; matched to an upcoming sheriff sale\.$/);
    assert.match(headline({ saleCondition: 'auction' }), /; offered at auction\.$/);
    const prices = ['450000', '420000'].map((price) => ({ price, observedAt: new Date(0) }));
    assert.match(headline({ prices }), /; asking price down 6\.7%\.$/);
  });
});
