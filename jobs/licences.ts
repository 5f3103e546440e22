import type { Job, JobFigures } from './job.js';

/** Each minute: withholds what was suppressed since, and the rows of a source whose licence has ended. */
export function createLicencesJob(
  withhold: (report: (figures: JobFigures) => void) => Promise<JobFigures | undefined>,
): Job {
  return { name: 'licences', run: async ({ report }) => (await withhold(report)) ?? {} };
}
