import assert from 'node:assert/strict';
import {
  createJobRunsStore,
  type ClaimRequest,
  type ClaimResult,
  type JobRunsStore,
} from '../../jobs/job-runs-store.js';
import type { Database } from '../../src/db/database.js';
import { stopDatabaseClock } from '../support/database-clock.js';
import { openTestDatabase } from '../support/database.js';

const slot = new Date('2026-03-08T05:00:00.000Z');
const leaseMs = 120_000;

describe('createJobRunsStore', () => {
  it('ends the leases of others for the only holder of the database, and keeps its own', async () => {
    const database = await openTestDatabase();
    const store = createJobRunsStore(database.knex);
    const claim = (job: string, owner: string) => store.claim({ job, slot, lane: job, owner, leaseMs, maxAttempts: 5 });
    await claim('listings', 'dead');
    await claim('reconcile', 'alive');
    assert.equal(await store.endForeignLeases('alive'), 1);
    const taken = await claim('listings', 'alive');
    assert.ok(taken.status === 'claimed' && taken.claim.attempt === 2);
    assert.equal((await claim('reconcile', 'third')).status, 'busy');
    await database.close();
  });
});

const dayMs = 86_400_000;

describe('slots claimed while the clock of the database was two days ahead', () => {
  let database: Database;
  let store: JobRunsStore;
  before(async () => {
    database = await openTestDatabase();
    store = createJobRunsStore(database.knex);
  });
  after(() => database.close());
  beforeEach(() => database.knex('job_runs').del());

  async function claim(now: Date, changes: Partial<ClaimRequest> = {}): Promise<ClaimResult> {
    await stopDatabaseClock(database.knex, now);
    return store.claim({ job: 'listings', slot: now, lane: 'feed', owner: 'one', leaseMs, maxAttempts: 5, ...changes });
  }

  async function succeed(now: Date, changes: Partial<ClaimRequest> = {}): Promise<void> {
    const result = await claim(now, changes);
    assert.ok(result.status === 'claimed');
    await store.finish(result.claim, { state: 'succeeded', summary: {} });
  }

  const daysLater = (days: number): Date => new Date(slot.getTime() + days * dayMs);

  it('are run again at their time', async () => {
    await succeed(daysLater(2));
    await succeed(slot);
    await succeed(daysLater(1));
    assert.equal((await claim(daysLater(2))).status, 'claimed');
  });

  it('block nothing when their process died: neither their lane nor, when due, themselves', async () => {
    await claim(daysLater(2));
    assert.equal((await claim(slot, { job: 'publish', owner: 'two' })).status, 'claimed');
    await database.knex('job_runs').del();
    await claim(daysLater(2), { slot });
    assert.equal((await claim(slot, { owner: 'two' })).status, 'claimed');
  });

  it('are retried after a failure, without a pause of days', async () => {
    const ahead = daysLater(2);
    const result = await claim(ahead, { slot });
    assert.ok(result.status === 'claimed');
    await store.finish(result.claim, { state: 'failed', error: 'x', retryMs: 60_000, counts: true });
    assert.equal((await claim(slot)).status, 'claimed');
  });

  it('stay claimed when it was ahead only by minutes', async () => {
    const ahead = new Date(slot.getTime() + 5 * 60_000);
    await claim(ahead);
    assert.equal((await claim(slot, { job: 'publish', owner: 'two' })).status, 'busy');
    await database.knex('job_runs').del();
    await succeed(ahead);
    await succeed(slot, { owner: 'two' });
    assert.equal((await claim(ahead, { owner: 'two' })).status, 'succeeded');
  });
});
