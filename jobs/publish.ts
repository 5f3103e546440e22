import type { Job, JobFigures } from './job.js';

/** At 00:00, 08:00 and 16:00 UTC: publishes what depends on the day, here or in a county. */
export function createPublishJob(publish: (report: (figures: JobFigures) => void) => Promise<JobFigures>): Job {
  return { name: 'publish', run: ({ report }) => publish(report) };
}
