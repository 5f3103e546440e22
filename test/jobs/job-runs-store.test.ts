import assert from 'node:assert/strict';
import { createJobRunsStore } from '../../jobs/job-runs-store.js';
import { openTestDatabase } from '../support/database.js';

const slot = new Date('2026-03-08T05:00:00.000Z');
const leaseUntil = new Date(slot.getTime() + 120_000);

describe('createJobRunsStore', () => {
  it("ends the leases of others for whoever holds the database alone, and leaves that one's own", async () => {
    const database = await openTestDatabase();
    const store = createJobRunsStore(database.knex);
    const claim = (job: string, owner: string) =>
      store.claim({ job, slot, lane: job, owner, now: slot, leaseUntil, maxAttempts: 5 });
    await claim('listings', 'dead');
    await claim('reconcile', 'alive');
    assert.equal(await store.endForeignLeases('alive', slot), 1);
    const taken = await claim('listings', 'alive');
    assert.ok(taken.status === 'claimed' && taken.claim.attempt === 2);
    assert.equal((await claim('reconcile', 'third')).status, 'held');
    await database.close();
  });
});
