/** When a job is due. */
export interface TimetableEntry {
  readonly job: string;
  readonly periodMs: number;
  /** How long after the start of a period (counted from 1970-01-01 UTC) the job is due. */
  readonly offsetMs: number;
  /**
   * Jobs of one lane never run at the same time, and by the clock in the order of the timetable. Default: one of its
   * own.
   */
  readonly lane?: string;
  /** In how many attempts a slot may end well. Default: as the clock has it. */
  readonly maxAttempts?: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * All jobs and their times, UTC: the specification's "listings are refreshed daily; underwriting is refreshed every 2
 * days". Those that build on each other share a lane and stand in the order in which they run when due together.
 */
export const timetable: readonly TimetableEntry[] = [
  // Before the rest, so that no failure there holds it up; and tried once a minute, so that its own hold up nothing.
  { job: 'licences', periodMs: minuteMs, offsetMs: 0, lane: 'feed', maxAttempts: 1 },
  { job: 'rents', periodMs: 7 * dayMs, offsetMs: 3 * hourMs, lane: 'feed' },
  { job: 'signals', periodMs: dayMs, offsetMs: 3.5 * hourMs, lane: 'feed' },
  { job: 'auctions', periodMs: dayMs, offsetMs: 4.5 * hourMs, lane: 'feed' },
  { job: 'listings', periodMs: dayMs, offsetMs: 5 * hourMs, lane: 'feed' },
  { job: 'underwriting', periodMs: 2 * dayMs, offsetMs: 5.5 * hourMs, lane: 'feed' },
  // At 00:00 the day of the feed has begun, and by 08:00 that of every covered county.
  { job: 'publish', periodMs: 8 * hourMs, offsetMs: 0, lane: 'feed' },
  { job: 'reconcile', periodMs: minuteMs, offsetMs: 0 },
  { job: 'audit', periodMs: dayMs, offsetMs: hourMs },
  { job: 'maintenance', periodMs: dayMs, offsetMs: 4 * hourMs },
];

/**
 * The order before the first publication of the deals: listings are read first, on the rents that the project carries
 * itself, so that the first buyers wait for nothing else.
 */
export const firstOrder: readonly TimetableEntry[] = [
  ...timetable.filter(({ job }) => job === 'licences' || job === 'listings'),
  ...timetable.filter(({ job }) => job !== 'licences' && job !== 'listings'),
];

/** The lane a job runs in. */
export function laneOf({ job, lane = job }: TimetableEntry): string {
  return lane;
}

/** The latest moment at or before `now` at which the job was due. Slots that were missed before it are not made up. */
export function slotOf(entry: TimetableEntry, now: Date): Date {
  const { periodMs, offsetMs } = entry;
  return new Date(Math.floor((now.getTime() - offsetMs) / periodMs) * periodMs + offsetMs);
}

/** The first moment after `now` at which the job is due. */
export function nextSlotOf(entry: TimetableEntry, now: Date): Date {
  return new Date(slotOf(entry, now).getTime() + entry.periodMs);
}
