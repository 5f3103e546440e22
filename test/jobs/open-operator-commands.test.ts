import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { JobPorts } from '../../jobs/create-jobs.js';
import { createJobRunsStore } from '../../jobs/job-runs-store.js';
import { openOperatorCommands } from '../../jobs/open-operator-commands.js';
import { timetable } from '../../jobs/timetable.js';
import type { Database } from '../../src/db/database.js';
import type { Figures } from '../../src/operator/socket/operator-commands.js';
import type { LedgerReports } from '../../src/payments/audit/ledger-reports.js';
import { OperatorError } from '../../src/errors.js';
import { closedLedgerReports } from '../support/closed-ledger-reports.js';
import { openTestDatabase } from '../support/database.js';

const now = new Date('2026-03-08T12:00:30.000Z');
const figures = {
  version: 7,
  active: 3,
  changed: 1,
  retired: 0,
  refused: 0,
  signals: 0,
  auctions: 0,
  leads: 0,
};

describe('openOperatorCommands', () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());
  beforeEach(() => database.knex('job_runs').del());

  function open(
    publish: JobPorts['pipeline']['publish'] = async () => figures,
    signal?: AbortSignal,
    ledgerReports: LedgerReports = closedLedgerReports,
  ) {
    const ports: JobPorts = {
      pipeline: {
        ingest: async () => [],
        setSourceRemoved: async () => undefined,
        checkSourcesSeen: async () => true,
        publishIfBehind: async () => undefined,
        suppress: async () => {},
        loadRents: async () => assert.fail(),
        adviseOnRents: async () => undefined,
        publish,
        refresh: async () => {},
      },
      deliver: async () => {},
      config: { replyRetentionMs: 86_400_000 },
      selling: {
        reconcile: async () => ({ open: 0, settled: 0, released: 0, waiting: 0, reorged: 0 }),
        ledgerReports,
        isBehind: async () => false,
        rebuild: () => closedLedgerReports.rebuild(),
        discardRelayed: async () => 0,
        ledger: { discardBodies: async () => 0 },
      },
      database,
      owner: 'operator',
      now: () => now,
      log: pino({ level: 'silent' }),
    };
    return openOperatorCommands(ports, signal);
  }

  it('lists every job of the timetable with its next run, even if it never ran', async () => {
    const jobs = await open().listJobs();
    assert.deepEqual(
      jobs.map(({ job }) => job),
      timetable.map(({ job }) => job),
    );
    assert.deepEqual(
      jobs.find(({ job }) => job === 'listings'),
      {
        job: 'listings',
        state: 'never run',
        lastSlot: null,
        next: '2026-03-09T05:00:00.000Z',
        error: null,
      },
    );
  });

  it('runs each job by hand, and keeps it in the history as a slot of its own', async () => {
    const commands = open();
    for (const { job } of timetable) await commands.runJob(job, () => {});
    const jobs = await commands.listJobs();
    for (const { state, lastSlot } of jobs) assert.deepEqual([state, lastSlot], ['succeeded', now.toISOString()]);
  });

  it('publishes changes after county readings, and everything after listing readings', async () => {
    const published: unknown[] = [];
    const commands = open(async (extent) => {
      published.push(extent);
      return figures;
    });
    for (const job of ['rents', 'signals', 'auctions', 'listings', 'underwriting', 'publish'])
      await commands.runJob(job, () => {});
    assert.deepEqual(published, ['changed', 'changed', 'all', 'day', 'day']);
  });

  it('reports progress and figures', async () => {
    const progress: Figures[] = [];
    const commands = open(async (_extent, { onProgress } = {}) => {
      onProgress?.({ published: 2 });
      return figures;
    });
    const told = await commands.runJob('publish', (each) => progress.push(each));
    assert.deepEqual(progress, [{ published: 2 }]);
    assert.deepEqual(told, figures);
  });

  it('refuses to run beside a job of the same lane on any instance', async () => {
    const store = createJobRunsStore(database.knex);
    const claim = { job: 'listings', lane: 'feed', owner: 'elsewhere', leaseMs: 60_000, maxAttempts: 5 };
    await store.claim({ ...claim, slot: new Date('2026-03-08T05:00:00.000Z') });
    let ran = false;
    const commands = open(async () => {
      ran = true;
      return figures;
    });
    await assert.rejects(
      commands.runJob('publish', () => {}),
      (error) => error instanceof OperatorError && /cannot run now/.test(error.message),
    );
    assert.equal(ran, false);
    await commands.runJob('reconcile', () => {});
  });

  it('waits for a job of the same lane where it is asked to, says for which, and then runs', async () => {
    const store = createJobRunsStore(database.knex);
    const owner = { owner: 'elsewhere', leaseMs: 60_000, maxAttempts: 5, slot: new Date(0) };
    await store.claim({ ...owner, job: 'signals', lane: 'feed' });
    const told: Figures[] = [];
    const onProgress = (figuresNow: Figures): void => {
      told.push(figuresNow);
      void database.knex('job_runs').where({ job: 'signals' }).update({ state: 'succeeded' }).then();
    };
    assert.deepEqual(await open().runJob('publish', onProgress, true), figures);
    assert.deepEqual(told[0], { waitsFor: 'signals' });
    await store.claim({ ...owner, job: 'audit', lane: 'audit', slot: new Date(1) });
    const stopping = new AbortController();
    const stopped = open(undefined, stopping.signal).runOrder({ do: 'rebuild' }, () => stopping.abort(), true);
    await assert.rejects(stopped, /was cut off: the server is stopping/);
  });

  it('rebuilds the ledger from the start of a day on, and never beside an audit', async () => {
    const asked: (Date | undefined)[] = [];
    const rebuild: LedgerReports['rebuild'] = async (since, onProgress) => {
      asked.push(since);
      onProgress?.({ written: 500 });
      return closedLedgerReports.rebuild();
    };
    const commands = open(undefined, undefined, { ...closedLedgerReports, rebuild });
    const store = createJobRunsStore(database.knex);
    const claim = {
      job: 'audit',
      lane: 'audit',
      owner: 'elsewhere',
      leaseMs: 60_000,
      maxAttempts: 5,
      slot: new Date(0),
    };
    await store.claim(claim);
    await assert.rejects(
      commands.runOrder({ do: 'rebuild' }, () => {}),
      /cannot run now/,
    );
    await database.knex('job_runs').del();
    const progress: Figures[] = [];
    const told = await commands.runOrder({ do: 'rebuild', since: '2026-03-01' }, (each) => progress.push(each));
    assert.deepEqual([told['written'], progress], [0, [{ written: 500 }]]);
    assert.deepEqual(asked, [new Date('2026-03-01T00:00:00.000Z')]);
  });

  it('reports why a job failed, and does not leave it for a retry', async () => {
    const commands = open(() => Promise.reject(new Error('The disk is full.')));
    await assert.rejects(
      commands.runJob('publish', () => {}),
      new OperatorError('The job publish failed: The disk is full.'),
    );
    const job = (await commands.listJobs()).find((each) => each.job === 'publish');
    assert.deepEqual([job?.state, job?.error], ['failed', 'The disk is full.']);
    const run = await database.knex('job_runs').where({ job: 'publish' }).first();
    assert.equal(run.attempts, 1);
  });

  it('interrupts a job at its next report when the process stops, and reports that', async () => {
    const stopping = new AbortController();
    let reported = 0;
    const commands = open(async (_extent, { onProgress } = {}) => {
      for (;;) {
        onProgress?.({ published: reported });
        reported += 1;
        stopping.abort(new Error('stopping'));
      }
    }, stopping.signal);
    await assert.rejects(
      commands.runJob('publish', () => {}),
      new OperatorError('The job publish was cut off: the server is stopping. Run it again.'),
    );
    assert.equal(reported, 1);
  });

  it('lists the existing jobs when asked for an unknown one', async () => {
    await assert.rejects(
      open().runJob('nothing', () => {}),
      new OperatorError(
        'There is no job "nothing". The jobs are rents, signals, auctions, listings, underwriting, publish, licences, ' +
          'reconcile, audit, rebuild, maintenance, demonstration.',
      ),
    );
  });
});
