import fc from 'fast-check';
import { absent, isKnown, known, type Maybe } from '../../../src/absence.js';
import { listingTerms, propertyConditions, type Listing } from '../../../src/listings/listing.js';
import type { ScoreInputs } from '../../../src/deals/scoring/score.js';
import { buildRent } from '../../underwriting/build-listing.js';
import { buildScoreInputs } from './build-score-inputs.js';

/** A value in `percent` of a hundred cases, else any of the reasons for the absence of a source's value. */
function maybe<T>(values: fc.Arbitrary<T>, knownPct = 75): fc.Arbitrary<Maybe<T>> {
  const reasons = fc.constantFrom(
    'not_stated_by_source',
    'not_published_by_source',
    'parse_failed',
    'suppressed_by_policy',
    'stale_source',
  );
  return fc.oneof(
    { weight: knownPct, arbitrary: values.map(known) },
    { weight: 100 - knownPct, arbitrary: reasons.map(absent) },
  );
}

const money = fc.integer({ min: 0, max: 300_000_000 }).map((cents) => (cents / 100).toFixed(2));
/** Percent with three digits. */
export const percent = fc.integer({ min: 0, max: 16_000 }).map((thousandths) => (thousandths / 1000).toFixed(3));
/** An advertised cap rate, mostly near the thresholds of rules. */
const capRate = fc.oneof(
  percent,
  fc.integer({ min: 6000, max: 11_000 }).map((thousandths) => (thousandths / 1000).toFixed(3)),
);
/** A possible moment of observation. */
export const instant = fc.date({ min: new Date('2026-06-01'), max: new Date('2026-11-21'), noInvalidDate: true });
const share = fc.integer({ min: 85, max: 100 }).map((hundredths) => (hundredths / 100).toFixed(2));
const match = fc.record({ confidence: share, sourceUrl: fc.constant('https://county.example/1'), observedAt: instant });

const stated: fc.Arbitrary<Partial<Listing>> = fc.record({
  listPrice: maybe(money, 95),
  units: maybe(fc.integer({ min: 0, max: 60 }), 95),
  capRate: maybe(capRate, 50),
  noi: maybe(fc.integer({ min: -5000, max: 200_000 }).map(String), 25),
  operatingExpenses: maybe(money),
  taxes: maybe(money),
  utilitiesPaidBy: maybe(fc.constantFrom('owner', 'tenant'), 50),
  vacancyPct: maybe(percent, 50),
  assessedValue: maybe(money, 30),
  yearBuilt: maybe(fc.integer({ min: 1850, max: 2026 })),
  condition: maybe(fc.constantFrom(...propertyConditions), 50),
  saleCondition: fc.constantFrom('standard', 'standard', 'standard', 'standard', 'auction', 'estate', 'bank_owned'),
  terms: fc.subarray([...listingTerms], { maxLength: 2 }),
  remarks: maybe(fc.constantFrom('Must sell, as is', 'Owner financing', 'Gut rehab', 'Turnkey', ''), 50),
  loanBalance: maybe(money),
  loanRatePct: maybe(percent),
  zip: maybe(fc.oneof({ weight: 9, arbitrary: fc.constant('44105') }, fc.constantFrom('46218', '99999'))),
  countyFips: maybe(fc.constantFrom('39035', '18097')),
  state: fc.oneof({ weight: 9, arbitrary: fc.constant('OH') }, fc.constantFrom('TX', 'IL')),
  addressParsed: fc.boolean(),
  relisted: fc.nat(7).map((draw) => draw === 0),
  firstSeenAt: instant,
  lastSeenAt: instant,
  prices: fc.array(fc.record({ observedAt: instant, price: money }), { maxLength: 3 }),
});

const rents = fc
  .tuple(fc.integer({ min: 300, max: 3000 }), fc.constantFrom('safmr_zip', 'fmr_county'), fc.constantFrom(2025, 2027))
  .map(([rent, basis, fiscalYear]) => buildRent(String(rent), { basis, fiscalYear, stale: fiscalYear < 2027 }));

/** Ratios of price to HUD rent and of loan to price: most deals lie near the thresholds, the others anywhere. */
const proportions = fc.record({
  // Around 4 or 5 a wholesaler may buy, around 7 a seller may carry; from 14 the HUD rent is not meaningful.
  tenthsOfAnnualRent: fc.oneof(
    fc.integer({ min: 20, max: 180 }),
    fc.integer({ min: 25, max: 45 }),
    fc.integer({ min: 40, max: 55 }),
    fc.integer({ min: 67, max: 73 }),
  ),
  owedPct: fc.integer({ min: 0, max: 110 }),
});

/** Without a claim, which else bounds the value. */
const unclaimed: Partial<Listing> = { capRate: absent('not_stated_by_source'), noi: absent('not_stated_by_source') };
/** Nor a motivation of the listing itself. */
const quiet: Partial<Listing> = {
  ...unclaimed,
  assessedValue: absent('not_stated_by_source'),
  remarks: absent('not_stated_by_source'),
  condition: known('good'),
  saleCondition: 'standard',
  relisted: false,
  prices: [],
  firstSeenAt: new Date('2026-11-21'),
};

/** Score inputs with any combination of values and absences, underwritten as the service would. */
export const anyScoreInputs: fc.Arbitrary<ScoreInputs> = fc
  .record({
    listing: stated,
    proportions: fc.option(proportions, { freq: 8, nil: undefined }),
    rent: fc.oneof(
      { weight: 20, arbitrary: rents },
      { weight: 1, arbitrary: fc.constantFrom(absent('no_hud_rent'), absent('insufficient_inputs')) },
    ),
    metroMedianCapPct: maybe(capRate),
    distress: fc.record({
      taxDelinquency: maybe(
        fc.tuple(match, money).map(([one, amount]) => ({ ...one, amount })),
        25,
      ),
      sheriffSale: maybe(match, 25),
    }),
    told: fc.constantFrom({}, {}, {}, {}, {}, {}, unclaimed, unclaimed, unclaimed, quiet),
    asOf: fc.constantFrom('2026-06-01', '2026-06-01', '2026-06-01', '2025-11-26'),
    now: instant,
  })
  .map(({ listing: any, proportions: chosen, told, asOf, ...others }) => {
    const listing = { ...any, ...told };
    const whole = chosen === undefined ? listing : proportion(listing, others.rent, chosen);
    const { underwriting, ...inputs } = buildScoreInputs(whole, others);
    return { ...inputs, underwriting: { ...underwriting, rates: { ...underwriting.rates, asOf } } };
  });

/** The same listing with price and loan in these ratios, if each is stated and the rent is known. */
function proportion(
  listing: Partial<Listing>,
  rent: ReturnType<typeof buildRent>,
  { tenthsOfAnnualRent, owedPct }: { readonly tenthsOfAnnualRent: number; readonly owedPct: number },
): Partial<Listing> {
  const { units, listPrice, loanBalance } = listing;
  if (!units || !isKnown(units) || !listPrice || !isKnown(listPrice) || !isKnown(rent)) return listing;
  const cents = units.value * Number(rent.value.rent2br) * 12 * tenthsOfAnnualRent * 10;
  const owed = known(((cents * owedPct) / 10_000).toFixed(2));
  return {
    ...listing,
    listPrice: known((cents / 100).toFixed(2)),
    ...(loanBalance && isKnown(loanBalance) ? { loanBalance: owed } : {}),
  };
}
