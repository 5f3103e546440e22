import { absent } from '../absence.js';

/**
 * A record without what its source's licence does not let us show: each of those fields is absent as
 * `suppressed_by_policy`, so that it is neither shown nor used for a figure that would tell it.
 */
export function leaveOutFields<R extends object>(record: R, undisplayed: readonly string[]): R {
  if (undisplayed.length === 0) return record;
  return { ...record, ...Object.fromEntries(undisplayed.map((field) => [field, absent('suppressed_by_policy')])) };
}
