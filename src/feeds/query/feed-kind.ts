import type { Bitmap } from './bitmap.js';
import type { FeedOrder } from './feed-order.js';
import type { Identified } from './identified.js';
import type { Packing } from './packing.js';
import type { SortedPositions, SortRules } from './sort-rule.js';

/** Finds the records of one version that match a filter. */
export interface FeedIndex<Filter> {
  /** The positions that match. The set is the caller's to change, and good until the next question. */
  match(filter: Filter): Bitmap;
  /** The orders that may be asked for, by name. */
  readonly sorts: ReadonlyMap<string, SortedPositions<Filter>>;
  /** The number of counties with a record; undefined where it is not needed. */
  readonly counties?: number;
  /**
   * When the latest record was seen, milliseconds since 1970; undefined without records, or where it is not needed.
   */
  readonly freshestMs?: number | undefined;
  /** The positions that are published and not for sale: too old, or held. Undefined where all are for sale. */
  notForSale?(moment: Moment, held: Iterable<string>): Bitmap;
}

/** A moment, as records age by it. */
export interface Moment {
  /** What was verified before is not shown any more; milliseconds since 1970. */
  readonly verifiedSinceMs: number;
  /** The calendar date in every time zone of a county, by the zone's IANA name. */
  readonly todays: Readonly<Record<string, string>>;
}

/** What one value of a filter asks of a record: of what stands in a column, else of the record itself. */
export interface RecordTest {
  readonly column: string | undefined;
  readonly passes: (read: unknown) => boolean;
  /** Of a column of numbers. */
  readonly bounds?: Bounds | undefined;
}

/** A number outside of these does not pass, nor does none; both inclusive. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
  /** Whether every number within passes. */
  readonly decide: boolean;
}

/** Records by position, as a feed's index is made of them. */
export interface RecordList<Item> extends Iterable<Item> {
  readonly length: number;
  /** Undefined where no record stands. */
  at(position: number): Item | undefined;
  /** The hash of the id of a record that stands there, as `hashId` makes it. */
  idHash(position: number): number;
  /** The positions as the records lie in memory, where to read all of them in this order takes half the time. */
  inStoreOrder?(yieldTurn: () => Promise<void>): Promise<Uint32Array>;
}

/**
 * What distinguishes one feed from another. `Columns` is what the feed reads of a record to rank and filter it, with
 * quantities as integers so that comparisons are exact; `Rank`, a part of it, is a position in the feed's order.
 */
export interface FeedKind<Rank extends Identified, Columns extends Rank, Filter> {
  /** The name under which the feed's version and its records are kept. */
  readonly name: string;
  readonly order: FeedOrder<Rank>;
  readonly sorts: SortRules<Columns, Filter>;
  /** What each column beside the id is: together they are the feed's shape. */
  readonly columns: ColumnTypes<Columns>;
  /** How each column is packed where records are too many to be objects. Undefined: each is held as an object. */
  readonly packing?: Packing<Columns>;
  /** Whether the bytes of records are in memory; else they stay in the database. Default: where they are not packed. */
  readonly holdsBodies?: boolean;
  /**
   * Whether each version keeps how many records it added, removed and repriced; its columns then name state and price.
   */
  readonly isCounted?: boolean;
  /** The columns from what JSON made of them. */
  readColumns(json: Readonly<Record<string, unknown>>): Columns;
  /** What a filter asks of each record; the index finds the same. */
  testsOf(filter: Filter): readonly RecordTest[];
  /** Indexes records that stand in the feed's order; `yieldTurn` is awaited between slices of work. */
  createIndex(records: RecordList<Columns>, yieldTurn: () => Promise<void>): Promise<FeedIndex<Filter>>;
}

/** What each column beside the id is. */
export type ColumnTypes<Columns> = {
  readonly [Column in Exclude<keyof Columns, 'id'>]-?: NonNullable<Columns[Column]> extends number
    ? 'number'
    : NonNullable<Columns[Column]> extends boolean
      ? 'flag'
      : NonNullable<Columns[Column]> extends Date
        ? 'date'
        : 'text';
};

/** Columns with each one named, also that which a record lacks: where records are rendered none is forgotten. */
export type AllColumns<Columns> = { readonly [Name in keyof Required<Columns>]: Columns[Name] };

/** How names of places are compared: without regard to case, white space folded. */
export function foldPlace(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
