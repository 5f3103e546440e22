import { setTimeout } from 'node:timers/promises';
import { readDemand } from '../src/operator/metrics/demand-reader.js';
import type { OperatorCommands, Figures, JobLine } from '../src/operator/socket/operator-commands.js';
import type { Order } from '../src/operator/socket/messages.js';
import { OperatorError } from '../src/errors.js';
import { createJobs, type JobPorts } from './create-jobs.js';
import type { Job, JobContext, JobFigures } from './job.js';
import { createJobRunsStore, type JobRunsStore } from './job-runs-store.js';
import { describeColumns, readRejectTable, readSourceTable } from './source-table.js';
import { runOncePerSlot, type SlotOutcome } from './run-once-per-slot.js';
import { laneOf, nextSlotOf, timetable, type TimetableEntry } from './timetable.js';

export { timetable };

/** Without renewal for this long the run counts as dead. Renewed while the job runs. */
const leaseMs = 120_000;
/** How often a run that waits looks whether its lane is free. */
const waitMs = 250;

/**
 * The operator's commands over the jobs of this process. A manual run is a slot of its own in the history and never
 * changes scheduled slots. While its lane is busy on any instance, it waits and says for what, or refuses. `signal`
 * aborts when the process is stopping.
 */
export function openOperatorCommands(ports: JobPorts, signal?: AbortSignal): OperatorCommands {
  const { database, owner, now, log } = ports;
  const store = createJobRunsStore(database.knex);
  const jobs = new Map(createJobs(ports).map((job) => [job.name, job]));
  async function run(
    name: string,
    lane: string,
    onProgress: (figures: Figures) => void,
    work: Job['run'],
    waits = false,
  ): Promise<SlotOutcome> {
    const slot = now();
    log.info({ job: name, slot }, 'job started by hand');
    const runNow = (): Promise<SlotOutcome> =>
      runOncePerSlot({
        store,
        job: name,
        slot,
        lane,
        owner,
        leaseMs,
        maxAttempts: 1,
        now,
        ...(signal === undefined ? {} : { signal }),
        run: (context) => {
          const tellBoth = (figures: Figures): void => {
            context.onProgress({ ...figures });
            onProgress(figures);
          };
          return work({ ...context, onProgress: tellBoth });
        },
      });
    let outcome = await runNow();
    while (waits && outcome.status === 'busy') {
      onProgress({ waitsFor: (await store.findRunning(lane)) ?? '' });
      const isStopping = await setTimeout(waitMs, false, { signal }).catch(() => true);
      outcome = isStopping ? { status: 'interrupted' } : await runNow();
    }
    log.info({ job: name, slot, ...outcome }, 'job run by hand');
    return outcome;
  }

  const runInLane = (order: FeedOrder, onProgress: (figures: Figures) => void, waits?: boolean): Promise<SlotOutcome> =>
    run(
      order.do,
      'feed',
      onProgress,
      async (context) => ({ ...(await runOrder(ports.pipeline, order, context)) }),
      waits,
    );

  /** Never beside an audit. */
  async function rebuild(
    { since }: Order & { do: 'rebuild' },
    onProgress: (figures: Figures) => void,
    waits?: boolean,
  ): Promise<Figures> {
    const from = since === undefined ? undefined : new Date(`${since}T00:00:00Z`);
    const work: Job['run'] = async (context) => ({
      ...(await ports.selling.ledgerReports.rebuild(from, (progress) => context.onProgress({ ...progress }))),
    });
    return figuresOf('rebuild', await run('rebuild', 'audit', onProgress, work, waits));
  }

  /** Recording the order waits for nothing, even if a job holds the lane for hours. */
  async function record(order: Recorded, onProgress: (figures: Figures) => void): Promise<Figures> {
    if (order.do === 'remove-source' || order.do === 'restore-source')
      await ports.pipeline.setSourceRemoved(order.source, order.do === 'remove-source');
    else await ports.pipeline.suppress(order);
    const outcome = await runInLane(order, onProgress);
    if (outcome.status === 'busy') return { [nameOf(order)]: 'recorded', publication: publicationWaits };
    return figuresOf(order.do, outcome, ` The ${nameOf(order)} is recorded; the next publication applies it.`);
  }

  return {
    listJobs: () => Promise.all(timetable.map((entry) => describeJob(entry, store, now()))),
    async askLedger(question, onRows) {
      if (question.about !== 'demand') return ports.selling.ledgerReports.answer(question, onRows);
      await onRows(await readDemand(database.knex, question));
      return [];
    },
    async runJob(name, onProgress, waits) {
      const job = jobs.get(name);
      const entry = timetable.find((each) => each.job === name);
      if (job === undefined || entry === undefined)
        throw new OperatorError(
          `There is no job ${JSON.stringify(name)}. The jobs are ${[...jobs.keys()].join(', ')}.`,
        );
      return figuresOf(name, await run(name, laneOf(entry), onProgress, (context) => job.run(context), waits));
    },
    async runOrder(order, onProgress, waits) {
      if (order.do === 'ingest' || order.do === 'load-rents')
        return figuresOf(order.do, await runInLane(order, onProgress, waits));
      return order.do === 'rebuild' ? rebuild(order, onProgress, waits) : record(order, onProgress);
    },
    listSources: () => readSourceTable(database, now()),
    listRejects: (question) => readRejectTable(database, question),
  };
}

async function describeJob(entry: TimetableEntry, store: JobRunsStore, now: Date): Promise<JobLine> {
  const [run] = await store.list({ job: entry.job, limit: 1 });
  return {
    job: entry.job,
    state: run?.state ?? 'never run',
    lastSlot: run?.slot.toISOString() ?? null,
    next: nextSlotOf(entry, now).toISOString(),
    error: run?.error ?? null,
  };
}

/** Orders that change the feed. */
type FeedOrder = Exclude<Order, { readonly do: 'rebuild' }>;

/** Orders that are recorded at once and published when the lane is free. */
type Recorded = Exclude<Order, { readonly do: 'ingest' | 'load-rents' | 'rebuild' }>;

function nameOf({ do: kind }: Recorded): string {
  if (kind === 'remove-source') return 'removal';
  return kind === 'restore-source' ? 'restoring' : 'suppression';
}

const publicationWaits =
  'waits for the running feed job, then follows by itself; nothing suppressed or removed is shown meanwhile';

/**
 * The figures of a successful run.
 *
 * @throws OperatorError when the run did not succeed, with `stillTrue` appended
 */
function figuresOf(name: string, outcome: SlotOutcome, stillTrue = ''): JobFigures {
  if (outcome.status === 'succeeded') return outcome.summary;
  throw new OperatorError(describeOutcome(name, outcome) + stillTrue);
}

function describeOutcome(job: string, outcome: Exclude<SlotOutcome, { status: 'succeeded' }>): string {
  if (outcome.status === 'failed') return `The job ${job} failed: ${outcome.error}`;
  if (outcome.status === 'interrupted') return `The job ${job} was cut off: the server is stopping. Run it again.`;
  if (outcome.status === 'busy')
    return `The job ${job} cannot run now: it or another job of its lane is running. Try again later.`;
  return `The job ${job} did not finish here (${outcome.status}): another process took it over. See its state with "jobs".`;
}

/**
 * Runs an operator's order on the feed. For a suppression, or a source removed or restored, runs its publication.
 *
 * @throws OperatorError when the order cannot be carried out
 */
async function runOrder(
  pipeline: JobPorts['pipeline'],
  order: FeedOrder,
  { onProgress, signal }: Pick<JobContext, 'onProgress' | 'signal'>,
): Promise<Figures> {
  if (order.do === 'load-rents') {
    const { isStored, ...report } = await pipeline.loadRents(order, onProgress);
    return { ...report, stored: isStored ? 'yes' : order.dryRun ? 'no, tried only' : 'no, loaded before' };
  }
  if (order.do === 'restore-source') {
    const { changed, signals, auctions } = await pipeline.publish('all', { onProgress });
    return { deals: changed, signals, auctions };
  }
  if (order.do !== 'ingest') {
    const { retired = 0, signals = 0, auctions = 0 } = (await pipeline.publishIfBehind(onProgress)) ?? {};
    return { deals: retired, signals, auctions };
  }
  const { source, since, dryRun, acceptShrink } = order;
  const how = { dryRun, acceptShrink, ...(since === undefined ? {} : { since }) };
  const [run] = await pipeline.ingest(onProgress, { source, signal, ...how });
  if (run === undefined) throw new OperatorError(`The source ${source} was not read.`);
  const { status, rows, accepted, rejected, created, retired, problem = '' } = run;
  if (status !== 'tried' && status !== 'completed' && problem !== '')
    throw new OperatorError(`${source} ${status}: ${problem}`);
  const columns = describeColumns(run.imported).join('\n');
  return { status, rows, accepted, rejected, created, retired, problem, columns };
}
