import { startClock, type Clock } from './clock.js';
import { createJobs, type JobPorts } from './create-jobs.js';
import { createJobRunsStore } from './job-runs-store.js';
import { createRunDue } from './run-due.js';
import { isPublished } from '../src/feeds/store/published-reader.js';
import { firstOrder, timetable } from './timetable.js';

/** Starts the clock over the jobs; what was missed is caught up once, the first data of a new database included. */
export async function startJobs(ports: JobPorts): Promise<Clock> {
  const { database, owner, now, log } = ports;
  const store = createJobRunsStore(database.knex);
  // Whoever holds the embedded database holds it alone: leases of other owners are a dead process's.
  if (database.kind === 'embedded') await store.endForeignLeases(owner, now());
  const runDue = createRunDue({ store, jobs: createJobs(ports), timetable, owner, now, log });
  let isUnderWay = false;
  // Asked only until it is so: a tick with nothing to do asks the database nothing.
  const orderNow = async () => ((isUnderWay ||= await isPublished(database, 'deals')) ? timetable : firstOrder);
  return startClock({ timetable, orderNow, runDue, log, now });
}
