import type { Maybe } from '../absence.js';
import type { ObservedAuction } from '../counties/auctions/auction.js';
import type { ObservedListing } from '../listings/listing.js';
import type { ObservedSignal } from '../counties/signals/signal.js';
import { type OptionalFields, optionalListingFields } from './formats/listing-fields.js';
import type { DeliveryKind } from './source.js';

/**
 * Each field of a record: true for one that the record can do without, so that a licence may keep it from being shown.
 */
type Fields<R> = { readonly [F in keyof R]: R[F] extends Maybe<unknown> ? true : false };

const ofListing: Fields<ObservedListing> = {
  sourceKey: false,
  marketplace: false,
  city: false,
  state: false,
  saleCondition: false,
  terms: false,
  ...(Object.fromEntries(optionalListingFields.map((field) => [field, true])) as Fields<OptionalFields>),
};

const ofSignal: Fields<ObservedSignal> = {
  sourceKey: false,
  signalType: false,
  countyFips: false,
  state: false,
  address: true,
  city: true,
  zip: true,
  ownerName: false,
  parcelId: false,
  amount: false,
  sourceUrl: false,
  yearsOwed: true,
  taxSaleDate: true,
  assessedValue: true,
  sourcePublishedAt: true,
  listYear: true,
};

const ofAuction: Fields<ObservedAuction> = {
  sourceKey: false,
  auctionType: false,
  countyFips: false,
  state: false,
  saleDate: false,
  address: true,
  city: true,
  zip: true,
  parcelId: true,
  appraisedValue: true,
  openingBid: true,
  judgmentAmount: true,
  depositRequirement: true,
  plaintiff: true,
  defendant: true,
  attorney: true,
  caseNumber: true,
  caseStatus: true,
  saleStatus: false,
  statusHistory: false,
  sourceUrl: false,
};

/** Parcel rolls and rents have no records of their own to be shown: they are used whole, or not at all. */
const fieldsOf: { readonly [K in DeliveryKind]: Readonly<Record<string, boolean>> } = {
  listings: ofListing,
  signals: ofSignal,
  auctions: ofAuction,
  parcels: {},
  rents: {},
};

/**
 * The fields that a licence may name as those to be shown, by what its source delivers. What a record cannot be sold
 * without (a deal's city, a signal's owner and amount) is shown whether it is named or not. Empty where a licence
 * cannot name any.
 */
export function displayFieldsOf(delivers: DeliveryKind): readonly string[] {
  return Object.keys(fieldsOf[delivers]);
}

/** The fields that must not be shown where a licence names those that may; none where it names none. */
export function undisplayedFields(delivers: DeliveryKind, displayFields: readonly string[] | undefined): string[] {
  if (displayFields === undefined) return [];
  return Object.entries(fieldsOf[delivers]).flatMap(([field, isOptional]) =>
    isOptional && !displayFields.includes(field) ? field : [],
  );
}
