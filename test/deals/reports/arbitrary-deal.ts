import fc from 'fast-check';
import { absent, isKnown, known, type Maybe, valueOf } from '../../../src/absence.js';
import type { Deal } from '../../../src/deals/deal.js';
import { distressOf } from '../../../src/deals/distress-of.js';
import type { Listing, ObservedPrice, UnitKind } from '../../../src/listings/listing.js';
import { noMatches, type PropertyMatches } from '../../../src/counties/matches/match-county-records.js';
import { assumptionSet } from '../../../src/underwriting/assumption-set.js';
import { underwritingInputs } from '../../../src/underwriting/underwriting-inputs.js';
import { placeOf } from '../../../src/counties/matches/property-place.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import type { ScoreInputs } from '../../../src/deals/scoring/score.js';
import { buildScoreInputs } from '../scoring/build-score-inputs.js';
import { anyMatches, maybeStated } from './arbitrary-matches.js';
import { buildRent } from '../../underwriting/build-listing.js';
import { instant, percent } from '../scoring/arbitrary-score-inputs.js';

/** A deal as the service would compose it. */
export function composeDeal(inputs: ScoreInputs, matches: PropertyMatches = noMatches): Deal {
  const { listing, underwriting, distress, now } = inputs;
  const licence = { class: 'licensed', mayStore: true, mayResell: true, attribution: 'By the exchange' } as const;
  const score = scoreListing(inputs);
  const place = placeOf(listing);
  const given = underwritingInputs(listing, underwriting);
  return {
    id: listing.id,
    listing,
    place,
    inputs: given,
    underwriting,
    matches,
    distress,
    score,
    scoredAt: now,
    licence,
  };
}

/** As sources state it, with more digits than are published. */
const money = fc.integer({ min: 1000, max: 2_000_000_000 }).map((mills) => (mills / 1000).toFixed(3));
const expense = fc
  .integer({ min: 1000, max: 5_000_000 })
  .map((cents) => ({ name: 'taxes', amount: (cents / 100).toFixed(2) }));

const stated: fc.Arbitrary<Partial<Listing>> = fc.record({
  address: maybeStated(fc.constant('3456 E 71st St')),
  zip: maybeStated(fc.constantFrom('44105', '46218')),
  listingUrl: maybeStated(fc.constant('https://example.com/listings/1')),
  listPrice: maybeStated(money),
  units: maybeStated(fc.integer({ min: 1, max: 60 })),
  capRate: maybeStated(percent),
  noi: maybeStated(fc.integer({ min: -5000, max: 400_000 }).map(String)),
  operatingExpenses: maybeStated(money),
  utilitiesPaidBy: maybeStated(fc.constantFrom('owner', 'tenant')),
  vacancyPct: maybeStated(percent),
  yearBuilt: maybeStated(fc.integer({ min: 1850, max: 2026 })),
  saleCondition: fc.constantFrom('standard', 'auction', 'estate'),
  terms: fc.subarray(['cash', 'cash_only', 'owner_will_carry'] as const),
  expenseItems: maybeStated(fc.array(expense, { minLength: 1, maxLength: 3 })),
  county: maybeStated(fc.constantFrom('Cuyahoga', 'Marion')),
  countyFips: fc.oneof(maybeCounty(), fc.constant(known('39035'))),
  firstSeenAt: instant,
  lastSeenAt: instant,
  prices: fc.array(fc.record({ observedAt: instant, price: money }), { maxLength: 4 }).map(byTime),
});

function byTime(prices: readonly ObservedPrice[]): ObservedPrice[] {
  return [...prices].sort((one, other) => one.observedAt.getTime() - other.observedAt.getTime());
}

function maybeCounty(): fc.Arbitrary<Maybe<string>> {
  return fc.constantFrom(known('18097'), known('99999'), absent('not_collected'), absent('insufficient_inputs'));
}

const kinds = fc.record({
  bedrooms: fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1, maxLength: 3 }),
  strays: fc.constantFrom(0, 0, 0, 1),
});

/** A mix of `units` units, or of one more. */
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

/** Deals with any combination of values and absences, and any county records. */
export const anyDeal: fc.Arbitrary<Deal> = fc
  .record({ listing: stated, mix: maybeStated(kinds), rent: rents, matches: anyMatches, now: instant })
  .map(({ listing, mix, rent, matches, now }) => {
    const units = listing.units && valueOf(listing.units);
    const unitMix = isKnown(mix) ? known(mixOf(units ?? 4, mix.value)) : mix;
    const distress = distressOf(matches, now);
    const { prices, address } = listing;
    const addressParsed = address !== undefined && isKnown(address);
    const priceHistory = prices?.length ? [{ sourceName: 'drop-1', offers: [prices.slice(0, 1), prices] }] : [];
    return composeDeal(
      buildScoreInputs(
        { ...listing, addressParsed, unitMix, priceHistory },
        { rent, now, distress, assumptions: assumptionSet },
      ),
      matches,
    );
  });
