import type { Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';
import type { Point } from '../../places/metros/zip-centroids.js';
import { localDateOf } from '../../places/metros/local-date-of.js';

export const auctionTypes = ['sheriff_sale'] as const;
export type AuctionType = (typeof auctionTypes)[number];

/** The outcome of a sale. Source: docs/decisions/sources.md. */
export const saleStatuses = ['scheduled', 'adjourned', 'withdrawn', 'cancelled', 'sold', 'no_bid', 'unknown'] as const;
export type SaleStatus = (typeof saleStatuses)[number];

/** A status and its day in the county's calendar. */
export interface SaleStatusEntry {
  readonly status: SaleStatus;
  /** YYYY-MM-DD; absent when the source dates only the sale. */
  readonly date: Maybe<string>;
  /** The source's wording, at most 120 characters, such as "Defendant Adjourned to". */
  readonly text: string;
}

/** One foreclosure sale as a source shows it. Money in USD; dates in the county's calendar, never through UTC. */
export interface ObservedAuction {
  /** The source's key of the sale; stable between runs and across adjournments. */
  readonly sourceKey: string;
  readonly auctionType: AuctionType;
  /** Five-digit county FIPS code. */
  readonly countyFips: string;
  /** Two-letter USPS code, upper case. */
  readonly state: string;
  /** YYYY-MM-DD. */
  readonly saleDate: string;
  /** Street address without city, state and ZIP, as the source writes it. */
  readonly address: Maybe<string>;
  readonly city: Maybe<string>;
  /** Five digits. */
  readonly zip: Maybe<string>;
  /** Where the source says that it lies, where it does; never shown. */
  readonly location?: Point;
  readonly parcelId: Maybe<string>;
  readonly appraisedValue: Maybe<DecimalText>;
  readonly openingBid: Maybe<DecimalText>;
  readonly judgmentAmount: Maybe<DecimalText>;
  readonly depositRequirement: Maybe<DecimalText>;
  readonly plaintiff: Maybe<string>;
  readonly defendant: Maybe<string>;
  readonly attorney: Maybe<string>;
  readonly caseNumber: Maybe<string>;
  /** The court's status of the case, as the source writes it. */
  readonly caseStatus: Maybe<string>;
  readonly saleStatus: SaleStatus;
  /** Earlier statuses as the source states them, latest first; empty when it states none. */
  readonly statusHistory: readonly SaleStatusEntry[];
  /** The official page of the sale. */
  readonly sourceUrl: string;
}

/** A sale as stored: merged by county and case or parcel, with its history. */
export interface Auction extends ObservedAuction {
  /** UUID; stable for the same sale, even when its date moves. */
  readonly id: string;
  readonly sourceName: string;
  /** All sources whose words it has: its own, and the parcel rolls that complete it. */
  readonly sourceNames: readonly string[];
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly demonstration: boolean;
  /** Of where it may lie beside what it shows, where there is any: see `unshownPlaceKeys` of the suppression list. */
  readonly unshownPlaceKeys?: readonly string[];
}

/** The statuses with which a sale on a future day is still upcoming. */
export const openStatuses: ReadonlySet<SaleStatus> = new Set(['scheduled', 'adjourned', 'unknown']);

/** True for a sale that is upcoming in its county's calendar. Source of the rule: docs/decisions/contract.md. */
export function isUpcoming(
  { saleDate, saleStatus, countyFips }: Pick<Auction, 'saleDate' | 'saleStatus' | 'countyFips'>,
  now: Date,
): boolean {
  return openStatuses.has(saleStatus) && saleDate >= localDateOf(countyFips, now);
}
