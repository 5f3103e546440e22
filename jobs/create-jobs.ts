import type { App } from '../src/app.js';
import type { PublicationExtent, UnderwritingExtent } from '../src/publishing/pipeline.js';
import type { Upkeep } from '../src/payments/open-upkeep.js';
import { discardGone } from '../src/sources/ingest/discard-gone.js';
import { createAuditJob } from './audit.js';
import type { Job } from './job.js';
import { createJobRunsStore } from './job-runs-store.js';
import { createLicencesJob } from './licences.js';
import { createMaintenanceJob } from './maintenance.js';
import { createPublishJob } from './publish.js';
import { createReadJob, type Publish, type ReadSteps } from './read-sources.js';
import { createReconcileJob } from './reconcile.js';
import { createUnderwritingJob } from './underwriting.js';

/** The parts of a running app that the jobs use. */
export interface JobPorts extends Pick<App, 'work' | 'deliver' | 'database' | 'owner' | 'now' | 'log'> {
  readonly config: Pick<App['config'], 'replyRetentionMs'>;
  readonly selling: Pick<Upkeep, 'reconcile' | 'ledgerReports' | 'discardRelayed'> & {
    readonly ledger: Pick<Upkeep['ledger'], 'discardBodies'>;
  };
}

const dayMs = 86_400_000;
/** After two days a signed transaction was mined or has left every node's pool, and its authorization has expired. */
const keepRelayedMs = 2 * dayMs;
/** Retention of the job history. */
const keepRunsMs = 30 * dayMs;

/** Creates the jobs of the service. */
export function createJobs({ work, deliver, config, selling, database, now }: JobPorts): Job[] {
  const before = (ageMs: number): Date => new Date(now().getTime() - ageMs);
  const publish =
    (extent: PublicationExtent, underwriting: UnderwritingExtent = 'due'): Publish =>
    async (report) => ({ ...(await work.publish(extent, { onProgress: report, underwriting })) });
  // A late weekly slot may be days old, so deliver for the latest day.
  const latestDayOf = (slot: Date): Date => {
    const days = Math.floor((now().getTime() - slot.getTime()) / dayMs);
    return new Date(slot.getTime() + Math.max(days, 0) * dayMs);
  };
  const reading: ReadSteps = {
    deliver: (slot) => deliver(latestDayOf(slot)),
    sees: (delivers) => work.seesSources(delivers),
    ingest: (delivers, { report, signal }) => work.ingest(report, { delivers, signal }),
  };
  return [
    createReadJob('rents', ['rents'], reading),
    // A parcel roll locates the parcels of the signals.
    createReadJob('signals', ['parcels', 'signals'], reading, publish('changed')),
    createReadJob('auctions', ['auctions'], reading, publish('changed')),
    createReadJob('listings', ['listings'], reading, publish('all')),
    createUnderwritingJob(publish('day', 'all')),
    createPublishJob(publish('day')),
    createLicencesJob(async (report) => {
      const published = await work.publishIfBehind(report);
      return published && { ...published };
    }),
    createReconcileJob((report) => selling.reconcile(report)),
    createAuditJob((report) => selling.ledgerReports.audit(report)),
    createMaintenanceJob(async () => {
      const bodies = await selling.ledger.discardBodies(before(config.replyRetentionMs));
      const relayed = await selling.discardRelayed(before(keepRelayedMs));
      const gone = await discardGone(database.knex, now(), () => new Promise(setImmediate));
      const jobRuns = await createJobRunsStore(database.knex).forgetBefore(before(keepRunsMs));
      await database.maintain();
      return { bodies, relayed, ...gone, jobRuns };
    }),
  ];
}
