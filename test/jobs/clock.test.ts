import assert from 'node:assert/strict';
import { getTasks } from 'node-cron';
import { pino } from 'pino';
import { startClock, type Clock } from '../../jobs/clock.js';
import { createJobRunsStore } from '../../jobs/job-runs-store.js';
import { createRunDue, type RunDue } from '../../jobs/run-due.js';
import { timetable, type TimetableEntry } from '../../jobs/timetable.js';
import { openTestInstances } from '../support/database.js';

const log = pino({ level: 'silent' });
const hourMs = 3_600_000;
const first: TimetableEntry = { job: 'first', periodMs: hourMs, offsetMs: 0, lane: 'feed' };
const second: TimetableEntry = { job: 'second', periodMs: 2 * hourMs, offsetMs: 0, lane: 'feed' };
const beside: TimetableEntry = { job: 'beside', periodMs: 60_000, offsetMs: 0 };

describe('startClock', () => {
  let clocks: Clock[];
  let now: Date;
  beforeEach(() => {
    clocks = [];
    now = new Date('2026-03-08T12:00:30.000Z');
  });
  afterEach(() => Promise.all(clocks.map((clock) => clock.stop())));

  /** A clock that ticks only at its start and when the test says so. */
  function start(entries: readonly TimetableEntry[], runDue: RunDue): Clock {
    const clock = startClock({ timetable: entries, runDue, log, now: () => now, everyMinute: () => () => {} });
    clocks.push(clock);
    return clock;
  }

  it('runs due jobs at its start, in the order of the timetable', async () => {
    const ran: string[] = [];
    const clock = start(timetable, async (job) => {
      ran.push(job);
      return true;
    });
    await clock.tick();
    assert.deepEqual([...ran].sort(), timetable.map(({ job }) => job).sort());
    const inLane = timetable.filter(({ lane }) => lane === 'feed').map(({ job }) => job);
    assert.deepEqual(
      ran.filter((job) => inLane.includes(job)),
      inLane,
    );
  });

  it('does not check finished slots again before the next slot', async () => {
    const asked: string[] = [];
    const clock = start([first], async (_job, slot) => {
      asked.push(slot.toISOString());
      return true;
    });
    await clock.tick();
    await clock.tick();
    now = new Date('2026-03-08T12:59:59.999Z');
    await clock.tick();
    assert.deepEqual(asked, ['2026-03-08T12:00:00.000Z']);
    now = new Date('2026-03-08T13:00:00.000Z');
    await clock.tick();
    assert.deepEqual(asked, ['2026-03-08T12:00:00.000Z', '2026-03-08T13:00:00.000Z']);
  });

  it('catches up with missed slots by one run, for the latest of them', async () => {
    const asked: string[] = [];
    const clock = start([first], async (_job, slot) => {
      asked.push(slot.toISOString());
      return true;
    });
    await clock.tick();
    now = new Date('2026-03-10T07:10:00.000Z');
    await clock.tick();
    await clock.tick();
    assert.deepEqual(asked, ['2026-03-08T12:00:00.000Z', '2026-03-10T07:00:00.000Z']);
  });

  it('checks an unfinished slot again, and meanwhile delays the next job of its lane', async () => {
    const asked: string[] = [];
    let over = false;
    const clock = start([first, second], async (job) => {
      asked.push(job);
      return over;
    });
    await clock.tick();
    over = true;
    await clock.tick();
    assert.deepEqual(asked, ['first', 'first', 'second']);
  });

  it('continues after a failed database query', async () => {
    let asked = 0;
    const clock = start([first], async () => {
      asked++;
      if (asked === 1) throw new Error('made up');
      return true;
    });
    await clock.tick();
    await clock.tick();
    await clock.tick();
    assert.equal(asked, 2);
  });

  it('does not start a lane that is still running, and lets the other lanes continue', async () => {
    const asked: string[] = [];
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const clock = start([first, beside], async (job) => {
      asked.push(job);
      if (job === 'first') await finished;
      return true;
    });
    const ticks = [clock.tick()];
    await new Promise(setImmediate);
    now = new Date('2026-03-08T13:00:30.000Z');
    ticks.push(clock.tick());
    assert.deepEqual(asked, ['first', 'beside', 'beside']);
    finish();
    await Promise.all(ticks);
    await clock.tick();
    assert.deepEqual(asked, ['first', 'beside', 'beside', 'first']);
  });

  it('stops: aborts and awaits running jobs, and starts no more', async () => {
    const events: string[] = [];
    const clock = start([first, second], async (job, _slot, signal) => {
      events.push(`${job} started`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise(setImmediate);
      events.push(`${job} ended`);
      return true;
    });
    await clock.stop();
    events.push('stopped');
    await clock.tick();
    assert.deepEqual(events, ['first started', 'first ended', 'stopped']);
  });

  it('stops its ticker', async () => {
    let ticking = true;
    const parts = { timetable: [first], runDue: async () => true, log, now: () => now };
    const clock = startClock({ ...parts, everyMinute: () => () => void (ticking = false) });
    await clock.stop();
    assert.equal(ticking, false);
  });

  it('checks for due jobs at its start, before the first full minute, and leaves no timer behind when stopped', async () => {
    let asked = 0;
    const runDue = async (): Promise<boolean> => ++asked > 0;
    const clock = startClock({ timetable: [first], runDue, log });
    await clock.stop();
    assert.equal(asked, 1);
    assert.equal(getTasks().size, 0);
  });

  it('runs each slot once over three instances of one database', async () => {
    const { databases, close } = await openTestInstances(3);
    try {
      const ran: string[] = [];
      const jobs = ['first', 'second'].map((name) => ({
        name,
        run: async ({ slot }: { slot: Date }) => {
          ran.push(`${name} ${slot.toISOString()}`);
          return {};
        },
      }));
      const running = databases.map(({ knex }, index) => {
        const store = createJobRunsStore(knex);
        return start(
          [first, second],
          createRunDue({ store, jobs, timetable: [first, second], owner: `i${index}`, now: () => now, log }),
        );
      });
      for (let hour = 0; hour < 4; hour++) {
        now = new Date(Date.UTC(2026, 2, 8, 12 + hour, 0, 1));
        // The second round is for an instance that found the slot held by another.
        for (const _round of [1, 2]) await Promise.all(running.map((clock) => clock.tick()));
      }
      const slots = ['12', '13', '14', '15'].map((hour) => `first 2026-03-08T${hour}:00:00.000Z`);
      const even = ['12', '14'].map((hour) => `second 2026-03-08T${hour}:00:00.000Z`);
      assert.deepEqual([...ran].sort(), [...slots, ...even]);
      assert.ok(ran.indexOf('first 2026-03-08T12:00:00.000Z') < ran.indexOf('second 2026-03-08T12:00:00.000Z'));
    } finally {
      await Promise.all(clocks.map((clock) => clock.stop()));
      await close();
    }
  });

  it('does not check a slot with a single attempt again, so that its lane continues', async () => {
    const runs: string[] = [];
    const entries = [
      { job: 'first', periodMs: 60_000, offsetMs: 0, lane: 'lane', maxAttempts: 1 },
      { job: 'second', periodMs: 60_000, offsetMs: 0, lane: 'lane' },
    ];
    const jobs = entries.map(({ job: name }) => ({
      name,
      run: async () => {
        runs.push(name);
        if (name === 'first') throw new Error('It does not work.');
        return {};
      },
    }));
    const { databases, close } = await openTestInstances(1);
    try {
      const [{ knex } = assert.fail()] = databases;
      const parts = { store: createJobRunsStore(knex), jobs, timetable: entries, owner: 'here', now: () => now, log };
      const clock = start(entries, createRunDue(parts));
      await clock.tick();
      await clock.tick();
      assert.deepEqual(runs, ['first', 'second']);
    } finally {
      await Promise.all(clocks.map((clock) => clock.stop()));
      await close();
    }
  });

  it('says nothing of a job of each minute that had nothing to do', async () => {
    const { databases, close } = await openTestInstances(1);
    try {
      const [{ knex } = assert.fail()] = databases;
      const entry = { job: 'first', periodMs: 60_000, offsetMs: 0 };
      const told: string[] = [];
      const info = (_about: object, text: string) => void told.push(text);
      const summaries = [{ closed: 0 }, { closed: 2 }];
      const jobs = [{ name: 'first', run: async () => summaries.shift() ?? {} }];
      const store = createJobRunsStore(knex);
      const parts = { store, jobs, timetable: [entry], owner: 'here', now: () => now };
      const runDue = createRunDue({ ...parts, log: { debug: () => undefined, info, warn: info } as never });
      const { signal } = new AbortController();
      await runDue('first', new Date('2026-03-08T12:00:00Z'), signal);
      assert.deepEqual(told, []);
      await runDue('first', new Date('2026-03-08T12:01:00Z'), signal);
      assert.deepEqual(told, ['job succeeded']);
    } finally {
      await close();
    }
  });

  it('rejects a timetable with an unknown job', async () => {
    const { databases, close } = await openTestInstances(1);
    const [database] = databases;
    assert.ok(database);
    const runDue = createRunDue({
      store: createJobRunsStore(database.knex),
      jobs: [],
      timetable: [],
      owner: 'x',
      now: () => now,
      log,
    });
    await assert.rejects(runDue('nothing', now, new AbortController().signal), /job nothing, which does not exist/);
    await close();
  });
});
