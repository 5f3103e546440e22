import type { Maybe } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { Point } from '../places/metros/zip-centroids.js';

export const propertyTypes = ['duplex', 'triplex', 'fourplex', 'multifamily_5_plus', 'mixed_use', 'portfolio'] as const;
export type PropertyType = (typeof propertyTypes)[number];

/** Financing terms a listing offers, as its source states them. */
export const listingTerms = [
  'cash',
  'cash_only',
  'conventional',
  'owner_may_carry',
  'owner_will_carry',
  'assumable',
  'lease_option',
  'land_contract',
  'all_inclusive_trust_deed',
] as const;
export type ListingTerm = (typeof listingTerms)[number];

/** How the sale takes place. A cash-only auction has no financed DSCR (`dscr_status: not_applicable`). */
export const saleConditions = ['standard', 'auction', 'estate', 'short_sale', 'bank_owned'] as const;
export type SaleCondition = (typeof saleConditions)[number];

export const propertyConditions = ['good', 'fair', 'poor', 'distressed'] as const;
export type PropertyCondition = (typeof propertyConditions)[number];

export const utilityPayers = ['owner', 'tenant'] as const;
export type UtilityPayer = (typeof utilityPayers)[number];

/** The number of units with a number of bedrooms; 0 is a studio. */
export interface UnitKind {
  readonly bedrooms: number;
  readonly units: number;
}

/** One item of a statement of operating expenses. */
export interface ExpenseItem {
  readonly name: string;
  /** USD a year. */
  readonly amount: DecimalText;
}

/** One listing as a source states it, normalized: units whole, money in USD, rates in percent. */
export interface ObservedListing {
  /** The source's key of the listing; stable between runs. */
  readonly sourceKey: string;
  /** Name of the listing marketplace (the record's `source`). */
  readonly marketplace: string;
  /** Street address without city, state and ZIP, as the source writes it. */
  readonly address: Maybe<string>;
  readonly city: string;
  /** Two-letter USPS code, upper case. */
  readonly state: string;
  /** Five digits. */
  readonly zip: Maybe<string>;
  /** County name as stated by the source, without the word County where no city shares the name; or its FIPS code. */
  readonly county: Maybe<string>;
  /** Where the source says that it lies, where it does; never shown. */
  readonly location?: Point;
  readonly parcelId: Maybe<string>;
  readonly listingUrl: Maybe<string>;
  /** Asking price in USD. */
  readonly listPrice: Maybe<DecimalText>;
  readonly units: Maybe<number>;
  /** One entry per number of bedrooms. */
  readonly unitMix: Maybe<readonly UnitKind[]>;
  /** Advertised cap rate in percent. */
  readonly capRate: Maybe<DecimalText>;
  /** There where the source calls that rate pro forma: what it expects, not what it has. */
  readonly isCapRateProForma?: true;
  /** Stated net operating income, USD a year. */
  readonly noi: Maybe<DecimalText>;
  /** Stated operating expenses, USD a year. */
  readonly operatingExpenses: Maybe<DecimalText>;
  /** Stated operating expenses by item, complete. */
  readonly expenseItems: Maybe<readonly ExpenseItem[]>;
  /** Stated actual property taxes, USD a year. */
  readonly taxes: Maybe<DecimalText>;
  /** Who pays the utilities of the units; not those of common areas, which the owner pays. */
  readonly utilitiesPaidBy: Maybe<UtilityPayer>;
  /** Stated vacancy in percent. */
  readonly vacancyPct: Maybe<DecimalText>;
  /** Assessed value by the county, USD, as the source states it. */
  readonly assessedValue: Maybe<DecimalText>;
  readonly propertyType: Maybe<PropertyType>;
  readonly yearBuilt: Maybe<number>;
  readonly condition: Maybe<PropertyCondition>;
  readonly saleCondition: SaleCondition;
  readonly terms: readonly ListingTerm[];
  /** Public remarks; used by rules, never published. */
  readonly remarks: Maybe<string>;
  /** Outstanding balance of existing loans, USD. */
  readonly loanBalance: Maybe<DecimalText>;
  /** Interest rate of the existing loan, percent. */
  readonly loanRatePct: Maybe<DecimalText>;
}

/** A listing as stored: merged by identity, with its history. */
export interface Listing extends ObservedListing {
  /** UUID; stable for the same property across runs, sources and re-installs. */
  readonly id: string;
  /** Other ids of the same property, from when it was taken for two; sorted. */
  readonly aliases: readonly string[];
  /** Ids that the property had before its address became another one. */
  readonly formerIds: readonly string[];
  /** The configured source that speaks for the property (not the marketplace): the first that showed it. */
  readonly sourceName: string;
  /** When that source was first seen to show it. */
  readonly sourceFirstSeenAt: Date;
  /** The figures from each other source that lists the property now, ordered by source name. */
  readonly otherWords: readonly SourceWord[];
  /** True when two sources state other units, or prices that differ by more than 3%. */
  readonly sourcesDisagree: boolean;
  /** Five-digit county FIPS code, from the stated county or the ZIP. */
  readonly countyFips: Maybe<string>;
  /** True when the address was parsed. */
  readonly addressParsed: boolean;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** True when the listing left its source and came back later. */
  readonly relisted: boolean;
  /** Every price of the present offer that this service's own runs observed, oldest first; see `ObservedPrice`. */
  readonly prices: readonly ObservedPrice[];
  /** The same of each source that shows the property and its price, with its former offers. */
  readonly priceHistory: readonly SourcePrices[];
  /** True when the rows behind it are demonstration data. */
  readonly demonstration: boolean;
  /** Keys of places that it does not show, if any: see `unshownPlaceKeys` of the suppression list. */
  readonly unshownPlaceKeys?: readonly string[];
}

/** The figures that a deal is judged by, as one source states them and its licence allows. */
export interface SourceWord extends Pick<ObservedListing, 'listPrice' | 'units' | 'capRate' | 'noi'> {
  readonly sourceName: string;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

/** A price when it was first seen; the last one of an offer once more when it was last confirmed, if that was later. */
export interface ObservedPrice {
  readonly observedAt: Date;
  readonly price: DecimalText;
}

/** The prices of one source, by offer. An offer ends when its key is gone for a week or another key appears. */
export interface SourcePrices {
  readonly sourceName: string;
  /** Oldest first. */
  readonly offers: readonly (readonly ObservedPrice[])[];
}
