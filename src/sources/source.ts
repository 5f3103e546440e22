import type { ObservedListing } from '../listings/listing.js';

export const licenceClasses = ['owned', 'licensed', 'public_record', 'demonstration'] as const;
export type LicenceClass = (typeof licenceClasses)[number];

/** What may be done with a source's rows. Without a licence a source does not start; from `expiresAt` on its rows are not sold. */
export interface Licence {
  readonly class: LicenceClass;
  readonly mayStore: boolean;
  readonly mayResell: boolean;
  /** Shown with every record. */
  readonly attribution: string;
  readonly expiresAt?: Date;
}

/** One row as it came, before anything was understood. */
export interface RawRow {
  /** The source's own key where it can be read, else the row's place such as "deals.csv:17". */
  readonly key: string;
  readonly payload: unknown;
}

/** One page of rows; `nextCursor` undefined means the source is complete. */
export interface SourcePage {
  readonly rows: readonly (RawRow | RowReject)[];
  readonly nextCursor: string | undefined;
  readonly fetchedAt: Date;
  readonly etag?: string;
  readonly sourceUrl: string;
}

export const rejectReasons = [
  'row_unreadable',
  'row_too_large',
  'wrong_encoding',
  'missing_key',
  'missing_city',
  'missing_state',
  'unknown_state',
  'invalid_value',
  'duplicate_key',
] as const;
export type RejectReason = (typeof rejectReasons)[number];

/** A row that was refused, kept with its reason. `detail` names the column and what was expected, never the row's text. */
export interface RowReject {
  readonly reject: RejectReason;
  readonly key: string;
  readonly detail: string;
}

/** One place that listings come from; one file per wire format implements it. */
export interface ListingSource {
  /** Configured name, unique. */
  readonly name: string;
  /** The wire format, such as `drop-folder`. */
  readonly kind: string;
  readonly licence: Licence;
  /** Fetches one page; `cursor` undefined starts at the beginning. Throws when the source cannot be read as a whole. */
  fetchPage(cursor: string | undefined): Promise<SourcePage>;
  /** Normalises one row, or says why it cannot. Pure. */
  parse(row: RawRow): ObservedListing | RowReject;
}
