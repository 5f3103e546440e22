import type { Job, JobFigures } from './job.js';
import { readSources, type ReadSteps } from './read-sources.js';

export interface ListingsSteps extends ReadSteps {
  /** Underwrites what changed, and publishes. */
  readonly publish: (report: (figures: JobFigures) => void) => Promise<JobFigures>;
}

/** Daily: reads every source of listings, underwrites what changed, and publishes all feeds. */
export function createListingsJob(steps: ListingsSteps): Job {
  return {
    name: 'listings',
    run: async (context) => ({
      ...(await readSources(steps, ['listings'], context)),
      ...(await steps.publish(context.report)),
    }),
  };
}
