import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { EventList } from '../../generated/types.gen.js';
import { startClock, type Clock } from '../../jobs/clock.js';
import { createJobRunsStore } from '../../jobs/job-runs-store.js';
import { createJobs } from '../../jobs/create-jobs.js';
import { createRunDue } from '../../jobs/run-due.js';
import { stepsEvery } from '../../jobs/timetable.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';
import { faultsOf, production } from '../support/read-settings.js';

const minuteMs = 60_000;
const paceMs = 5 * minuteMs;
const steps = 2;

describe('a demonstration with DEMO_PACE=5m', () => {
  // The clock's time starts just behind full five minutes; buyers live in the time of the machine.
  const startedAt = new Date();
  const startMs = Math.floor(startedAt.getTime() / paceMs) * paceMs + 1_000;
  let nowMs = startMs;
  let app: TestApp;
  let clock: Clock;
  const now = (): Date => new Date(nowMs);
  const versionOf = () => app.feeds.deals.current().version;

  function startPace({ config: { demoPaceMinutes }, database, owner }: TestApp): Clock {
    const log = pino({ level: 'silent' });
    const timetable = stepsEvery(demoPaceMinutes);
    const store = createJobRunsStore(database.knex);
    const runDue = createRunDue({ store, jobs: createJobs({ ...app, now }), timetable, owner, now, log });
    return startClock({ timetable, runDue, log, now, everyMinute: () => () => undefined });
  }

  before(async () => {
    app = await startTestApp({ settler: createInstantSettler(), environment: { DEMO_PACE: '5m' } });
    clock = startPace(app);
  });
  after(async () => {
    await clock.stop();
    await app.stop();
  });

  it('stands still until five minutes are full, then publishes, and its events are sold', async () => {
    await clock.tick();
    const first = versionOf();
    nowMs = startMs + paceMs - 2_000;
    await clock.tick();
    assert.equal(versionOf(), first);
    for (let step = 1; step <= steps; step++) {
      nowMs = startMs + step * paceMs;
      await clock.tick();
      assert.equal(versionOf(), first + step);
    }
    const since = startedAt.toISOString();
    const reply = await buy(`${app.url}/api/events?since=${since}`);
    assert.equal(reply.status, 200, await reply.clone().text());
    const { events } = (await reply.json()) as EventList;
    const count = (name: string) => events.filter(({ event }) => event === name).length;
    assert.deepEqual([count('listed'), count('removed')], [steps, steps]);
    assert.ok(count('repriced') > 0 && count('repriced') <= 3 * steps, `${count('repriced')} new prices`);
    const sales = await buy(`${app.url}/api/events?feed=auctions&include_past=true&since=${since}`);
    const moved = ((await sales.json()) as EventList).events.map(({ event, after }) => [event, after]);
    assert.deepEqual(moved.slice(-1), [['status_changed', { sale_status: 'adjourned' }]]);
  });

  it('does not move twice in one slot, also after a restart', async () => {
    const last = versionOf();
    await clock.stop();
    clock = startPace(app);
    await clock.tick();
    assert.equal(versionOf(), last);
  });
});

describe('DEMO_PACE', () => {
  const place = { onTerminal: true };

  it('is minutes up to 9999m, or 0, and nothing else', () => {
    for (const DEMO_PACE of ['0', '1m', '10m', '9999m'])
      assert.deepEqual(faultsOf({ DEMO_PACE }, place), [], DEMO_PACE);
    for (const DEMO_PACE of ['10', '0m', '-5m', '1h', '1.5m', '10 m', '10M', '010m', '10000m', 'never'])
      assert.deepEqual(faultsOf({ DEMO_PACE }, place), ['DEMO_PACE: must be minutes such as 10m, or 0'], DEMO_PACE);
  });

  it('is refused by a server that sells', () => {
    const fault = 'DEMO_PACE: only for the demonstration. Remove it to sell.';
    for (const DEMO_PACE of ['0', '10m']) assert.deepEqual(faultsOf({ ...production, DEMO_PACE }), [fault]);
  });

  it('is ten minutes where it is not given, and 0 stands still', () => {
    assert.deepEqual(stepsEvery(0), []);
    assert.deepEqual(
      stepsEvery(10).map(({ periodMs }) => periodMs),
      [10 * minuteMs],
    );
  });
});
