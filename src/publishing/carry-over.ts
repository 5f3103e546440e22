import type { SuppressionList } from '../policy/suppression-list.js';
import type { NamingReader } from '../sources/naming-reader.js';

/**
 * Carries what is suppressed over to what records that changed since call the same properties; all records by default.
 */
export type CarryOver = (since?: Date) => Promise<void>;

/**
 * Carries over page by page; see `SuppressionList.carryOver`. It reads nothing while nothing is suppressed. Safe to run
 * again, and beside anything else.
 */
export function createCarryOver(namings: NamingReader, suppression: SuppressionList): CarryOver {
  return async (since = new Date(0)) => {
    await suppression.refresh();
    if (suppression.size() === 0) return;
    for await (const page of namings.readSince(since)) await suppression.carryOver(page);
  };
}
