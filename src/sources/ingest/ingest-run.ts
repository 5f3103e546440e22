import type { Knex } from 'knex';
import type { ObservedListing } from '../../listings/listing.js';
import type { Identify } from '../../listings/listing-identity.js';

export interface IngestOptions {
  /** The name of this instance, for its operator. */
  readonly instance?: string;
  readonly knex: Knex;
  readonly identify: Identify;
  /** The county FIPS code of a listing, where its ZIP or stated county tells it. */
  readonly countyOf: (place: Pick<ObservedListing, 'zip' | 'county' | 'state'>) => string | undefined;
  readonly now: () => Date;
  /** May throw to end the run; like with the signal, the next run goes on with it. */
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Aborts to end the run, also while a page is fetched. */
  readonly signal?: AbortSignal | undefined;
  /** Done whenever a page is kept and another one follows; hours may pass until the last. */
  readonly betweenPages?: () => Promise<void>;
  /** The operator's word that a source really lost over 40% of its rows. */
  readonly acceptShrink?: boolean;
  /** Reads a delivery again that is the one read last, as after a change of the normaliser. */
  readonly rereadUnchanged?: boolean;
  /** The operator's word where the source begins, instead of where the last run ended. Such a run retires nothing. */
  readonly since?: string;
  /** Reads and counts, and writes nothing. */
  readonly dryRun?: boolean;
  /**
   * A source that can tell its changes is read whole at least this often, and up to half a day sooner. Default 7 days.
   */
  readonly fullEveryMs?: number;
  /** A run that was cut off is continued when its last page is not older than this. Default 6 hours. */
  readonly resumeWithinMs?: number;
  /** Rows of county records that are kept at once, see `chunkRowsOf`; a quarter as many listings. Default 100. */
  readonly chunkRows?: number;
}

/** How many county records a database takes at once while others wait for it only briefly. */
export const chunkRowsOf = { embedded: 100, postgres: 1_000 } as const;

export interface IngestFigures {
  readonly source: string;
  /** Rows read: accepted and rejected. */
  readonly rows: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly created: number;
}

export interface IngestProgress extends IngestFigures {
  /** False where only changes are read. */
  readonly isWhole: boolean;
}

/** What a run has seen so far. Keys and ids tell a row that comes twice in one delivery. */
export interface RunState {
  readonly runId: number;
  /** The watermark from which the run sees changes; undefined when it reads the source whole. */
  readonly since: string | undefined;
  readonly keys: Set<string>;
  /** Ids of what was accepted. */
  readonly seen: Set<string>;
  /** Ids of what was shown but could not be read. */
  readonly unread: Set<string>;
  /** Ids of the page under way. */
  pageIds: string[];
  pageUnread: string[];
  chunks: number;
  accepted: number;
  rejected: number;
  created: number;
  /** Things that the source itself said it shows no longer. */
  removed: number;
  watermark: string | undefined;
}

/** A run that has seen nothing yet. */
export function createRunState(runId: number, since?: string): RunState {
  return {
    runId,
    since,
    keys: new Set(),
    seen: new Set(),
    unread: new Set(),
    pageIds: [],
    pageUnread: [],
    chunks: 0,
    accepted: 0,
    rejected: 0,
    created: 0,
    removed: 0,
    watermark: undefined,
  };
}

/** What the run has done so far, in figures. */
export function figuresOf(source: string, { accepted, rejected, created }: RunState): IngestFigures {
  return { source, rows: accepted + rejected, accepted, rejected, created };
}

/** The same, with what it is part of. */
export function progressOf(source: string, state: RunState): IngestProgress {
  return { ...figuresOf(source, state), isWhole: state.since === undefined };
}
