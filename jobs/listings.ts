import type { IngestReport } from '../src/sources/ingest-report.js';
import type { Job } from './job.js';

export interface ListingsSteps {
  /** Brings today's deliveries in, where they are made here (demonstration). */
  readonly deliver: (slot: Date) => Promise<void>;
  readonly ingestAll: (report: (figures: Record<string, number>) => void) => Promise<readonly IngestReport[]>;
  /** Underwrites what changed, and publishes. */
  readonly refresh: (report: (figures: Record<string, number>) => void) => Promise<Record<string, number | string>>;
}

/** Daily: reads every source, underwrites what changed, and publishes. */
export function createListingsJob(steps: ListingsSteps): Job {
  return {
    name: 'listings',
    async run({ slot, report }) {
      await steps.deliver(slot);
      const reports = await steps.ingestAll(report);
      const sum = (pick: (each: IngestReport) => number) => reports.reduce((total, each) => total + pick(each), 0);
      return {
        sources: reports.length,
        rows: sum((each) => each.rows),
        rejected: sum((each) => each.rejected),
        retired: sum((each) => each.retired),
        problems: reports
          .flatMap((each) => (each.problem === undefined ? [] : [`${each.source}: ${each.problem}`]))
          .join(' '),
        ...(await steps.refresh(report)),
      };
    },
  };
}
