import assert from 'node:assert/strict';
import { known } from '../../../src/absence.js';
import type { Listing, ObservedPrice } from '../../../src/listings/listing.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import { motivationCodes, type Score, type ScoreInputs } from '../../../src/deals/scoring/score.js';
import { buildScoreInputs } from './build-score-inputs.js';

function score(listing: Partial<Listing>, others: Partial<ScoreInputs> = {}): Score {
  return scoreListing(buildScoreInputs(listing, others));
}

function codes(listing: Partial<Listing>, others: Partial<ScoreInputs> = {}): string[] {
  return score(listing, others).motivation.map(({ code }) => code);
}

function prices(...observed: string[]): ObservedPrice[] {
  return observed.map((price, index) => ({ observedAt: new Date(Date.UTC(2026, 10, index + 1)), price }));
}

const match = { confidence: '0.93', sourceUrl: 'https://county.example/1', observedAt: new Date('2026-11-02') };

describe('findMotivation', () => {
  it('fires price_reduced at exactly 3.0% as published, and not at 2.9%', () => {
    assert.deepEqual(codes({ prices: prices('100000', '97000') }), ['price_reduced']);
    assert.deepEqual(codes({ prices: prices('100000', '97100') }), []);
  });

  it('fires repeated_price_cut at the second cut by 1% and $500, while the price is under the first', () => {
    assert.deepEqual(codes({ prices: prices('100000', '99000', '98000') }), ['repeated_price_cut']);
    assert.deepEqual(codes({ prices: prices('100000', '99000', '98100') }), []);
    assert.deepEqual(codes({ prices: prices('40000', '39500', '39001') }), [], 'by $499');
    assert.deepEqual(codes({ prices: prices('100000', '99000', '102000', '100900') }), []);
    assert.deepEqual(codes({ prices: prices('100000', '99000', '102000', '99900') }), ['repeated_price_cut']);
  });

  it('fires long_on_feed on the sixtieth UTC day, dated when it was reached', () => {
    const now = new Date('2026-11-21T00:00:00.000Z');
    const [signal] = score({ firstSeenAt: new Date('2026-09-22T23:59:59.000Z') }, { now }).motivation;
    assert.deepEqual([signal?.code, signal?.observedAt], ['long_on_feed', now]);
    assert.deepEqual(codes({ firstSeenAt: new Date('2026-09-23T00:00:00.000Z') }, { now }), []);
  });

  it('fires high_vacancy at exactly 25% and below_assessed only below the assessed value', () => {
    assert.deepEqual(codes({ vacancyPct: known('25.0') }), ['high_vacancy']);
    assert.deepEqual(codes({ vacancyPct: known('24.9') }), []);
    assert.deepEqual(codes({ assessedValue: known('420000.01') }), ['below_assessed']);
    assert.deepEqual(codes({ assessedValue: known('420000') }), []);
    assert.deepEqual(codes({ assessedValue: known('420000'), listPrice: known('419999.996') }), []);
    assert.deepEqual(codes({ assessedValue: known('1'), listPrice: known('0.004') }), []);
  });

  it("dates a price reduction by the latest cut, and links no page for this service's own observations", () => {
    const { motivation } = score({
      prices: prices('100000', '97000', '96000', '96500'),
      firstSeenAt: new Date('2026-01-01'),
      relisted: true,
      listingUrl: known('https://market.example/9'),
    });
    const cutAt = new Date('2026-11-03');
    const expected = [
      ['price_reduced', cutAt],
      ['repeated_price_cut', cutAt],
      ['long_on_feed', new Date('2026-03-02')],
      ['relisted', new Date('2026-11-20T09:00:00.000Z')],
    ];
    assert.deepEqual(
      motivation.map(({ code, observedAt }) => [code, observedAt]),
      expected,
    );
    for (const { code, sourceUrl } of motivation)
      assert.deepEqual(sourceUrl, { absent: 'not_published_by_source' }, code);
  });

  it('reads a distressed building and an estate only from the fields of the listing', () => {
    assert.deepEqual(codes({ condition: known('distressed') }), ['distressed_condition']);
    assert.deepEqual(codes({ condition: known('poor') }), []);
    assert.deepEqual(codes({ saleCondition: 'estate' }), ['remarks_estate']);
  });

  it("reads the remarks, and dates the source's statements by the time it was last seen", () => {
    const remarks = known('Motivated seller! Estate sale, sold AS-IS; owner financing possible. Unit 2 is boarded up.');
    const { motivation } = score({ remarks });
    assert.deepEqual(
      motivation.map(({ code }) => code),
      ['remarks_motivated', 'remarks_estate', 'remarks_as_is', 'remarks_seller_finance', 'distressed_condition'],
    );
    for (const { observedAt } of motivation) assert.deepEqual(observedAt, new Date('2026-11-20T09:00:00.000Z'));
  });

  it('counts a code once, however often it appears', () => {
    const listing = { remarks: known('Probate. Estate sale.'), saleCondition: 'estate' } as const;
    assert.deepEqual(codes(listing), ['remarks_estate']);
  });

  it('links each public-record match to its own record', () => {
    const distress = { taxDelinquency: known({ ...match, amount: '5000' }), sheriffSale: known(match) };
    const { motivation } = score({ listingUrl: known('https://market.example/9') }, { distress });
    assert.deepEqual(
      motivation.map(({ code, sourceUrl }) => [code, sourceUrl]),
      [
        ['tax_delinquent_match', known(match.sourceUrl)],
        ['sheriff_sale_match', known(match.sourceUrl)],
      ],
    );
  });

  it('fires all fourteen codes, in the order of the closed list, and the feed counts them', () => {
    const everything: Partial<Listing> = {
      prices: prices('500000', '450000', '420000'),
      firstSeenAt: new Date('2026-01-01'),
      relisted: true,
      remarks: known('Must sell. Probate. As is. Land contract. Fire damage.'),
      saleCondition: 'auction',
      vacancyPct: known('50'),
      assessedValue: known('600000'),
    };
    const distress = { taxDelinquency: known({ ...match, amount: '5000' }), sheriffSale: known(match) };
    assert.deepEqual(codes(everything, { distress }), [...motivationCodes]);
  });

  it('keeps the remarks themselves out of the evidence', () => {
    const remarks = known('Motivated seller Jane Roe says must sell');
    for (const { evidence } of score({ remarks }).motivation) assert.doesNotMatch(evidence, /jane|roe|must sell/i);
  });
});

describe('price reduction', () => {
  it('is absent before a second observation, and zero when the price did not drop', () => {
    assert.deepEqual(score({ prices: [] }).prices.reductionPct, { absent: 'not_yet_observed' });
    assert.deepEqual(score({ prices: prices('100000') }).prices.reductionPct, { absent: 'not_yet_observed' });
    assert.deepEqual(score({ prices: prices('100000', '100000') }).prices.reductionPct, known('0.0'));
    assert.deepEqual(score({ prices: prices('100000', '110000') }).prices.reductionPct, known('0.0'));
    assert.deepEqual(score({ prices: prices('450000', '420000') }).prices.reductionPct, known('6.7'));
  });
});

describe('days on feed', () => {
  it('counts whole UTC days, changing at midnight', () => {
    const firstSeenAt = new Date('2026-11-18T23:59:00.000Z');
    const on = (now: string): number => score({ firstSeenAt }, { now: new Date(now) }).daysOnFeed;
    assert.deepEqual(
      ['2026-11-18T23:59:30Z', '2026-11-19T00:00:00Z', '2026-11-19T23:59:59Z', '2026-11-17T00:00:00Z'].map(on),
      [0, 1, 1, 0],
    );
  });
});
