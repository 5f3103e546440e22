import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { Deal } from '../../generated/types.gen.js';
import type { App } from '../../src/app.js';
import { absent, isKnown, known, valueOf, type Maybe } from '../../src/absence.js';
import { saleStatuses } from '../../src/counties/auctions/auction.js';
import type { PropertyType } from '../../src/listings/listing.js';
import type { Licence } from '../../src/sources/source.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observe } from '../listings/observation.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { clock } from '../sources/ingest/scripted-source.js';
import { readCountyRecords } from '../support/county-records.js';
import { readSource } from '../support/read-source.js';

const count = 240;
/** The number of generated records of each feed. */
export const generatedCounts = { deals: count, signals: 2 * count, auctions: count };
/** By so many USD every third price was cut. */
export const generatedCut = '25000';
const dayMs = 86_400_000;

/** Names that differ in case, script or Unicode form, or that a careless query would treat as code. */
export const cities: readonly string[] = [
  'Cleveland',
  'CLEVELAND HEIGHTS',
  "Coeur d'Alene",
  'St. Louis',
  'saint louis',
  'Łódź',
  'São Paulo',
  'Sa\u0303o Paulo',
  'ÇANAKKALE',
  'ＫＡＮＳＡＳ　ＣＩＴＹ',
  '東京',
  '100%',
  '_nder%core',
  'back\\slash',
  'quo"te',
  "Robert'); DROP TABLE deals;--",
  '$1',
  ':city',
  '?',
  'null',
  '1=1',
];

const licence: Licence = { class: 'demonstration', mayStore: true, mayResell: true, attribution: 'Fictional brokers' };

const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<Maybe<T>> =>
  fc.oneof({ weight: 5, arbitrary: values.map(known) }, { weight: 1, arbitrary: fc.constant(absent('parse_failed')) });
const dollars = (...values: string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const bounds = ['4999.99', '5000', '5000.01', '0.01', '123456.78', '999999999999.99'];

const listings = fc.record({
  city: fc.constantFrom(...cities),
  state: fc.constantFrom('OH', 'MO', 'TX', 'ID'),
  listPrice: maybe(dollars('250000', '249999.99', '250000.01', '74999', '1200000')),
  units: maybe(fc.constantFrom(1, 2, 4, 5, 60)),
  capRate: maybe(dollars('8.49', '8.5', '8.51', '0', '12', '-1.25')),
  yearBuilt: maybe(fc.constantFrom(1925, 1926, 1927, 1990)),
  zip: maybe(fc.constantFrom('44105', '63101', '99999')),
  isMistyped: fc.constantFrom(false, false, false, true),
});
const typeOf: Readonly<Record<number, PropertyType>> = { 1: 'mixed_use', 2: 'duplex', 4: 'fourplex' };
const signals = fc.record({
  place: fc.constantFrom(['39035', 'OH'], ['17031', 'IL'], ['48113', 'TX'], ['29510', 'MO'], ['01001', 'AL']),
  amount: dollars(...bounds),
  address: maybe(fc.constant('100 Example Ave')),
});
const auctions = fc.record({
  place: fc.constantFrom(['39035', 'OH'], ['17031', 'IL'], ['48113', 'TX']),
  days: fc.integer({ min: -3, max: 3 }),
  appraisedValue: maybe(dollars(...bounds)),
  saleStatus: fc.constantFrom(...saleStatuses),
});

/** The ZIP of the generated listings with a known county, used for county records with no other ZIP. */
const zipOfKnownCounty = '44105';
const parcelOf = (index: number): string => `600-${index}`;

/** County and parcel of a generated deal, which its record does not show; undefined when its county is unknown. */
export function parcelOfDeal({ address, zip }: Pick<Deal, 'address' | 'zip'>): string | undefined {
  return zip === zipOfKnownCounty ? `Cuyahoga County, OH ${parcelOf(parseInt(address ?? '') - 1)}` : undefined;
}

/** Has an app read and publish some hundred records of each feed, with values around the same bounds. */
export async function publishGenerated(app: App): Promise<void> {
  const source = createScriptedDelivery('listings', { name: 'brokers', licence });
  const drawn = fc.sample(listings, { numRuns: count }).map(({ isMistyped, ...each }, index) =>
    observe({
      ...each,
      sourceKey: `l${index}`,
      address: known(`${index + 1} Main St`),
      parcelId: known(parcelOf(index)),
      propertyType: known(typeOf[isMistyped ? 3 : (valueOf(each.units) ?? 4)] ?? 'multifamily_5_plus'),
    }),
  );
  const { now } = app;
  const before = new Date(now().getTime() - 3 * dayMs);
  clock.now = before;
  const firstSeen = drawn.flatMap((each, index) =>
    index % 3 === 0 ? [] : [{ ...each, listPrice: index % 3 === 1 ? raise(each.listPrice) : each.listPrice }],
  );
  source.deliver({ pages: [firstSeen] });
  await readSource({ ...app, now: () => before }, source);
  clock.now = now();
  source.deliver({ pages: [drawn] });
  await readSource(app, source);
  await readCountyRecords(app, {
    signals: [
      ...fc
        .sample(signals, { numRuns: count })
        .map(({ place: [countyFips = '', state = ''], ...each }, index) =>
          observeSignal({ ...each, countyFips, state, sourceKey: `s${index}`, parcelId: `500-${index}` }),
        ),
      ...drawn.map((_, index) => observeByParcel(index)),
    ],
    auctions: fc
      .sample(auctions, { numRuns: count })
      .map(({ place: [countyFips = '', state = ''], days, ...each }, index) =>
        observeAuction({
          ...each,
          countyFips,
          state,
          saleDate: new Date(now().getTime() + days * dayMs).toISOString().slice(0, 10),
          sourceKey: `a${index}`,
          caseNumber: known(`CV-${index}`),
        }),
      ),
  });
  await app.pipeline.publish('all');
}

function raise(price: Maybe<string>): Maybe<string> {
  return isKnown(price) ? known(new Decimal(price.value).plus(generatedCut).toFixed(2)) : price;
}

/** A debt on the parcel of a listing, if that is in the county. It has no street. */
function observeByParcel(index: number) {
  const nowhere = absent('pending_parcel_lookup');
  const place = { address: nowhere, city: nowhere, zip: nowhere };
  return observeSignal({ ...place, sourceKey: `p${index}`, parcelId: parcelOf(index) });
}
