import type { Packing } from '../query/packing.js';

/** What a publication can do to a record. */
export const eventNames = ['listed', 'relisted', 'repriced', 'status_changed', 'rescheduled', 'removed'] as const;
export type EventName = (typeof eventNames)[number];

/** Fields of a record, named and written as in the contract; one that is unknown is not there. */
export type EventValues = Readonly<Record<string, string>>;

/** What happened to one record. */
export interface RecordEvent {
  readonly event: EventName;
  /** What changed, or of a removal the last price or date; undefined where the record was not there. */
  readonly before?: EventValues;
  readonly after?: EventValues;
}

/** Fields whose change is an event. */
export interface ChangeRule<Columns> {
  readonly event: EventName;
  /** What is compared. A version without these columns is not compared. */
  readonly columns: readonly (keyof Columns & string)[];
  readonly valuesOf: (record: Columns) => EventValues;
  /** A difference of one field that is no event. Default: none. */
  readonly isNoise?: (before: string, after: string) => boolean;
}

/** The events of one feed. */
export interface EventRules<Columns> {
  /** With it the cursors of the feed begin. */
  readonly letter: 'd' | 'a';
  readonly entity: 'deal' | 'auction';
  readonly changes: readonly ChangeRule<Columns>[];
  /** The last price or date of a record that is gone. */
  readonly lastOf: (record: Columns) => EventValues;
  readonly observedMs: (record: Columns) => number;
  /** What filters and takedowns read of the columns; kept in memory for each event. */
  readonly packing: Partial<Packing<Columns>>;
}

/** A place among the events of a feed: behind the event with this ordinal in this version. */
export interface EventPlace {
  readonly version: number;
  /** From 1 on; 0 is before the first event of the version. */
  readonly ordinal: number;
}

/** Negative where one comes before the other. */
export function comparePlaces(one: EventPlace, other: EventPlace): number {
  return one.version - other.version || one.ordinal - other.ordinal;
}

/** A place as buyers see it, such as `d41-17`. */
export function writeCursor(letter: string, { version, ordinal }: EventPlace): string {
  return `${letter}${version}-${ordinal}`;
}

/** The place that a cursor of the contract's form names. */
export function readCursor(cursor: string): EventPlace {
  const [version, ordinal] = cursor.slice(1).split('-').map(Number);
  return { version: version ?? 0, ordinal: ordinal ?? 0 };
}
