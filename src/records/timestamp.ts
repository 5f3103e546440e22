/** ISO 8601 UTC with milliseconds. */
export function toTimestamp(date: Date): string {
  return date.toISOString();
}
