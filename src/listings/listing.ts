import type { Maybe } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';

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

/** How many units of a property have so many bedrooms; 0 is a studio. */
export interface UnitKind {
  readonly bedrooms: number;
  readonly units: number;
}

/** One line of a statement of operating expenses. */
export interface ExpenseItem {
  readonly name: string;
  /** USD a year. */
  readonly amount: DecimalText;
}

/** What one source says of one listing, normalised: units whole, money in USD, rates in percent. */
export interface ObservedListing {
  /** The source's own key of the listing; stable between runs. */
  readonly sourceKey: string;
  /** Name of the listing marketplace the deal came from (the record's `source`). */
  readonly marketplace: string;
  /** Street address without city, state and ZIP, as the source writes it. */
  readonly address: Maybe<string>;
  readonly city: string;
  /** Two-letter USPS code, upper case. */
  readonly state: string;
  /** Five digits. */
  readonly zip: Maybe<string>;
  /** County name as stated by the source, without the word County. */
  readonly county: Maybe<string>;
  readonly parcelId: Maybe<string>;
  readonly listingUrl: Maybe<string>;
  /** Asking price in USD. */
  readonly listPrice: Maybe<DecimalText>;
  readonly units: Maybe<number>;
  /** Each count of bedrooms once. */
  readonly unitMix: Maybe<readonly UnitKind[]>;
  /** Advertised cap rate in percent. */
  readonly capRate: Maybe<DecimalText>;
  /** Stated net operating income, USD a year. */
  readonly noi: Maybe<DecimalText>;
  /** Stated operating expenses, USD a year. */
  readonly operatingExpenses: Maybe<DecimalText>;
  /** Stated operating expenses line by line, all of them. */
  readonly expenseItems: Maybe<readonly ExpenseItem[]>;
  /** Stated actual property taxes, USD a year. */
  readonly taxes: Maybe<DecimalText>;
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

/** A listing as the house keeps it: merged by identity, with its history. */
export interface Listing extends ObservedListing {
  /** UUID; stable for the same property across runs, sources and re-installs. */
  readonly id: string;
  /** The configured source the latest observation came from (not the marketplace). */
  readonly sourceName: string;
  /** What each other source that lists the same property now says of it, by the name of the source. */
  readonly otherWords: readonly SourceWord[];
  /** Five-digit county FIPS code, where the ZIP or the stated county tells it. */
  readonly countyFips: Maybe<string>;
  /** True when the address was parsed by the normaliser. */
  readonly addressParsed: boolean;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** True when the listing left its source and came back later. */
  readonly relisted: boolean;
  /** Every price that this service's own runs observed, oldest first; at least two for a known reduction. */
  readonly prices: readonly ObservedPrice[];
  /** True when the rows behind it are demonstration data. */
  readonly demonstration: boolean;
}

/** The figures that a deal is judged by, as one source states them and its licence lets them be shown. */
export interface SourceWord extends Pick<ObservedListing, 'listPrice' | 'units' | 'capRate' | 'noi'> {
  readonly sourceName: string;
}

export interface ObservedPrice {
  readonly observedAt: Date;
  readonly price: DecimalText;
}
