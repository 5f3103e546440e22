import type { Job, JobFigures } from './job.js';

/** Daily: drops what retention lets go, and reclaims space. */
export function createMaintenanceJob(maintain: () => Promise<JobFigures>): Job {
  return { name: 'maintenance', run: maintain };
}
