import fc from 'fast-check';
import { absent, isKnown, known, type Maybe } from '../../../src/absence.js';
import { type ObservedAuction, saleStatuses } from '../../../src/counties/auctions/auction.js';
import {
  listingTerms,
  type ObservedListing,
  propertyConditions,
  propertyTypes,
  saleConditions,
  utilityPayers,
} from '../../../src/listings/listing.js';
import type { ObservedSignal } from '../../../src/counties/signals/signal.js';
import { observeAuction } from '../../counties/auctions/observed-auction.js';
import { observe } from '../../listings/observation.js';
import { observeSignal } from '../../counties/signals/observed-signal.js';

/** Makes any value optional. */
export type AnyMaybe = <T>(value: fc.Arbitrary<T>) => fc.Arbitrary<Maybe<T>>;

const text = fc
  .string({ minLength: 1, maxLength: 20 })
  .filter((each) => each.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(each));
const street = fc.oneof(
  text,
  fc.constantFrom('0 Example Ave', 'Justice Center', 'PO Box 1'),
  fc.constant('100 Example Ave'),
);
const money = fc
  .bigInt({ min: 1n, max: 10n ** 12n })
  .map((cents) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`);
const dayText = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const statusDay = fc.oneof(
  dayText.map(known),
  fc.constantFrom(absent('not_stated_by_source'), absent('not_published_by_source'), absent('parse_failed')),
);

/** A source's possible data on a delinquency. */
export const anySignal = (maybe: AnyMaybe): fc.Arbitrary<Partial<ObservedSignal>> =>
  fc.record({
    address: maybe(street),
    city: maybe(text),
    zip: maybe(fc.constantFrom('44105', '44109')),
    ownerName: text,
    amount: money,
    yearsOwed: maybe(fc.nat(200)),
    taxSaleDate: maybe(dayText),
    assessedValue: maybe(money),
    sourcePublishedAt: maybe(dayText.map((day) => new Date(day))),
    listYear: maybe(fc.integer({ min: 1990, max: 2030 })),
  });

/** A source's possible data on a sale. */
export const anyAuction = (maybe: AnyMaybe): fc.Arbitrary<Partial<ObservedAuction>> =>
  fc.record({
    saleDate: dayText,
    saleStatus: fc.constantFrom(...saleStatuses),
    address: maybe(street),
    city: maybe(text),
    zip: maybe(fc.constant('44105')),
    parcelId: maybe(text),
    appraisedValue: maybe(money),
    openingBid: maybe(money),
    judgmentAmount: maybe(money),
    depositRequirement: maybe(money),
    plaintiff: maybe(text),
    defendant: maybe(text),
    attorney: maybe(text),
    caseStatus: maybe(text),
    statusHistory: fc.array(fc.record({ status: fc.constantFrom(...saleStatuses), date: statusDay, text }), {
      maxLength: 3,
    }),
  });

const price = money.filter((each) => !each.startsWith('0.'));
const percent = fc.integer({ min: 0, max: 100_000 }).map((thousandths) => String(thousandths / 1000));

/** A source's possible data on a listing. */
export const anyListing = (maybe: AnyMaybe): fc.Arbitrary<Partial<ObservedListing>> =>
  fc.record({
    address: maybe(fc.constantFrom('# Example Ave', '# 1/2 Łódź St', 'Lot #', 'PO Box #')),
    zip: maybe(fc.constantFrom('44105', '63101', '99999')),
    county: maybe(fc.constantFrom('Cuyahoga', 'Cook', 'Nowhere')),
    parcelId: maybe(text),
    listingUrl: maybe(fc.constantFrom('https://example.com/listings/1', 'http://example.com/?q=%C5%81')),
    listPrice: maybe(price),
    units: maybe(fc.integer({ min: 1, max: 100_000 })),
    capRate: maybe(fc.integer({ min: 1000, max: 100_000 }).map((thousandths) => String(thousandths / 1000))),
    noi: maybe(
      fc.oneof(
        money,
        fc.integer({ min: -1_000_000_000, max: 0 }).map((dollars) => `${dollars}.00`),
      ),
    ),
    operatingExpenses: maybe(money),
    taxes: maybe(money),
    utilitiesPaidBy: maybe(fc.constantFrom(...utilityPayers)),
    vacancyPct: maybe(percent),
    assessedValue: maybe(money),
    propertyType: maybe(fc.constantFrom(...propertyTypes)),
    yearBuilt: maybe(fc.integer({ min: 1700, max: 2100 })),
    condition: maybe(fc.constantFrom(...propertyConditions)),
    saleCondition: fc.constantFrom(...saleConditions),
    terms: fc.subarray([...listingTerms]),
    remarks: maybe(text),
    loanBalance: maybe(money),
    loanRatePct: maybe(percent),
  });

/** Listings of different properties, in towns named by number. */
export function numberListings(listings: readonly Partial<ObservedListing>[]): ObservedListing[] {
  return listings.map(({ address = absent('not_stated_by_source'), ...each }, index) =>
    observe({
      ...each,
      sourceKey: `l${index}`,
      address: isKnown(address) ? known(address.value.replace('#', String(index + 1))) : address,
      city: `Town ${index}`,
    }),
  );
}

/** Delinquencies of different parcels: P-1, P-2, ... */
export function numberSignals(signals: readonly Partial<ObservedSignal>[]): ObservedSignal[] {
  return signals.map((each, index) => observeSignal({ ...each, sourceKey: `s${index}`, parcelId: `P-${index + 1}` }));
}

/** Sales of different cases: CV-0, CV-1, ... */
export function numberAuctions(auctions: readonly Partial<ObservedAuction>[]): ObservedAuction[] {
  return auctions.map((each, index) =>
    observeAuction({ ...each, sourceKey: `a${index}`, caseNumber: { value: `CV-${index}` } }),
  );
}
