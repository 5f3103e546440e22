import type { Maybe } from '../absence.js';
import type { ObservedAuction } from '../counties/auctions/auction.js';
import type { ObservedListing } from '../listings/listing.js';
import type { ObservedParcel } from '../counties/parcels/observed-parcel.js';
import type { AreaRents } from '../underwriting/rents/area-rents.js';
import type { ObservedSignal } from '../counties/signals/signal.js';

export const licenceClasses = ['owned', 'licensed', 'public_record', 'demonstration'] as const;
export type LicenceClass = (typeof licenceClasses)[number];

/**
 * What may be done with a source's rows. Without a licence a source does not start; from `expiresAt` on its rows are
 * not sold.
 */
export interface Licence {
  readonly class: LicenceClass;
  readonly mayStore: boolean;
  readonly mayResell: boolean;
  /** Shown with every record. */
  readonly attribution: string;
  /** Fields of its records that must not be shown; see `undisplayedFields`. */
  readonly undisplayedFields?: readonly string[];
  readonly expiresAt?: Date;
}

/** True until the licence expires; from that moment on nothing of the source is fetched or sold. */
export function isLicenceInForce({ expiresAt }: Pick<Licence, 'expiresAt'>, now: Date): boolean {
  return expiresAt === undefined || expiresAt.getTime() > now.getTime();
}

/** The licence of a source whose own cannot be read: nothing may be stored or sold. */
export const withoutRights: Licence = {
  class: 'licensed',
  mayStore: false,
  mayResell: false,
  attribution: 'Nothing of it is shown.',
};

/** One row as it came, before anything was understood. */
export interface RawRow {
  /** The source's own key where it can be read, else the row's place such as "deals.csv:17". */
  readonly key: string;
  readonly payload: unknown;
  /** Where in a file it stands, where its key does not tell: "deals.csv:17". */
  readonly place?: string;
}

/** One page of rows; where pages are asked for, `nextCursor` undefined means the source is complete. */
export interface SourcePage {
  readonly rows: readonly (RawRow | RowReject)[];
  readonly nextCursor: string | undefined;
  readonly fetchedAt: Date;
  /** The ETag of the whole delivery, the same on each page: a later run that meets it again stops reading. */
  readonly etag?: string;
  readonly sourceUrl: string;
  /** What an operator must know of the delivery as a whole, in one sentence. It is sold nevertheless. */
  readonly problem?: string | undefined;
  /** Columns of the delivery that no field reads, for its operator. */
  readonly unmapped?: readonly string[];
  /** Keys of rows that the source says it shows no longer. */
  readonly removedKeys?: readonly string[];
  /** Where a later run may begin to see only what has changed since; only of sources that can tell removals. */
  readonly watermark?: string;
}

export const rejectReasons = [
  'row_unreadable',
  'row_too_large',
  'wrong_encoding',
  'missing_key',
  'missing_city',
  'missing_state',
  'missing_owner',
  'missing_parcel',
  'missing_amount',
  'missing_date',
  'unknown_state',
  'not_relevant',
  'page_missing',
  'invalid_value',
  'duplicate_key',
] as const;
export type RejectReason = (typeof rejectReasons)[number];

/**
 * A row that was refused, kept with its reason. `detail` names the column and what was expected, never the row's text.
 */
export interface RowReject {
  readonly reject: RejectReason;
  readonly key: string;
  readonly detail: string;
  /** See `RawRow`. */
  readonly place?: string;
}

/** Is told of each value of a row, by its field: how it was understood, and as what it was stated. */
export type NoteValue = (field: string, value: Maybe<unknown>, stated: unknown) => void;

/** What a source brings. */
export interface Delivered {
  readonly listings: ObservedListing;
  readonly signals: ObservedSignal;
  readonly auctions: ObservedAuction;
  readonly parcels: ObservedParcel;
  readonly rents: AreaRents;
}
export type DeliveryKind = keyof Delivered;

interface SourceBase<K extends DeliveryKind> {
  /** Configured name, unique. */
  readonly name: string;
  /** The wire format, such as `drop-folder`. */
  readonly kind: string;
  readonly delivers: K;
  readonly licence: Licence;
  /** The counties that it declares, by their five-digit FIPS codes; undefined where it declares none. */
  readonly covers?: readonly string[] | undefined;
  /**
   * A digest of what decides which rows there are and what they mean. A stored cursor or watermark is used only while
   * it is unchanged.
   */
  readonly configuration?: string;
  /**
   * True when the server finds a page by row offset. A server that ignores the offset would return the same page
   * forever, so a repeated page is an error.
   */
  readonly countsRows?: boolean;
  /**
   * True where its pages bear watermarks, and a run may begin at one; any other source is read whole whatever it is
   * told.
   */
  readonly tellsChanges?: boolean;
  /** Throws a SourceError unless a run may begin where an operator says, before anything of it is written. */
  assertCanBeginAt?(text: string): void;
  /** Normalizes one row, or rejects it with a reason. Pure, but for what `note` is told. */
  parse(row: RawRow, note?: NoteValue): Delivered[K] | RowReject;
}

/** A source that is asked for one page after the other: a run that was cut off goes on behind its last kept page. */
export interface PagedSource<K extends DeliveryKind> extends SourceBase<K> {
  /**
   * Fetches one page; `cursor` undefined starts at the beginning, or at `watermark` where an earlier run gave one. A
   * source that is told the `knownEtag` of the last complete run may answer with no rows and that etag: nothing has
   * changed. Throws a SourceError when the source cannot be read as a whole.
   */
  fetchPage(cursor: string | undefined, watermark?: string, knownEtag?: string): Promise<SourcePage>;
}

/** A source that is read in one go, such as a file: an interrupted run starts over. */
export interface WholeSource<K extends DeliveryKind> extends SourceBase<K> {
  /** All pages in their order, at least one; none has a cursor. `knownEtag` and errors: see `fetchPage`. */
  readPages(knownEtag?: string): AsyncIterable<SourcePage>;
}

/** One place that rows come from; one file per wire format implements it. */
export type Source<K extends DeliveryKind> = PagedSource<K> | WholeSource<K>;

/** What a source is, before anything of it is read. */
export type SourceOutline = Pick<Source<DeliveryKind>, 'kind' | 'delivers' | 'licence'>;
