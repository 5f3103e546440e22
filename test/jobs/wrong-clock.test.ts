import assert from 'node:assert/strict';
import { createJobRunsStore } from '../../jobs/job-runs-store.js';
import { runOncePerSlot, type SlotOutcome } from '../../jobs/run-once-per-slot.js';
import { stopDatabaseClock } from '../support/database-clock.js';
import { openTestInstances, type TestInstances } from '../support/database.js';

const slot = new Date('2026-03-08T05:00:00.000Z');
const later = (ms: number): Date => new Date(slot.getTime() + ms);
const [hourMs, leaseMs, pauseMs] = [3_600_000, 600_000, 60_000];

for (const hours of [-1, 1])
  describe(`jobs on an instance whose wall clock is ${hours < 0 ? 'an hour behind' : 'an hour ahead'}`, () => {
    let instances: TestInstances;
    let clockMs: number;
    beforeEach(async () => {
      instances = await openTestInstances(2);
      await setClock(0);
    });
    afterEach(() => instances.close());

    const knexOf = (index: number) => (instances.databases[index] ?? assert.fail()).knex;

    async function setClock(ms: number): Promise<void> {
      clockMs = ms;
      await stopDatabaseClock(knexOf(0), later(ms));
    }

    /** Instance 1 is the wrong one. */
    const run = (index: number, work: () => Promise<object>): Promise<SlotOutcome> =>
      runOncePerSlot({
        ...{ store: createJobRunsStore(knexOf(index)), job: 'listings', slot, owner: `instance ${index}` },
        ...{ leaseMs, maxAttempts: 3, retryDelayMs: pauseMs },
        now: () => later(clockMs + index * hours * hourMs),
        run: async () => ({ ...(await work()) }),
      });
    const succeed = async () => ({});
    const fail = () => Promise.reject(new Error('made up'));

    for (const holder of [0, 1]) {
      const [who, other] = [holder === 0 ? 'another instance' : 'it', 1 - holder];

      it(`are taken over when the lease that ${who} holds has ended, and no sooner`, async () => {
        let end = (): void => assert.fail();
        let running: Promise<SlotOutcome> | undefined;
        await new Promise<void>((begun) => {
          running = run(holder, () => new Promise((ended) => begun(void (end = () => ended({})))));
        });
        await setClock(leaseMs - 1);
        assert.deepEqual(await run(other, succeed), { status: 'busy' });
        await setClock(leaseMs);
        assert.equal((await run(other, succeed)).status, 'succeeded');
        end();
        assert.deepEqual(await running, { status: 'lost' });
      });

      it(`are tried again after the pause when ${who} has failed, and no sooner`, async () => {
        assert.equal((await run(holder, fail)).status, 'failed');
        await setClock(pauseMs - 1);
        assert.deepEqual(await run(other, succeed), { status: 'busy' });
        await setClock(pauseMs);
        assert.equal((await run(other, succeed)).status, 'succeeded');
      });
    }
  });
