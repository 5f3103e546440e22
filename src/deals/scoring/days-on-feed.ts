const dayMs = 86_400_000;

/** Whole UTC calendar days since the service first sourced a listing; changes at 00:00 UTC, never negative. */
export function daysOnFeed(firstSeenAt: Date, now: Date): number {
  return Math.max(0, Math.floor(now.getTime() / dayMs) - Math.floor(firstSeenAt.getTime() / dayMs));
}
