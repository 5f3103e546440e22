import type { DeliveryKind } from '../src/sources/source.js';

/** When a job is due. */
export interface TimetableEntry {
  readonly job: string;
  readonly periodMs: number;
  /** Delay from the start of a period (counted from 1970-01-01 UTC). */
  readonly offsetMs: number;
  /**
   * Jobs of one lane never run at the same time; the clock runs them in timetable order. Default: a lane of the job's
   * own.
   */
  readonly lane?: string;
  /** Maximum attempts for a slot. Default: the clock's. */
  readonly maxAttempts?: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * All jobs and their times, UTC: the specification's "listings are refreshed daily; underwriting is refreshed every 2
 * days". Jobs that depend on each other share a lane, in the order in which they run when due together.
 */
export const timetable: readonly TimetableEntry[] = [
  // First, so that no other job's failure delays it; one attempt per minute, so that its own failures delay no other
  // job.
  { job: 'licences', periodMs: minuteMs, offsetMs: 0, lane: 'feed', maxAttempts: 1 },
  { job: 'rents', periodMs: 7 * dayMs, offsetMs: 3 * hourMs, lane: 'feed' },
  { job: 'signals', periodMs: dayMs, offsetMs: 3.5 * hourMs, lane: 'feed' },
  { job: 'auctions', periodMs: dayMs, offsetMs: 4.5 * hourMs, lane: 'feed' },
  { job: 'listings', periodMs: dayMs, offsetMs: 5 * hourMs, lane: 'feed' },
  { job: 'underwriting', periodMs: 2 * dayMs, offsetMs: 5.5 * hourMs, lane: 'feed' },
  // At 00:00 the feed's day begins; by 08:00 the day has begun in every covered county.
  { job: 'publish', periodMs: 8 * hourMs, offsetMs: 0, lane: 'feed' },
  { job: 'reconcile', periodMs: minuteMs, offsetMs: 0 },
  { job: 'audit', periodMs: dayMs, offsetMs: hourMs, lane: 'audit' },
  // Where an instance has found the ledger behind.
  { job: 'rebuild', periodMs: minuteMs, offsetMs: 0, lane: 'audit', maxAttempts: 1 },
  { job: 'maintenance', periodMs: dayMs, offsetMs: 4 * hourMs },
];

/** When the demonstration moves on; nothing where it stands still, or real data is sold. */
export function stepsEvery(minutes: number): readonly TimetableEntry[] {
  return minutes > 0
    ? [{ job: 'demonstration', periodMs: minutes * minuteMs, offsetMs: 0, lane: 'feed', maxAttempts: 1 }]
    : [];
}

/**
 * The order before the first publication of deals: listings come first, on the carried rents, so that the first buyers
 * need not wait for other sources.
 */
export const firstOrder: readonly TimetableEntry[] = [
  ...timetable.filter(({ job }) => job === 'licences' || job === 'listings'),
  ...timetable.filter(({ job }) => job !== 'licences' && job !== 'listings'),
];

/** The lane of a job. */
export function laneOf({ job, lane = job }: TimetableEntry): string {
  return lane;
}

/** The latest scheduled time at or before `now`. Earlier missed slots are not made up for. */
export function slotOf(entry: TimetableEntry, now: Date): Date {
  const { periodMs, offsetMs } = entry;
  return new Date(Math.floor((now.getTime() - offsetMs) / periodMs) * periodMs + offsetMs);
}

/** The first scheduled time after `now`. */
export function nextSlotOf(entry: TimetableEntry, now: Date): Date {
  return new Date(slotOf(entry, now).getTime() + entry.periodMs);
}

/** When sources of a kind are read next. The job of the signals reads parcels too. */
export function nextRunOf(delivers: DeliveryKind, now: Date): Date | undefined {
  const job = delivers === 'parcels' ? 'signals' : delivers;
  const entry = timetable.find((each) => each.job === job);
  return entry && nextSlotOf(entry, now);
}
