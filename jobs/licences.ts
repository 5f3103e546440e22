import type { Job, JobFigures } from './job.js';

/** Each minute: publishes takedowns of new suppressions and ended licences. */
export function createLicencesJob(
  publishIfBehind: (report: (figures: JobFigures) => void) => Promise<JobFigures | undefined>,
): Job {
  return { name: 'licences', run: async ({ report }) => (await publishIfBehind(report)) ?? {} };
}
