import type { Maybe } from '../../absence.js';
import type { AddressStatus } from '../../places/addresses/address-status.js';
import type { DecimalText } from '../../decimal-text.js';

/** What a county's public record may say of a property. Source: the service specification (`signal_type`). */
export const signalTypes = ['tax_delinquent'] as const;
export type SignalType = (typeof signalTypes)[number];

/**
 * One row of a county's public record, normalised: money in USD, dates in the county's own calendar. Owner, parcel,
 * amount and source URL stand on every row; a row without one of them is refused when it is read. Source:
 * docs/decisions/contract.md.
 */
export interface ObservedSignal {
  /** The source's own key of the row; stable between runs. */
  readonly sourceKey: string;
  readonly signalType: SignalType;
  /** Five-digit county FIPS code. */
  readonly countyFips: string;
  /** Two-letter USPS code, upper case. */
  readonly state: string;
  /** Street address of the property (not of its owner), without city, state and ZIP, as the source writes it. */
  readonly address: Maybe<string>;
  readonly city: Maybe<string>;
  /** Five digits. */
  readonly zip: Maybe<string>;
  readonly ownerName: string;
  /** As the source writes it. */
  readonly parcelId: string;
  /** What is owed in all, USD. */
  readonly amount: DecimalText;
  /** The public record the row is from. */
  readonly sourceUrl: string;
  /** For how many tax years something is owed. */
  readonly yearsOwed: Maybe<number>;
  /** When the county means to sell the lien or the property, YYYY-MM-DD. */
  readonly taxSaleDate: Maybe<string>;
  /** What the county holds the property to be worth, USD. */
  readonly assessedValue: Maybe<DecimalText>;
  /** When the county published the list. */
  readonly sourcePublishedAt: Maybe<Date>;
  /** The year the list is of. */
  readonly listYear: Maybe<number>;
}

/** A signal as the house keeps it: merged by county, type and parcel. */
export interface Signal extends ObservedSignal {
  /** UUID; stable for the same parcel, county and type. */
  readonly id: string;
  readonly sourceName: string;
  readonly addressStatus: AddressStatus;
  /** The parcel roll that the address is from; undefined where the record names it itself, or where there is none. */
  readonly addressSourceName: string | undefined;
  /** Every amount that this service's own runs observed, oldest first; the last is `amount`. */
  readonly amounts: readonly ObservedAmount[];
  readonly firstSeenAt: Date;
  /** When the row was last seen; a county list of last year that is still published was seen today. */
  readonly lastSeenAt: Date;
  readonly demonstration: boolean;
}

/** An amount owed, and from when to when it was seen. */
export interface ObservedAmount {
  readonly amount: DecimalText;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}
