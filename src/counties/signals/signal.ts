import type { Maybe } from '../../absence.js';
import type { AddressStatus } from '../../places/addresses/own-address.js';
import type { DecimalText } from '../../decimal-text.js';
import { v5 } from 'uuid';
import { parcelKey } from '../../places/addresses/parcel.js';

/** Kinds of public county records about a property. Source: the service specification (`signal_type`). */
export const signalTypes = ['tax_delinquent'] as const;
export type SignalType = (typeof signalTypes)[number];

/**
 * One row of a county's public record, normalized: money in USD, dates in the county's calendar. Every row has owner,
 * parcel, amount and source URL; reading rejects a row without one. Source: docs/decisions/contract.md.
 */
export interface ObservedSignal {
  /** The source's key of the row; stable between runs. */
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
  /** Where the source says that it lies, where it does; never shown. */
  readonly location?: { readonly latitude: number; readonly longitude: number };
  readonly ownerName: string;
  /** As the source writes it. */
  readonly parcelId: string;
  /** Total amount owed, USD. */
  readonly amount: DecimalText;
  /** URL of the public record. */
  readonly sourceUrl: string;
  /** Number of tax years with an amount owed. */
  readonly yearsOwed: Maybe<number>;
  /** Planned sale of the lien or the property by the county, YYYY-MM-DD. */
  readonly taxSaleDate: Maybe<string>;
  /** Assessed value by the county, USD. */
  readonly assessedValue: Maybe<DecimalText>;
  /** When the county published the list. */
  readonly sourcePublishedAt: Maybe<Date>;
  /** The year of the list. */
  readonly listYear: Maybe<number>;
}

/** A signal as stored: merged by county, type and parcel. */
export interface Signal extends ObservedSignal {
  /** UUID; stable for the same parcel, county and type. */
  readonly id: string;
  readonly sourceName: string;
  /** All sources whose words it has: its own, and the parcel rolls that complete it. */
  readonly sourceNames: readonly string[];
  readonly addressStatus: AddressStatus;
  readonly firstSeenAt: Date;
  /**
   * When the row was last seen. A row of last year's list counts as seen today while the county still publishes the
   * list.
   */
  readonly lastSeenAt: Date;
  readonly demonstration: boolean;
  /** Of where it may lie beside what it shows, where there is any: see `unshownPlaceKeys` of the suppression list. */
  readonly unshownPlaceKeys?: readonly string[];
}

/** Namespace of all signal ids. Never change it: that would change every published id. */
const namespace = '2d3c8a51-7f1b-4a0e-9d36-58c1f0e7b6a4';

/**
 * The identity of a signal: county, type and parcel, so that the same row at two sources, or in another year's list, is
 * one signal. The id is a UUID (version 5) of it, the same on every machine. Undefined when the parcel number is not
 * valid.
 */
export function identifySignal(signal: ObservedSignal): { readonly id: string } | undefined {
  const key = parcelKey(signal.countyFips, signal.parcelId);
  return key === undefined ? undefined : { id: v5(`${signal.signalType}:${key}`, namespace) };
}
