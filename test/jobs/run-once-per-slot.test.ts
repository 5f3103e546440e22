import assert from 'node:assert/strict';
import { createJobRunsStore, type ClaimRequest, type JobRunsStore } from '../../jobs/job-runs-store.js';
import { isOver, runOncePerSlot, type SlotOutcome, type SlotRun } from '../../jobs/run-once-per-slot.js';
import { stopDatabaseClock } from '../support/database-clock.js';
import { openTestInstances, type TestInstances } from '../support/database.js';

const slot = new Date('2026-03-08T05:00:00.000Z');
const later = new Date('2026-03-09T05:00:00.000Z');
const leaseMs = 600_000;

/** A promise that the test resolves. */
function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('runOncePerSlot', () => {
  let instances: TestInstances;
  let stores: JobRunsStore[];
  let clockMs: number;

  before(async () => {
    instances = await openTestInstances(3);
    stores = instances.databases.map(({ knex }) => createJobRunsStore(knex));
  });
  after(() => instances.close());
  beforeEach(async () => {
    await setClock(slot.getTime());
    await instances.databases[0]?.knex('job_runs').del();
  });

  /** That of the database. */
  const setClock = (ms: number): Promise<void> =>
    stopDatabaseClock((instances.databases[0] ?? assert.fail()).knex, new Date((clockMs = ms)));

  function on(instance: number, changes: Partial<SlotRun> = {}): Promise<SlotOutcome> {
    const store = stores[instance];
    assert.ok(store);
    return runOncePerSlot({
      store,
      job: 'listings',
      slot,
      owner: `instance-${instance}`,
      leaseMs,
      maxAttempts: 3,
      now: () => new Date(clockMs),
      run: async () => ({ rows: 1 }),
      ...changes,
    });
  }

  /** Starts a run that lasts until the returned function is called. */
  async function start(instance: number, changes: Partial<SlotRun> = {}): Promise<() => Promise<SlotOutcome>> {
    const [started, finish] = [gate(), gate()];
    const run = async () => {
      started.open();
      await finish.opened;
      return {};
    };
    const running = on(instance, { ...changes, run });
    await started.opened;
    return () => {
      finish.open();
      return running;
    };
  }

  /** A process takes a slot and disappears. */
  async function dieWith(changes: Partial<ClaimRequest> = {}): Promise<void> {
    const request = { job: 'listings', slot, lane: 'listings', owner: 'dead', leaseMs, maxAttempts: 3 };
    await stores[0]?.claim({ ...request, ...changes });
  }

  async function history(): Promise<Awaited<ReturnType<JobRunsStore['list']>>> {
    return (await stores[0]?.list({ job: 'listings', limit: 10 })) ?? [];
  }

  it('runs a slot once, for any number of concurrent instances', async () => {
    const runs: string[] = [];
    for (let hour = 0; hour < 10; hour++) {
      const each = new Date(slot.getTime() + hour * 3_600_000);
      await setClock(each.getTime());
      const attempts = [0, 1, 2].map((instance) =>
        on(instance, {
          slot: each,
          run: async () => {
            runs.push(each.toISOString());
            return {};
          },
        }),
      );
      const statuses = (await Promise.all(attempts)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 'succeeded').length, 1, statuses.join());
    }
    assert.equal(runs.length, 10);
    assert.equal(new Set(runs).size, 10);
  });

  it('records instance, time and result', async () => {
    const outcome = await on(0, {
      run: async ({ slot: given }) => {
        assert.deepEqual(given, slot);
        await setClock(clockMs + 5000);
        return { rows: 12, note: 'all new' };
      },
    });
    assert.deepEqual(outcome, { status: 'succeeded', summary: { rows: 12, note: 'all new' }, attempt: 1 });
    assert.deepEqual(await history(), [
      {
        job: 'listings',
        slot,
        state: 'succeeded',
        owner: 'instance-0',
        attempts: 1,
        startedAt: slot,
        finishedAt: new Date(slot.getTime() + 5000),
        error: null,
        progress: null,
        summary: { rows: 12, note: 'all new' },
      },
    ]);
    const again = await on(1);
    assert.equal(again.status, 'over');
    assert.equal(isOver(again), true);
  });

  it('leaves a slot alone while another instance runs it', async () => {
    const end = await start(0);
    const other = await on(1);
    assert.deepEqual(other, { status: 'busy' });
    assert.equal(isOver(other), false);
    assert.equal((await end()).status, 'succeeded');
  });

  it('does not run two slots of one job at the same time, but two jobs', async () => {
    const end = await start(0);
    assert.equal((await on(1, { slot: later })).status, 'busy');
    assert.equal((await on(2, { job: 'reconcile' })).status, 'succeeded');
    await end();
    assert.equal((await on(1, { slot: later })).status, 'succeeded');
  });

  it('does not run two jobs of one lane at the same time', async () => {
    const end = await start(0, { lane: 'feed' });
    assert.deepEqual(await on(1, { job: 'publish', lane: 'feed' }), { status: 'busy' });
    await end();
    assert.equal((await on(1, { job: 'publish', lane: 'feed' })).status, 'succeeded');
  });

  it('frees a lane whose process died, and still takes over that slot', async () => {
    await dieWith({ lane: 'feed' });
    assert.equal((await on(1, { job: 'publish', lane: 'feed' })).status, 'busy');
    await setClock(clockMs + leaseMs);
    assert.equal((await on(1, { job: 'publish', lane: 'feed' })).status, 'succeeded');
    assert.equal((await history())[0]?.error, 'The process that ran it died.');
    assert.deepEqual(await on(1, { lane: 'feed' }), { status: 'succeeded', summary: { rows: 1 }, attempt: 2 });
  });

  it('takes a slot over when the lease of a dead process ends, not before', async () => {
    await dieWith();
    await setClock(clockMs + leaseMs - 1);
    assert.equal((await on(1)).status, 'busy');
    await setClock(clockMs + 1);
    const outcomes = await Promise.all([on(0), on(1), on(2)]);
    const winners = outcomes.filter(({ status }) => status === 'succeeded');
    assert.deepEqual(winners, [{ status: 'succeeded', summary: { rows: 1 }, attempt: 2 }]);
  });

  it('does not let a process that lost its slot write its outcome', async () => {
    const outcome = await on(0, {
      run: async () => {
        await setClock(clockMs + leaseMs);
        assert.equal((await on(1, { run: async () => ({ rows: 2 }) })).status, 'succeeded');
        return { rows: 1 };
      },
    });
    assert.deepEqual(outcome, { status: 'lost' });
    const [run] = await history();
    assert.deepEqual([run?.owner, run?.summary], ['instance-1', { rows: 2 }]);
  });

  it('notifies a running job that its slot was taken over', async () => {
    const outcome = await on(0, {
      leaseMs: 3,
      run: async ({ signal }) => {
        await instances.databases[0]?.knex('job_runs').update({ owner: 'someone-else' });
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw signal.reason;
      },
    });
    assert.deepEqual(outcome, { status: 'lost' });
  });

  it('renews the lease while the job runs, and writes the latest progress', async () => {
    const store = stores[0];
    assert.ok(store);
    const renewed = gate();
    const watched: JobRunsStore = {
      ...store,
      renew: async (claim, ms, progress) => {
        const good = await store.renew(claim, ms, progress);
        if (progress !== undefined) renewed.open();
        return good;
      },
    };
    await on(0, {
      store: watched,
      leaseMs: 30,
      run: async ({ onProgress }) => {
        await setClock(clockMs + 1000);
        onProgress({ page: 6 });
        onProgress({ page: 7 });
        await renewed.opened;
        const row = await instances.databases[0]?.knex('job_runs').first();
        assert.deepEqual(row.progress, { page: 7 });
        assert.equal(row.lease_until.getTime(), slot.getTime() + 1030);
        return {};
      },
    });
  });

  it('keeps the message of a failure and retries, with growing pauses, up to the last attempt', async () => {
    const fail = async (): Promise<never> => {
      throw new Error('upstream answered 503 to https://me:pw@host/');
    };
    const error = 'upstream answered 503 to https://***@host/';
    const first = await on(0, { run: fail, retryDelayMs: 60_000 });
    assert.deepEqual(first, { status: 'failed', error, attempt: 1, retryMs: 60_000 });
    assert.equal(isOver(first), false);
    assert.equal((await history())[0]?.error, error);
    await setClock(clockMs + 59_999);
    assert.equal((await on(1)).status, 'busy');
    await setClock(clockMs + 1);
    const second = await on(1, { run: fail, retryDelayMs: 60_000 });
    assert.deepEqual(second, { status: 'failed', error, attempt: 2, retryMs: 120_000 });
    await setClock(clockMs + 120_000);
    const third = await on(2, { run: fail });
    assert.deepEqual(third, { status: 'failed', error, attempt: 3 });
    assert.equal(isOver(third), true);
    await setClock(clockMs + 10 * leaseMs);
    assert.equal((await on(0)).status, 'over');
    assert.equal((await history())[0]?.state, 'failed');
  });

  it('succeeds after a failure, and forgets the error', async () => {
    await on(0, { retryDelayMs: 0, run: () => Promise.reject(new Error('made up')) });
    assert.equal((await on(1)).status, 'succeeded');
    const [run] = await history();
    assert.deepEqual([run?.state, run?.attempts, run?.error], ['succeeded', 2, null]);
  });

  it('does not count a run that was interrupted by a stop of the process', async () => {
    const stop = new AbortController();
    const outcome = await on(0, {
      signal: stop.signal,
      run: async ({ signal }) => {
        stop.abort(new Error('stopping'));
        signal.throwIfAborted();
        return {};
      },
    });
    assert.deepEqual(outcome, { status: 'interrupted' });
    const next = await on(1);
    assert.deepEqual(next, { status: 'succeeded', summary: { rows: 1 }, attempt: 1 });
  });

  it('gives up a slot whose process died on the last attempt, and older slots that will not run again', async () => {
    await dieWith({ maxAttempts: 1 });
    await setClock(clockMs + leaseMs);
    assert.equal((await on(1, { maxAttempts: 1 })).status, 'over');
    assert.equal((await history())[0]?.error, 'The process that ran it died.');
    const middle = new Date(slot.getTime() + 3_600_000);
    await setClock(middle.getTime());
    await dieWith({ slot: middle });
    await setClock(later.getTime());
    assert.equal((await on(1, { slot: later })).status, 'succeeded');
    assert.deepEqual(
      (await history()).map((run) => [run.slot.toISOString(), run.state]),
      [
        [later.toISOString(), 'succeeded'],
        [middle.toISOString(), 'failed'],
        [slot.toISOString(), 'failed'],
      ],
    );
  });

  it('deletes old slots, but neither the latest success of a job nor running ones', async () => {
    const store = stores[0];
    assert.ok(store);
    const day = (n: number): Date => new Date(Date.UTC(2026, 2, n, 5));
    for (const n of [1, 2, 3]) await on(0, { slot: day(n) });
    await on(0, { slot: day(4), run: () => Promise.reject(new Error('made up')) });
    await on(0, { job: 'publish', slot: day(1) });
    await dieWith({ slot: day(5) });
    assert.equal(await store.forgetBefore(day(9)), 3);
    const left = (await store.list({ limit: 10 })).map((run) => `${run.job} ${run.slot.getUTCDate()} ${run.state}`);
    assert.deepEqual(left, ['listings 5 running', 'listings 3 succeeded', 'publish 1 succeeded']);
  });
});
