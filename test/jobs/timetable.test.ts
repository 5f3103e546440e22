import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nextSlotOf, slotOf, timetable } from '../../jobs/timetable.js';
import { findTimeZone } from '../../src/places/metros/counties.js';
import { metros } from '../../src/places/metros/metros.js';

function slotAt(job: string, now: string): string {
  const entry = timetable.find((candidate) => candidate.job === job);
  assert.ok(entry, job);
  return slotOf(entry, new Date(now)).toISOString();
}

describe('timetable', () => {
  it('reads rents weekly and county records daily, early enough to be published with the listings', () => {
    assert.equal(slotAt('rents', '2026-03-08T12:00:00.000Z'), '2026-03-05T03:00:00.000Z');
    assert.equal(slotAt('signals', '2026-03-08T12:00:00.000Z'), '2026-03-08T03:30:00.000Z');
    assert.equal(slotAt('auctions', '2026-03-08T12:00:00.000Z'), '2026-03-08T04:30:00.000Z');
  });

  it('refreshes listings daily at 05:00 UTC', () => {
    assert.equal(slotAt('listings', '2026-03-08T05:00:00.000Z'), '2026-03-08T05:00:00.000Z');
    assert.equal(slotAt('listings', '2026-03-08T04:59:59.999Z'), '2026-03-07T05:00:00.000Z');
  });

  it('refreshes underwriting every second day at 05:30 UTC', () => {
    const entry = timetable.find(({ job }) => job === 'underwriting');
    assert.ok(entry);
    const slot = slotOf(entry, new Date('2026-03-08T12:00:00.000Z'));
    assert.equal(slot.toISOString().slice(11), '05:30:00.000Z');
    assert.equal(nextSlotOf(entry, slot).getTime() - slot.getTime(), 2 * 24 * 3_600_000);
  });

  it('publishes what depends on the day after it has begun in all counties and before business hours', () => {
    const zones = [...new Set(metros.map(({ countyFips }) => findTimeZone(countyFips) ?? assert.fail(countyFips)))];
    for (const season of ['2026-01-15', '2026-07-15']) {
      const slot = new Date(slotAt('publish', `${season}T12:00:00.000Z`));
      for (const timeZone of zones) {
        const [day, hour] = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
          .format(slot)
          .split(' ');
        assert.equal(day, season, timeZone);
        assert.ok(Number(hour?.slice(0, 2)) < 7, `${timeZone} ${hour}`);
      }
    }
  });

  it('publishes at midnight, audits at 01:00, maintains at 04:00, checks licences and reconciles each minute, UTC', () => {
    assert.equal(slotAt('publish', '2026-03-08T00:00:00.000Z'), '2026-03-08T00:00:00.000Z');
    assert.equal(slotAt('audit', '2026-03-08T03:00:00.000Z'), '2026-03-08T01:00:00.000Z');
    assert.equal(slotAt('maintenance', '2026-03-08T03:00:00.000Z'), '2026-03-07T04:00:00.000Z');
    assert.equal(slotAt('licences', '2026-03-08T03:17:59.999Z'), '2026-03-08T03:17:00.000Z');
    assert.equal(slotAt('reconcile', '2026-03-08T03:17:59.999Z'), '2026-03-08T03:17:00.000Z');
  });

  it('keeps readings before underwriting and publishing in one lane', () => {
    const feed = timetable.filter(({ lane }) => lane === 'feed').map(({ job }) => job);
    assert.deepEqual(feed, ['licences', 'rents', 'signals', 'auctions', 'listings', 'underwriting', 'publish']);
  });

  it('names each job once', () => {
    assert.equal(new Set(timetable.map(({ job }) => job)).size, timetable.length);
  });
});

describe('slotOf', () => {
  it('returns the latest due moment: never in the future, never a whole period ago, the same until the next one', () => {
    const times = fc.date({ min: new Date('1970-01-03'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(...timetable), times, (entry, now) => {
        const slot = slotOf(entry, now);
        const ageMs = now.getTime() - slot.getTime();
        assert.ok(ageMs >= 0 && ageMs < entry.periodMs);
        assert.deepEqual(slotOf(entry, slot), slot);
        assert.deepEqual(slotOf(entry, nextSlotOf(entry, now)), nextSlotOf(entry, now));
      }),
    );
  });
});
