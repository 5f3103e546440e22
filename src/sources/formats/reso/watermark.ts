import { SourceError } from '../../source-error.js';
import { isObject } from '../../upstream/get-json.js';

/** Keys seen at one time; the same key and time at the next start is a repeat. */
export interface Seen {
  /** ISO 8601 as the server writes it; empty before anything was seen. */
  readonly at: string;
  readonly keys: readonly string[];
}

/**
 * Parses a run's watermark, or an operator's time without seen keys: ISO 8601, a day (from its start in UTC) or an
 * instant with an offset.
 *
 * @throws SourceError for anything else
 */
export function readWatermark(text: string): Seen {
  if (text.startsWith('{')) return readSeen(text);
  const [, day = '', time] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const at = new Date(`${day}${time ?? 'T00:00Z'}`);
  if (!isDay(day) || Number.isNaN(at.getTime())) throw unreadable();
  return { at: at.toISOString(), keys: [] };
}

/**
 * Asserts that an operator may have a source read from here: a watermark of its runs, or a past time. Nothing has
 * changed since a future time, which would look like a source without news.
 *
 * @throws SourceError `configuration_invalid`
 */
export function expectPast(text: string, now: Date): void {
  const { at } = readWatermark(text);
  if (text.startsWith('{') || Date.parse(at) <= now.getTime()) return;
  throw new SourceError('configuration_invalid', `The time to read from, ${at}, is in the future.`);
}

function readSeen(text: string): Seen {
  try {
    const seen: unknown = JSON.parse(text);
    if (isObject(seen) && typeof seen.at === 'string' && isListOfTexts(seen.keys))
      return { at: seen.at, keys: seen.keys };
  } catch {
    // Reported below.
  }
  throw unreadable();
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** `2026-02-30` is not a day, although it parses as March 2. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function unreadable(): SourceError {
  return new SourceError(
    'configuration_invalid',
    "The time to read from must be a date such as 2026-10-01, an instant such as 2026-10-01T06:00:00Z, or a run's watermark.",
  );
}
