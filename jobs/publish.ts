import type { Job } from './job.js';
import type { Publish } from './read-sources.js';

/** At 00:00, 08:00 and 16:00 UTC: publishes changes that come with a new day, in UTC or in a county. */
export function createPublishJob(publish: Publish): Job {
  return { name: 'publish', run: ({ report }) => publish(report) };
}
