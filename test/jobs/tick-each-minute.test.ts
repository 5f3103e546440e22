import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { getTasks } from 'node-cron';
import { pino } from 'pino';
import { tickEachMinute } from '../../jobs/tick-each-minute.js';

const log = pino({ level: 'silent' });
const startMs = Date.parse('2026-03-08T12:00:30.000Z');
const secondMs = 1_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

describe('tickEachMinute', () => {
  const SystemDate = Date;
  let clockMs: number;
  let ticks: string[];
  let stop: () => void;

  beforeEach(() => {
    // Timers follow elapsed time, not the clock; with the mock they would stop too.
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    clockMs = startMs;
    globalThis.Date = class extends SystemDate {
      constructor(time: number | string | Date = clockMs) {
        super(time);
      }
      static override now(): number {
        return clockMs;
      }
    } as DateConstructor;
    ticks = [];
    stop = tickEachMinute(() => ticks.push(new Date().toISOString().slice(11, 19)), log);
  });
  afterEach(() => {
    stop();
    mock.timers.reset();
    globalThis.Date = SystemDate;
  });

  /** Advances time, and lets all effects happen. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      clockMs += secondMs;
      mock.timers.tick(secondMs);
      await new Promise(setImmediate);
    }
  }

  it('ticks at each full minute', async () => {
    await pass(150);
    assert.deepEqual(ticks, ['12:01:00', '12:02:00', '12:03:00']);
  });

  for (const [what, byMs] of [
    ['back by an hour', -hourMs],
    ['back by two days', -2 * dayMs],
    ['forward by two days', 2 * dayMs],
    ['forward by three weeks, as after a sleep', 21 * dayMs],
  ] as const) {
    it(`continues within two minutes when the clock is put ${what}`, async () => {
      await pass(60);
      clockMs += byMs;
      ticks = [];
      await pass(240);
      assert.ok(ticks.length >= 3, ticks.join());
      assert.ok(ticks.every((tick) => tick.endsWith(':00')));
      assert.equal(new Set(ticks).size, ticks.length);
    });
  }

  it('leaves no timer behind when stopped', async () => {
    await pass(60);
    ticks = [];
    stop();
    await pass(120);
    assert.deepEqual(ticks, []);
    assert.equal(getTasks().size, 0);
  });
});
