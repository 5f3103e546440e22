import type { DeliveryKind } from '../src/sources/source.js';
import type { IngestReport } from '../src/sources/ingest-report.js';
import type { Job, JobContext, JobFigures } from './job.js';

export interface ReadSteps {
  /** Brings today's deliveries in, where they are made here (demonstration). */
  readonly deliver: (slot: Date) => Promise<void>;
  readonly ingest: (
    delivers: readonly DeliveryKind[],
    context: Pick<JobContext, 'report' | 'signal'>,
  ) => Promise<readonly IngestReport[]>;
}

/** Reads the sources of what is delivered, in figures for the history: a source that cannot be read is told of there. */
export async function readSources(
  { deliver, ingest }: ReadSteps,
  delivers: readonly DeliveryKind[],
  context: JobContext,
): Promise<JobFigures> {
  await deliver(context.slot);
  const reports = await ingest(delivers, context);
  const sum = (pick: (each: IngestReport) => number) => reports.reduce((total, each) => total + pick(each), 0);
  return {
    sources: reports.length,
    rows: sum((each) => each.rows),
    rejected: sum((each) => each.rejected),
    retired: sum((each) => each.retired),
    problems: reports
      .flatMap((each) => (each.problem === undefined ? [] : [`${each.source}: ${each.problem}`]))
      .join(' '),
  };
}

/** Reads the sources of one kind of record. The listings' job, which comes after it, publishes what came. */
export function createReadJob(name: string, delivers: readonly DeliveryKind[], steps: ReadSteps): Job {
  return { name, run: (context) => readSources(steps, delivers, context) };
}
