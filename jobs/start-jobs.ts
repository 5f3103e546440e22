import type { App } from '../src/app.js';
import { purgeRawRecords } from '../src/sources/keep-raw-records.js';
import { startClock, type Clock } from './clock.js';
import type { Job } from './job.js';
import { createJobRunsStore } from './job-runs-store.js';
import { createListingsJob } from './listings.js';
import { createMaintenanceJob } from './maintenance.js';
import { createPublishJob } from './publish.js';
import { createReconcileJob } from './reconcile.js';
import { createRunDue } from './run-due.js';
import { timetable } from './timetable.js';
import { createUnderwritingJob } from './underwriting.js';

const dayMs = 86_400_000;
/** Sold replies can be delivered again for at least this long. */
const keepBodiesMs = 8 * dayMs;

/** The jobs of the service, over a running app. */
export function createJobs({ work, deliver, selling, database, now }: App): Job[] {
  const publish = async (report?: (figures: Record<string, number>) => void) => ({ ...(await work.publish(report)) });
  return [
    createListingsJob({
      deliver,
      ingestAll: (report) => work.ingest(report),
      refresh: async () => ({ underwritten: await work.underwrite(false), ...(await publish()) }),
    }),
    createUnderwritingJob(async (report) => ({
      underwritten: await work.underwrite(true, report),
      ...(await publish(report)),
    })),
    createPublishJob(publish),
    createReconcileJob(() => selling.reconcile()),
    createMaintenanceJob(async () => {
      const bodies = await selling.ledger.discardBodies(new Date(now().getTime() - keepBodiesMs));
      const rawRecords = await purgeRawRecords(database.knex, now(), () => new Promise(setImmediate));
      await database.maintain();
      return { bodies, rawRecords };
    }),
  ];
}

/** Starts the clock over the app's jobs; what was missed is caught up once, the first data of a new database included. */
export function startJobs(app: App): Clock {
  const { database, owner, now, log } = app;
  const runDue = createRunDue({ store: createJobRunsStore(database.knex), jobs: createJobs(app), owner, now, log });
  return startClock({ timetable, runDue, log, now });
}
