import assert from 'node:assert/strict';
import fc from 'fast-check';
import { absent, known, valueOf } from '../../../src/absence.js';
import { replayCreativeStatus } from '../../../src/deals/scoring/paths/creative.js';
import { replayRentalStatus } from '../../../src/deals/scoring/paths/rental.js';
import { replayWholesaleStatus } from '../../../src/deals/scoring/paths/wholesale.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import type { Score, ScoreInputs } from '../../../src/deals/scoring/score.js';
import type { Listing } from '../../../src/listings/listing.js';
import { assumptionSet } from '../../../src/underwriting/assumption-set.js';
import { suggestOffer } from '../../../src/underwriting/offer-range.js';
import { doubtsOf, type BlockingFlag } from '../../../src/underwriting/plausibility.js';
import type { Underwriting } from '../../../src/underwriting/underwriting.js';
import { deep } from '../../support/depth.js';
import { anyScoreInputs } from './arbitrary-score-inputs.js';
import { buildScoreInputs } from './build-score-inputs.js';

type Change = Partial<Listing> & { readonly rent?: Underwriting['rent']; readonly isZipElsewhere?: boolean };

const unstated = absent('not_stated_by_source');
const six: Partial<Listing> = {
  listPrice: known('389000'),
  units: known(6),
  propertyType: known('multifamily_5_plus'),
  capRate: known('9.4'),
};

function scored({ isZipElsewhere = false, ...listing }: Change): Score & { readonly underwriting: Underwriting } {
  const inputs = buildScoreInputs({ ...six, ...listing }, { isZipElsewhere });
  return { ...scoreListing(inputs), underwriting: inputs.underwriting };
}

/** A row and its code; each is the same six units but for what the code doubts. */
const cases: readonly [flag: BlockingFlag, what: string, listing: Change][] = [
  ['cap_implausible', 'a cap of 94', { capRate: known('94') }],
  ['cap_implausible', 'a cap of 47', { capRate: known('47') }],
  ['cap_implausible', 'a cap of 15.01', { capRate: known('15.01') }],
  ['price_placeholder', 'a price of 1', { listPrice: known('1') }],
  ['price_placeholder', 'a price of 9,999', { listPrice: known('9999') }],
  ['price_placeholder', 'a price of 999,999,999', { listPrice: known('999999999') }],
  ['price_placeholder', 'a price of 1,234,567', { listPrice: known('1234567') }],
  ['units_type_disagree', 'one unit of a multifamily building', { units: known(1) }],
  ['units_type_disagree', 'a duplex with 6 units', { propertyType: known('duplex') }],
  ['units_suspect', '600 units at 389,000', { units: known(600) }],
  ['zip_state_disagree', 'ZIP 90210 in Ohio', { zip: known('90210') }],
  ['zip_county_disagree', 'a ZIP of Cleveland in Franklin County', { county: known('Franklin'), isZipElsewhere: true }],
  ['stated_noi_unreadable', 'an NOI of "see remarks"', { noi: absent('parse_failed') }],
];

describe('a deal with a value that is not plausible', () => {
  it('would be Hot without it', () => {
    assert.deepEqual([scored({}).rentalStatus, scored({}).underwriting.dataQuality], ['Hot', ['hud_rent_stale']]);
  });

  for (const [flag, what, listing] of cases) {
    it(`has the code ${flag} for ${what}, is Hot on no path, and says so first`, () => {
      const { underwriting, headline, rationales } = scored(listing);
      assert.ok(underwriting.dataQuality.includes(flag));
      assert.match(headline, /^Check the listing: [^;]+/);
      for (const { status, reasons, checks } of Object.values(rationales)) {
        assert.notEqual(status, 'Hot');
        assert.ok(reasons.some((reason) => reason in doubtsOf));
        assert.equal(checks.find(({ code }) => code === 'hot_plausible')?.passed, false);
      }
    });
  }

  it('takes 999,999 and 111,111 for prices', () => {
    for (const price of ['999999', '111111'])
      assert.ok(!scored({ listPrice: known(price) }).underwriting.dataQuality.includes('price_placeholder'), price);
  });

  it('publishes the value as stated, and reads a doubted cap as absent but as a ceiling', () => {
    const { underwriting, rationales, headline } = scored({ capRate: known('94') });
    assert.deepEqual(underwriting.noi, known('365660.00'));
    assert.deepEqual(underwriting.noiForValue, underwriting.noiUnderwritten);
    assert.ok(rationales.rental.missing.includes('cap_rate'));
    assert.deepEqual(rationales.rental.inputs.dscr?.value, rationales.rental.inputs.dscr_underwritten?.value);
    assert.match(headline, /94\.00%/);
  });

  it('never tells a gap', () => {
    fc.assert(
      fc.property(anyScoreInputs, (inputs) => {
        const { headline } = scoreListing(inputs);
        const [, points = '0'] = /(\d+\.\d\d) points/.exec(headline) ?? [];
        assert.ok(Number(points) <= 100, headline);
        if (headline.startsWith('Check the listing: ')) assert.doesNotMatch(headline, / points/);
      }),
      { numRuns: deep(1000, 150) },
    );
  });
});

interface Doubt {
  /** Makes the row fire the code. */
  readonly doubted: fc.Arbitrary<Change>;
  /** The row without what the code doubts. */
  readonly without: Change;
}

const text = (values: fc.Arbitrary<number>) => values.map((value) => known(String(value)));
const noRent = { rent: absent('insufficient_inputs') };

const doubts: Readonly<Record<BlockingFlag, Doubt>> = {
  cap_implausible: {
    doubted: text(fc.integer({ min: 900, max: 10_000 }).map((hundredths) => hundredths / 100)).map((capRate) => ({
      capRate,
    })),
    without: { capRate: unstated },
  },
  price_placeholder: {
    doubted: text(fc.constantFrom(0, 1, 9999, 1_111_111, 1_234_567, 9_999_999, 999_999_999)).map((listPrice) => ({
      listPrice,
    })),
    without: { listPrice: unstated },
  },
  units_type_disagree: {
    doubted: fc
      .constantFrom(1, 3, 6, 40)
      .map((units) => ({ units: known(units), propertyType: known('duplex' as const) })),
    without: { units: unstated, propertyType: known('duplex') },
  },
  units_suspect: {
    doubted: fc.integer({ min: 200, max: 900 }).map((units) => ({ units: known(units), listPrice: known('389000') })),
    without: { units: unstated, listPrice: known('389000') },
  },
  zip_state_disagree: {
    doubted: fc.constant({ zip: known('90210') }),
    without: { zip: unstated, ...noRent },
  },
  zip_county_disagree: {
    doubted: fc.constant({ isZipElsewhere: true }),
    without: { isZipElsewhere: false, zip: unstated, county: unstated, ...noRent },
  },
  stated_noi_unreadable: {
    doubted: fc.constant({ noi: absent('parse_failed') }),
    without: { noi: unstated },
  },
};

describe('a doubted value', () => {
  for (const [flag, { doubted, without }] of Object.entries(doubts)) {
    it(`raises no score, status, value or offer above those of the row without it: ${flag}`, () => {
      fc.assert(
        fc.property(anyScoreInputs, doubted, (inputs, change) => {
          const doubtful = alter(inputs, change);
          fc.pre(doubtful.underwriting.dataQuality.some((code) => code === flag));
          const undoubted = alter(inputs, { ...change, ...without });
          const [own, other] = [scoreListing(doubtful), scoreListing(undoubted)];
          assertNoRosier(doubtful, undoubted);
          assert.ok(own.dealScore <= other.dealScore, `${own.dealScore} > ${other.dealScore}`);
          assert.ok(Number(own.confidenceScore) <= Number(other.confidenceScore), 'confidence');
          for (const path of ['rental', 'wholesale', 'creative'] as const) {
            const [one, two] = [own.rationales[path], other.rationales[path]];
            assert.ok(rank[one.status] <= rank[two.status], `${path}: ${one.status} > ${two.status}`);
            assert.notEqual(one.status, 'Hot');
          }
          assertReplay(own);
        }),
        { numRuns: deep(1000, 150) },
      );
    });
  }
});

const rank = { Pass: 0, Warm: 1, Hot: 2 };

/** Income for value, value after repairs and the highest offer: at most the others, and absent where those are. */
function assertNoRosier(one: ScoreInputs, other: ScoreInputs): void {
  const worth = ({ listing, underwriting }: ScoreInputs) => {
    const offer = valueOf(suggestOffer(underwriting, listing.listPrice, 0, assumptionSet));
    return [valueOf(underwriting.noiForValue), valueOf(underwriting.noiForArv), offer?.walkAwayPrice];
  };
  const most = worth(other);
  worth(one).forEach((amount, index) => {
    if (amount !== undefined) assert.ok(Number(amount) <= Number(most[index]), `${amount} > ${most[index]}`);
  });
}

/** The same row with other values, underwritten again. */
function alter(
  { listing, underwriting, ...others }: ScoreInputs,
  { rent = underwriting.rent, isZipElsewhere = false, ...values }: Change,
) {
  return buildScoreInputs({ ...listing, ...values }, { ...others, rent, isZipElsewhere });
}

function assertReplay({ rationales: { rental, wholesale, creative } }: Score): void {
  assert.equal(replayRentalStatus(rental), rental.status);
  assert.equal(replayWholesaleStatus(wholesale), wholesale.status);
  assert.equal(replayCreativeStatus(creative), creative.status);
}
