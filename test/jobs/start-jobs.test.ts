import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { JobPorts } from '../../jobs/create-jobs.js';
import { createJobRunsStore } from '../../jobs/job-runs-store.js';
import { startJobs } from '../../jobs/start-jobs.js';
import { laneOf, slotOf, timetable } from '../../jobs/timetable.js';
import type { DatabaseKind } from '../../src/db/database.js';
import { closedLedgerReports } from '../support/closed-ledger-reports.js';
import { openTestDatabase } from '../support/database.js';

const now = (): Date => new Date('2026-03-08T05:10:00.000Z');

/** Starts the jobs after a process died in the daily listings; returns the slots in which sources were then read. */
async function restartAfterDeath(kind: DatabaseKind): Promise<string[]> {
  const database = await openTestDatabase();
  const entry = timetable.find(({ job }) => job === 'listings');
  assert.ok(entry);
  await createJobRunsStore(database.knex).claim({
    job: entry.job,
    slot: slotOf(entry, now()),
    lane: laneOf(entry),
    owner: 'dead',
    leaseMs: 120_000,
    maxAttempts: 5,
  });
  const read: string[] = [];
  const ports: JobPorts = {
    database: { ...database, kind },
    owner: 'alive',
    config: { replyRetentionMs: 86_400_000 },
    now,
    log: pino({ level: 'silent' }),
    deliver: async (day) => void read.push(day.toISOString()),
    pipeline: {
      ingest: async () => [],
      setSourceRemoved: async () => undefined,
      checkSourcesSeen: async () => true,
      publish: async () => ({
        version: 1,
        active: 0,
        changed: 0,
        retired: 0,
        refused: 0,
        signals: 0,
        auctions: 0,
        leads: 0,
      }),
      publishIfBehind: async () => undefined,
      loadRents: async () => assert.fail(),
      adviseOnRents: async () => undefined,
      suppress: async () => undefined,
      refresh: async () => undefined,
    },
    selling: {
      reconcile: async () => ({ open: 0, settled: 0, released: 0, waiting: 0, reorged: 0 }),
      ledgerReports: closedLedgerReports,
      isBehind: async () => false,
      rebuild: () => closedLedgerReports.rebuild(),
      discardRelayed: async () => 0,
      ledger: { discardBodies: async () => 0 },
    },
  };
  const clock = await startJobs(ports);
  await clock.tick();
  await clock.stop();
  await database.close();
  return read;
}

describe('startJobs', () => {
  it('continues the work of a killed process at once, when the database has no other user', async () => {
    assert.ok((await restartAfterDeath('embedded')).includes('2026-03-08T05:00:00.000Z'));
  });

  it('waits for the lease of a slot when other instances may share the database', async () => {
    assert.deepEqual(await restartAfterDeath('postgres'), []);
  });
});
