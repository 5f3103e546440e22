import type { Maybe } from '../absence.js';
import type { ObservedAuction } from '../auctions/auction.js';
import type { ObservedListing } from '../listings/listing.js';
import type { ObservedSignal } from '../signals/signal.js';
import type { DeliveryKind } from './source.js';

/** The fields of a record that may be absent. */
type FactOf<R> = { [F in keyof R]: R[F] extends Maybe<unknown> ? F : never }[keyof R];

/**
 * What a licence may keep from being shown, by what its source delivers: each field that a record can do without. What
 * a record cannot be sold without (a deal's city, a signal's owner and amount) is not among them.
 */
export const displayableFields = {
  listings: [
    'address',
    'zip',
    'county',
    'parcelId',
    'listingUrl',
    'listPrice',
    'units',
    'unitMix',
    'capRate',
    'noi',
    'operatingExpenses',
    'expenseItems',
    'taxes',
    'vacancyPct',
    'assessedValue',
    'propertyType',
    'yearBuilt',
    'condition',
    'loanBalance',
    'loanRatePct',
  ],
  signals: ['address', 'city', 'zip', 'yearsOwed', 'taxSaleDate', 'assessedValue', 'sourcePublishedAt', 'listYear'],
  auctions: [
    'address',
    'city',
    'zip',
    'parcelId',
    'appraisedValue',
    'openingBid',
    'judgmentAmount',
    'depositRequirement',
    'plaintiff',
    'defendant',
    'attorney',
    'caseNumber',
    'caseStatus',
  ],
  parcels: [],
  rents: [],
} as const satisfies {
  readonly listings: readonly FactOf<ObservedListing>[];
  readonly signals: readonly FactOf<ObservedSignal>[];
  readonly auctions: readonly FactOf<ObservedAuction>[];
  readonly parcels: readonly never[];
  readonly rents: readonly never[];
};

/** The fields that must not be shown where a licence names those that may; none where it names none. */
export function withheldFields(delivers: DeliveryKind, displayFields: readonly string[] | undefined): string[] {
  if (displayFields === undefined) return [];
  return displayableFields[delivers].filter((field) => !displayFields.includes(field));
}
