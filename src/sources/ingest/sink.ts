import type { RejectReason } from '../source.js';

/** Which thing a row is of; the same in every run and at every source. */
export interface Identity {
  readonly id: string;
}

/** Why a row that was read cannot be kept. */
export interface NotIdentified {
  readonly reject: RejectReason;
  readonly detail: string;
}

/** Some rows of one run, each of another thing. */
export interface SinkChunk<T> {
  readonly runId: number;
  readonly observedAt: Date;
  /** True for a run that sees changes only. */
  readonly incremental: boolean;
  /** Whether the run has shown something of this id so far, these rows included. */
  readonly isShown: (id: string) => boolean;
  readonly rows: readonly { readonly id: string; readonly observed: T }[];
}

/** A run that read all of its source. */
export interface CompleteRun {
  readonly runId: number;
  readonly at: Date;
  /** Ids of all that the run showed and that could be read. */
  readonly seen: ReadonlySet<string>;
  /** Ids of what it showed but could not be read. */
  readonly unread: ReadonlySet<string>;
}

/** Where the rows of one source are kept, by what they are of. */
export interface Sink<T> {
  /** How many rows are kept at once. */
  readonly chunkRows: number;
  /**
   * The same raw row is not kept again within this time; its 90 days count from then. 0: its time is renewed always.
   */
  readonly renewRawAfterMs: number;
  /** True when two rows of one delivery must not have the same key. */
  readonly keysAreUnique: boolean;
  identify(observed: T): Identity | NotIdentified;
  /** Keeps rows, merged with what is known. Repeating it changes nothing. Returns how many were never seen before. */
  keep(chunk: SinkChunk<T>): Promise<{ readonly created: number }>;
  /**
   * Remembers rows of things that the same run showed under another key before, so that one of them stands for the
   * thing when the other goes. Where it is not there they are only refused.
   */
  keepRepeats?(chunk: SinkChunk<T>): Promise<unknown>;
  /** What is known under these keys is still shown, though not readable. Returns its ids. */
  keepUnread(runId: number, keys: readonly string[]): Promise<readonly string[]>;
  /** Draws the consequence for what a complete run no longer showed. Returns how many things left the source. */
  retire(run: CompleteRun): Promise<number>;
  /**
   * The same for what the last complete run no longer showed, where the source answers that nothing has changed since.
   * Only of things that leave with the second run that misses them.
   */
  retireUnchanged?(at: Date): Promise<number>;
  /** The same for what the source itself says it shows no longer. */
  remove(keys: readonly string[], at: Date, runId: number): Promise<number>;
}
