import { startClock, type Clock } from './clock.js';
import { createJobs, type JobPorts } from './create-jobs.js';
import { createJobRunsStore } from './job-runs-store.js';
import { createRunDue } from './run-due.js';
import { isPublished } from '../src/feeds/store/published-reader.js';
import { firstOrder, stepsEvery, timetable } from './timetable.js';

/**
 * Starts the clock over the jobs. The latest missed slot of each job runs once: on a new
 * database this loads the first data. `stepMinutes`: how often the demonstration moves on; 0: never.
 */
export async function startJobs(ports: JobPorts, stepMinutes = 0): Promise<Clock> {
  const { database, owner, now, log } = ports;
  const store = createJobRunsStore(database.knex);
  // The embedded database has one user at a time, so leases of other owners belong to dead processes.
  if (database.kind === 'embedded') await store.endForeignLeases(owner);
  const steps = stepsEvery(stepMinutes);
  const [usual, atFirst] = [
    [...timetable, ...steps],
    [...firstOrder, ...steps],
  ];
  const runDue = createRunDue({ store, jobs: createJobs(ports), timetable: usual, owner, now, log });
  let isUnderWay = false;
  // Queried only until the first publication: an idle tick must not query the database.
  const orderNow = async () => ((isUnderWay ||= await isPublished(database, 'deals')) ? usual : atFirst);
  return startClock({ timetable: usual, orderNow, runDue, log, now });
}
