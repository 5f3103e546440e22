import fc from 'fast-check';
import type { Maybe } from '../../src/absence.js';
import { type ObservedAuction, saleStatuses } from '../../src/auctions/auction.js';
import type { ObservedSignal } from '../../src/signals/signal.js';
import { observeAuction } from '../auctions/observed-auction.js';
import { observeSignal } from '../signals/observed-signal.js';

/** Makes of any value one that may be missing. */
export type AnyMaybe = <T>(value: fc.Arbitrary<T>) => fc.Arbitrary<Maybe<T>>;

const text = fc
  .string({ minLength: 1, maxLength: 20 })
  .filter((each) => each.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(each));
const street = fc.oneof(text, fc.constantFrom('100 Example Ave', '0 Example Ave', 'Justice Center', 'PO Box 1'));
const money = fc
  .bigInt({ min: 1n, max: 10n ** 12n })
  .map((cents) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`);
const dayText = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** What a source may say of a delinquency. */
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

/** What a source may say of a sale. */
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
    statusHistory: fc.array(fc.record({ status: fc.constantFrom(...saleStatuses), date: maybe(dayText), text }), {
      maxLength: 3,
    }),
  });

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
