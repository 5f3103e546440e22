const dayMs = 86_400_000;

/** Days from 1970-01-01 to a calendar day (YYYY-MM-DD). */
export function dayNumberOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / dayMs;
}

/** The calendar day (YYYY-MM-DD) this many days after 1970-01-01. */
export function dayOfNumber(number: number): string {
  return new Date(number * dayMs).toISOString().slice(0, 10);
}
