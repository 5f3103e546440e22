import type { App } from '../src/app.js';
import type { Upkeep } from '../src/payments/open-upkeep.js';
import type { PublicationExtent } from '../src/publishing/pipeline.js';
import { dropOldEvents } from '../src/feeds/events/drop-old-events.js';
import { discardGone } from '../src/sources/ingest/discard-gone.js';
import type { IngestReport } from '../src/sources/ingest/ingest-run.js';
import type { DeliveryKind } from '../src/sources/source.js';
import type { Job, JobContext, JobFigures } from './job.js';
import { createJobRunsStore } from './job-runs-store.js';

/** The parts of a running app that the jobs use. */
export interface JobPorts extends Pick<App, 'pipeline' | 'deliver' | 'database' | 'owner' | 'now' | 'log'> {
  readonly config: Pick<App['config'], 'replyRetentionMs'>;
  readonly selling: Pick<Upkeep, 'reconcile' | 'ledgerReports' | 'isBehind' | 'rebuild' | 'discardRelayed'> & {
    readonly ledger: Pick<Upkeep['ledger'], 'discardBodies'>;
  };
}

const dayMs = 86_400_000;
/** After two days a signed transaction was mined or has left every node's pool, and its authorization has expired. */
const keepRelayedMs = 2 * dayMs;
/** Retention of the job history. */
const keepRunsMs = 30 * dayMs;

/** Creates the jobs of the service; their times are in `timetable.ts`. */
export function createJobs(ports: JobPorts): Job[] {
  const { pipeline, selling } = ports;
  const publish =
    (extent: PublicationExtent): Job['run'] =>
    async ({ onProgress }) => ({ ...(await pipeline.publish(extent, { onProgress })) });
  return [
    createReadJob('rents', ['rents'], ports, async () => ({ todo: (await pipeline.adviseOnRents()) ?? '' })),
    // A parcel roll locates the parcels of the signals.
    createReadJob('signals', ['parcels', 'signals'], ports, publish('changed')),
    createReadJob('auctions', ['auctions'], ports, publish('changed')),
    createReadJob('listings', ['listings'], ports, publish('all')),
    { name: 'underwriting', run: publish('day') },
    // Deals and leads state the day.
    { name: 'publish', run: publish('day') },
    // Publishes takedowns of new suppressions and ended licences.
    { name: 'licences', run: async ({ onProgress }) => ({ ...(await pipeline.publishIfBehind(onProgress)) }) },
    {
      name: 'reconcile',
      run: async ({ onProgress }) => ({ ...(await selling.reconcile((progress) => onProgress({ ...progress }))) }),
    },
    {
      name: 'audit',
      run: async ({ onProgress }) => ({
        ...(await selling.ledgerReports.audit((progress) => onProgress({ ...progress }))),
      }),
    },
    {
      name: 'rebuild',
      isNeeded: selling.isBehind,
      run: async ({ onProgress }) => ({ ...(await selling.rebuild((progress) => onProgress({ ...progress }))) }),
    },
    { name: 'maintenance', run: () => maintain(ports) },
    createStepJob(ports),
  ];
}

/**
 * Creates the job that reads the sources of some kinds of records and publishes the result; without `publish`, a later
 * job publishes. An instance that sees none of the sources leaves the slot to others.
 */
function createReadJob(
  name: string,
  delivers: readonly DeliveryKind[],
  { pipeline, deliver, now }: JobPorts,
  publish: Job['run'] = async () => ({}),
): Job {
  let delivered: number | undefined;
  /** Demonstration only: writes the delivery of the slot's latest day, once. A late weekly slot may be days old. */
  async function writeDemoDelivery(slot: Date): Promise<void> {
    const days = Math.floor((now().getTime() - slot.getTime()) / dayMs);
    const at = slot.getTime() + Math.max(days, 0) * dayMs;
    if (at === delivered) return;
    await deliver(new Date(at));
    delivered = at;
  }
  return {
    name,
    async canRun(slot) {
      await writeDemoDelivery(slot);
      return pipeline.checkSourcesSeen(delivers);
    },
    async run(context: JobContext) {
      await writeDemoDelivery(context.slot);
      const { onProgress, signal } = context;
      const figures = sumUp(await pipeline.ingest(onProgress, { delivers, signal }));
      return { ...figures, ...(await publish(context)) };
    },
  };
}

/** Creates the job that moves the demonstration on: six records change, and are read and published like any other. */
function createStepJob({ pipeline, deliver, now }: JobPorts): Job {
  const startedAt = now();
  return {
    name: 'demonstration',
    async run({ slot, onProgress, signal }) {
      // What has just begun is not moved at once.
      if (slot <= startedAt) return {};
      await deliver(now(), true);
      const figures = sumUp(await pipeline.ingest(onProgress, { delivers: ['listings', 'auctions'], signal }));
      return { ...figures, ...(await pipeline.publish('changed', { onProgress })) };
    },
  };
}

/** The figures of some readings, with the problems of sources that could not be read. */
function sumUp(reports: readonly IngestReport[]): JobFigures {
  const sum = (pick: (each: IngestReport) => number) => reports.reduce((total, each) => total + pick(each), 0);
  return {
    sources: reports.length,
    rows: sum((each) => each.rows),
    rejected: sum((each) => each.rejected),
    retired: sum((each) => each.retired),
    problems: reports
      .flatMap((each) => (each.problem === undefined ? [] : [`${each.source}: ${each.problem}`]))
      .join(' '),
  };
}

/** Deletes data past its retention, and reclaims space. */
async function maintain({ config, selling, database, now }: JobPorts): Promise<JobFigures> {
  const before = (ageMs: number): Date => new Date(now().getTime() - ageMs);
  const bodies = await selling.ledger.discardBodies(config.replyRetentionMs);
  const relayed = await selling.discardRelayed(keepRelayedMs);
  const gone = await discardGone(database.knex, now(), () => new Promise(setImmediate));
  const jobRuns = await createJobRunsStore(database.knex).forgetBefore(before(keepRunsMs));
  const events = await dropOldEvents(database.knex, now(), () => new Promise(setImmediate));
  await database.maintain();
  return { events, bodies, relayed, ...gone, jobRuns };
}
