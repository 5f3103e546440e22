import type { Knex } from 'knex';
import type { ObservedListing } from '../listings/listing.js';
import type { Identify } from '../listings/listing-identity.js';

export interface IngestOptions {
  readonly knex: Knex;
  readonly identify: Identify;
  /** The county FIPS code of a listing, where its ZIP or stated county tells it. */
  readonly countyOf: (place: Pick<ObservedListing, 'zip' | 'county' | 'state'>) => string | undefined;
  readonly now: () => Date;
  readonly onProgress?: (progress: IngestProgress) => void;
  /** The operator's word that a source really lost over 40% of its rows. */
  readonly acceptShrink?: boolean;
  /** Reads a delivery again that is the one read last, as after a change of the normaliser. */
  readonly rereadUnchanged?: boolean;
}

export interface IngestProgress {
  readonly source: string;
  /** Rows read: accepted and rejected. */
  readonly rows: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly created: number;
}

/** What a run has seen so far. Keys and ids tell a row that comes twice in one delivery. */
export interface RunState {
  readonly runId: number;
  readonly keys: Set<string>;
  readonly ids: Set<string>;
  accepted: number;
  rejected: number;
  created: number;
}

/** A run that has seen nothing yet. */
export function createRunState(runId: number): RunState {
  return { runId, keys: new Set(), ids: new Set(), accepted: 0, rejected: 0, created: 0 };
}

/** What the run has done so far, in figures. */
export function progressOf(source: string, { accepted, rejected, created }: RunState): IngestProgress {
  return { source, rows: accepted + rejected, accepted, rejected, created };
}
