import type { Job, JobFigures } from './job.js';

/** Daily: deletes data past its retention, and reclaims space. */
export function createMaintenanceJob(maintain: () => Promise<JobFigures>): Job {
  return { name: 'maintenance', run: maintain };
}
