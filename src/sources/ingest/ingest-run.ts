import type { Knex } from 'knex';
import type { ObservedListing } from '../../listings/listing.js';
import type { Identify } from '../../listings/listing-identity.js';
import { createImportReport, type ImportReport } from '../import-report.js';
import type { RunFigures, RunOutcome } from './run-store.js';

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
  /** Reads a delivery again that is the one read last, as after a change of the normalizer. */
  readonly rereadUnchanged?: boolean;
  /** The operator's word where the source begins, instead of where the last run ended. Such a run retires nothing. */
  readonly since?: string;
  /** Reads and counts, and writes nothing. */
  readonly dryRun?: boolean;
  /**
   * A source that can tell its changes is read whole at least this often, and up to half a day sooner. Default 7 days.
   */
  readonly fullEveryMs?: number;
  /** County records that are kept at once, see `chunkRowsOf`; half as many listings, at most 250. Default 100. */
  readonly chunkRows?: number;
}

/** How many county records a database takes at once while others wait for it only briefly. */
export const chunkRowsOf = { embedded: 100, postgres: 1_000 } as const;

export interface IngestFigures extends RunFigures {
  readonly source: string;
  /** Rows read: accepted and rejected. */
  readonly rows: number;
}

/**
 * The result of a run. `refused`: the licence does not allow to start; `unchanged`: the delivery is the one read last;
 * `tried`: a dry run, nothing was written.
 */
export interface IngestReport extends IngestFigures {
  readonly status: RunOutcome['status'] | 'refused' | 'tried';
  readonly retired: number;
  /** Plain sentences: why the run did not complete, or what its operator must know though it did. */
  readonly problem: string | undefined;
  readonly imported: ImportReport;
}

export interface IngestProgress extends IngestFigures {
  /** False where only changes are read. */
  readonly isWhole: boolean;
}

export type RunState = ReturnType<typeof createRunState>;

/** The state of a run that has seen nothing yet. Keys and ids recognize a row that comes twice in one delivery. */
export function createRunState(runId: number, since?: string) {
  return {
    runId,
    /** The watermark from which the run sees changes; undefined when it reads the source whole. */
    since,
    keys: new Set<string>(),
    /** Ids of what was accepted. */
    seen: new Set<string>(),
    /** Ids of what was shown but could not be read. */
    unread: new Set<string>(),
    /** Ids of the page under way. */
    pageIds: [] as string[],
    pageUnread: [] as string[],
    chunks: 0,
    accepted: 0,
    rejected: 0,
    created: 0,
    /** Values that were not understood. */
    misread: 0,
    imported: createImportReport(),
    /** What the pages say of the delivery as a whole. */
    problems: new Set<string>(),
    /** Things that the source itself reports as removed. */
    removed: 0,
    watermark: undefined as string | undefined,
  };
}

/** The figures of a run so far. */
export function figuresOf(source: string, { accepted, rejected, created }: RunState): IngestFigures {
  return { source, rows: accepted + rejected, accepted, rejected, created };
}

export function progressOf(source: string, state: RunState): IngestProgress {
  return { ...figuresOf(source, state), isWhole: state.since === undefined };
}
