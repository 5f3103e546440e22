import type { Job } from './job.js';
import type { Publish } from './read-sources.js';

/** At 00:00, 08:00 and 16:00 UTC: publishes what depends on the day, here or in a county. */
export function createPublishJob(publish: Publish): Job {
  return { name: 'publish', run: ({ report }) => publish(report) };
}
