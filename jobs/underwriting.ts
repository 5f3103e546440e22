import type { Job } from './job.js';
import type { Publish } from './read-sources.js';

/** Every two days: underwrites every listing again, then publishes. */
export function createUnderwritingJob(publish: Publish): Job {
  return { name: 'underwriting', run: ({ report }) => publish(report) };
}
