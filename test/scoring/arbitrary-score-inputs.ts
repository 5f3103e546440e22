import fc from 'fast-check';
import { absent, known, type Maybe } from '../../src/absence.js';
import { listingTerms, propertyConditions, type Listing } from '../../src/listings/listing.js';
import type { ScoreInputs } from '../../src/scoring/score.js';
import { buildRent } from '../underwriting/build-listing.js';
import { buildScoreInputs } from './build-score-inputs.js';

/** A value, or any of the reasons a source's value is absent for. */
function maybe<T>(values: fc.Arbitrary<T>): fc.Arbitrary<Maybe<T>> {
  const reasons = fc.constantFrom(
    'not_stated_by_source',
    'not_published_by_source',
    'parse_failed',
    'suppressed_by_policy',
    'stale_source',
  );
  return fc.oneof({ weight: 3, arbitrary: values.map(known) }, { weight: 1, arbitrary: reasons.map(absent) });
}

const money = fc.integer({ min: 0, max: 300_000_000 }).map((cents) => (cents / 100).toFixed(2));
/** Percent with three digits. */
export const percent = fc.integer({ min: 0, max: 16_000 }).map((thousandths) => (thousandths / 1000).toFixed(3));
/** A moment at which something may have been seen. */
export const instant = fc.date({ min: new Date('2026-06-01'), max: new Date('2026-11-21'), noInvalidDate: true });
const share = fc.integer({ min: 85, max: 100 }).map((hundredths) => (hundredths / 100).toFixed(2));
const match = fc.record({ confidence: share, sourceUrl: fc.constant('https://county.example/1'), observedAt: instant });

const stated: fc.Arbitrary<Partial<Listing>> = fc.record({
  listPrice: maybe(money),
  units: maybe(fc.integer({ min: 0, max: 60 })),
  capRate: maybe(percent),
  noi: maybe(fc.integer({ min: -5000, max: 200_000 }).map(String)),
  operatingExpenses: maybe(money),
  taxes: maybe(money),
  vacancyPct: maybe(percent),
  assessedValue: maybe(money),
  yearBuilt: maybe(fc.integer({ min: 1850, max: 2026 })),
  condition: maybe(fc.constantFrom(...propertyConditions)),
  saleCondition: fc.constantFrom('standard', 'auction', 'estate', 'bank_owned'),
  terms: fc.subarray([...listingTerms]),
  remarks: maybe(fc.constantFrom('Must sell, as is', 'Owner financing', 'Gut rehab', 'Turnkey', '')),
  loanBalance: maybe(money),
  loanRatePct: maybe(percent),
  zip: maybe(fc.constantFrom('44105', '46218', '99999')),
  countyFips: maybe(fc.constantFrom('39035', '18097')),
  state: fc.constantFrom('OH', 'TX', 'IL'),
  addressParsed: fc.boolean(),
  relisted: fc.boolean(),
  firstSeenAt: instant,
  lastSeenAt: instant,
  prices: fc.array(fc.record({ observedAt: instant, price: money }), { maxLength: 4 }),
});

/** Score inputs with any combination of values and absences, underwritten as the service would. */
export const anyScoreInputs: fc.Arbitrary<ScoreInputs> = fc
  .record({
    listing: stated,
    rent: fc.oneof(
      fc
        .tuple(
          fc.integer({ min: 300, max: 3000 }),
          fc.constantFrom('safmr_zip', 'fmr_county'),
          fc.constantFrom(2025, 2027),
        )
        .map(([rent, basis, fiscalYear]) => buildRent(String(rent), { basis, fiscalYear, stale: fiscalYear < 2027 })),
      fc.constantFrom(absent('no_hud_rent'), absent('insufficient_inputs')),
    ),
    metroMedianCapPct: maybe(percent),
    distress: fc.record({
      taxDelinquency: maybe(fc.tuple(match, money).map(([one, amount]) => ({ ...one, amount }))),
      sheriffSale: maybe(match),
    }),
    now: instant,
  })
  .map(({ listing, ...others }) => buildScoreInputs(listing, others));
