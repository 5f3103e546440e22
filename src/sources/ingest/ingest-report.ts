import type { IngestFigures } from './ingest-run.js';
import type { RunOutcome } from './run-store.js';

/**
 * `refused`: the licence does not allow to start; `unchanged`: the delivery is the one that was read last; `tried`: a
 * dry run, nothing was written.
 */
export interface IngestReport extends IngestFigures {
  readonly status: RunOutcome['status'] | 'refused' | 'tried';
  readonly retired: number;
  /** One plain sentence when the run did not complete. */
  readonly problem: string | undefined;
}
