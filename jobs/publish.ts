import type { Job, JobFigures } from './job.js';

/** Daily at 00:00 UTC: publishes what depends on the day. */
export function createPublishJob(publish: (report: (figures: JobFigures) => void) => Promise<JobFigures>): Job {
  return { name: 'publish', run: ({ report }) => publish(report) };
}
