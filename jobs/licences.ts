import type { Job, JobFigures } from './job.js';

/** Each minute: withholds the rows of a source whose licence has ended since. */
export function createLicencesJob(
  withhold: (report: (figures: JobFigures) => void) => Promise<JobFigures | undefined>,
): Job {
  return { name: 'licences', run: async ({ report }) => (await withhold(report)) ?? {} };
}
