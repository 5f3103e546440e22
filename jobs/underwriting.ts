import type { Job, JobFigures } from './job.js';

/** Every two days: underwrites every listing anew, and publishes. */
export function createUnderwritingJob(refresh: (report: (figures: JobFigures) => void) => Promise<JobFigures>): Job {
  return { name: 'underwriting', run: ({ report }) => refresh(report) };
}
