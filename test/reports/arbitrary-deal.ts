import fc from 'fast-check';
import { absent, isKnown, known, type Maybe, valueOf } from '../../src/absence.js';
import type { Deal } from '../../src/deals/deal.js';
import type { Listing, UnitKind } from '../../src/listings/listing.js';
import { noMatches } from '../../src/matches/property-matches.js';
import { placeOf } from '../../src/matches/property-place.js';
import { scoreListing } from '../../src/scoring/score-listing.js';
import type { DistressMatches, ScoreInputs } from '../../src/scoring/score.js';
import { buildScoreInputs, noDistress } from '../scoring/build-score-inputs.js';
import { buildRent } from '../underwriting/build-listing.js';

/** A deal as the service would compose it. */
export function composeDeal(inputs: ScoreInputs): Deal {
  const { listing, underwriting, distress, now } = inputs;
  const licence = { class: 'licensed', mayStore: true, mayResell: true, attribution: 'By the exchange' } as const;
  const score = scoreListing(inputs);
  const matches = noMatches;
  const place = placeOf(listing);
  return { id: listing.id, listing, place, underwriting, matches, distress, score, scoredAt: now, licence };
}

/** A value, or any of the reasons for which a source's value is absent. */
function maybe<T>(values: fc.Arbitrary<T>): fc.Arbitrary<Maybe<T>> {
  const reasons = fc.constantFrom('not_stated_by_source', 'not_published_by_source', 'parse_failed');
  return fc.oneof({ weight: 3, arbitrary: values.map(known) }, { weight: 1, arbitrary: reasons.map(absent) });
}

const money = fc.integer({ min: 100, max: 500_000_000 }).map((cents) => (cents / 100).toFixed(2));
const expense = fc
  .integer({ min: 1000, max: 5_000_000 })
  .map((cents) => ({ name: 'taxes', amount: (cents / 100).toFixed(2) }));
const percent = fc.integer({ min: 0, max: 16_000 }).map((thousandths) => (thousandths / 1000).toFixed(3));
const instant = fc.date({ min: new Date('2026-06-01'), max: new Date('2026-11-21'), noInvalidDate: true });
const share = fc.integer({ min: 85, max: 100 }).map((hundredths) => (hundredths / 100).toFixed(2));
const match = fc.record({ confidence: share, sourceUrl: fc.constant('https://county.example/1'), observedAt: instant });

const stated: fc.Arbitrary<Partial<Listing>> = fc.record({
  address: maybe(fc.constant('3456 E 71st St')),
  zip: maybe(fc.constantFrom('44105', '46218')),
  listingUrl: maybe(fc.constant('https://example.com/listings/1')),
  listPrice: maybe(money),
  units: maybe(fc.integer({ min: 1, max: 60 })),
  capRate: maybe(percent),
  noi: maybe(fc.integer({ min: -5000, max: 400_000 }).map(String)),
  operatingExpenses: maybe(money),
  vacancyPct: maybe(percent),
  yearBuilt: maybe(fc.integer({ min: 1850, max: 2026 })),
  saleCondition: fc.constantFrom('standard', 'auction', 'estate'),
  terms: fc.subarray(['cash', 'cash_only', 'owner_will_carry'] as const),
  expenseItems: maybe(fc.array(expense, { minLength: 1, maxLength: 3 })),
  countyFips: fc.oneof(maybeCounty(), fc.constant(known('39035'))),
  firstSeenAt: instant,
  lastSeenAt: instant,
  prices: fc.array(fc.record({ observedAt: instant, price: money }), { maxLength: 4 }),
});

function maybeCounty(): fc.Arbitrary<Maybe<string>> {
  return fc.constantFrom(known('18097'), known('99999'), absent('not_collected'), absent('insufficient_inputs'));
}

const kinds = fc.record({
  bedrooms: fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1, maxLength: 3 }),
  strays: fc.constantFrom(0, 0, 0, 1),
});

/** A mix of so many units, or of one more. */
function mixOf(
  units: number,
  { bedrooms, strays }: { readonly bedrooms: readonly number[]; readonly strays: number },
): UnitKind[] {
  const [first = 2, ...others] = bedrooms.slice(0, units);
  const mix = [{ bedrooms: first, units: units - others.length + strays }];
  return [...mix, ...others.map((count) => ({ bedrooms: count, units: 1 }))];
}

const rents = fc.oneof(
  fc
    .tuple(fc.integer({ min: 300, max: 3000 }), fc.constantFrom('safmr_zip', 'fmr_county'), fc.constantFrom(2025, 2027))
    .map(([rent, basis, fiscalYear]) => {
      const byBedrooms = [rent - 200, rent - 100, rent, rent + 300, rent + 400].map(String);
      return buildRent(String(rent), { byBedrooms, basis, fiscalYear, stale: fiscalYear < 2027 });
    }),
  fc.constantFrom(absent('no_hud_rent'), absent('insufficient_inputs')),
);

const distresses: fc.Arbitrary<DistressMatches> = fc.oneof(
  fc.constant(noDistress),
  fc.record({
    taxDelinquency: fc.tuple(match, money).map(([one, amount]) => known({ ...one, amount })),
    sheriffSale: fc.oneof(match.map(known), fc.constant(absent('below_match_threshold'))),
  }),
);

/** Deals with any combination of values and absences. */
export const anyDeal: fc.Arbitrary<Deal> = fc
  .record({ listing: stated, mix: maybe(kinds), rent: rents, distress: distresses, now: instant })
  .map(({ listing, mix, ...others }) => {
    const units = listing.units && valueOf(listing.units);
    const unitMix = isKnown(mix) ? known(mixOf(units ?? 4, mix.value)) : mix;
    return composeDeal(buildScoreInputs({ ...listing, unitMix }, others));
  });
