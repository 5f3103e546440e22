import type { Job } from './job.js';
import type { Publish } from './read-sources.js';

/**
 * At 00:00, 08:00 and 16:00 UTC: underwrites due listings, then publishes every deal and lead, since these state the
 * day, and the county records that changed.
 */
export function createPublishJob(publish: Publish): Job {
  return { name: 'publish', run: ({ report }) => publish(report) };
}
