import type { DeliveryKind } from '../src/sources/source.js';
import type { IngestReport } from '../src/sources/ingest/ingest-run.js';
import type { Job, JobContext, JobFigures } from './job.js';

/** Underwrites due listings and publishes. */
export type Publish = (report: (figures: JobFigures) => void) => Promise<JobFigures>;

export interface ReadSteps {
  /** Creates today's deliveries of a demonstration; else does nothing. */
  readonly deliver: (slot: Date) => Promise<void>;
  /** Whether this instance has any of the sources. */
  readonly sees: (delivers: readonly DeliveryKind[]) => Promise<boolean>;
  readonly ingest: (
    delivers: readonly DeliveryKind[],
    context: Pick<JobContext, 'report' | 'signal'>,
  ) => Promise<readonly IngestReport[]>;
}

/**
 * Reads the sources of these kinds. Returns figures for the history, including the problems of sources that could not
 * be read.
 */
async function readSources(
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

/** Reads the sources of some kinds of records and publishes the result; without `publish`, a later job publishes. */
export function createReadJob(
  name: string,
  delivers: readonly DeliveryKind[],
  steps: ReadSteps,
  publish: Publish = () => Promise.resolve({}),
): Job {
  return {
    name,
    async canRun(slot) {
      await steps.deliver(slot);
      return steps.sees(delivers);
    },
    run: async (context) => ({
      ...(await readSources(steps, delivers, context)),
      ...(await publish(context.report)),
    }),
  };
}
