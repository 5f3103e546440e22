import assert from 'node:assert/strict';
import { pino } from 'pino';
import { startClock } from '../../jobs/clock.js';
import { firstOrder, timetable } from '../../jobs/timetable.js';

const feedJobs = (entries: typeof timetable) => entries.filter(({ lane }) => lane === 'feed').map(({ job }) => job);

describe('the order of the first start', () => {
  it('reads listings before rents and county records, and has each job once', () => {
    assert.deepEqual(feedJobs(firstOrder), [
      'licences',
      'listings',
      'rents',
      'signals',
      'auctions',
      'underwriting',
      'publish',
    ]);
    assert.deepEqual(new Set(firstOrder), new Set(timetable));
  });

  it('applies until the deals are published; then the order of the timetable applies', async () => {
    const ran: string[] = [];
    let now = new Date('2026-03-08T12:00:30.000Z');
    let isPublished = false;
    const clock = startClock({
      timetable,
      orderNow: async () => (isPublished ? timetable : firstOrder),
      runDue: async (job) => ran.push(job) > 0,
      log: pino({ level: 'silent' }),
      now: () => now,
      everyMinute: () => () => {},
    });
    await clock.tick();
    const lane = (jobs: readonly string[]) => jobs.filter((job) => feedJobs(timetable).includes(job));
    assert.deepEqual(lane(ran.splice(0)), feedJobs(firstOrder));
    isPublished = true;
    now = new Date('2026-03-17T12:00:30.000Z');
    await clock.tick();
    assert.deepEqual(lane(ran), feedJobs(timetable));
    await clock.stop();
  });
});
