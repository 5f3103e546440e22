import { known, valueOf } from '../../absence.js';
import type { SaleStatus, SaleStatusEntry } from './auction.js';

/** A status and a sale date as first observed by our own runs. */
export interface ObservedStatus {
  /** Day of the observation in the county's calendar, YYYY-MM-DD. */
  readonly day: string;
  readonly status: SaleStatus;
  /** YYYY-MM-DD. */
  readonly saleDate: string;
  /**
   * Whether the source had stopped showing the sale; undefined when that is no longer known. Used only for `unknown`.
   */
  readonly isMissing: boolean | undefined;
}

/**
 * Merges a sale's history, latest first: the statuses that the source states, and those that only our own runs
 * observed.
 *
 * - A sale that continues under a later date was adjourned, whether or not the source says so.
 * - An entry without a day keeps its place after the one before it.
 * - Some sources date a status with the day of the sale, which may be in the future. A status stated for that day
 *   equals the observed one.
 * - A sale no longer shown became `unknown` after the last status that the source states.
 */
export function mergeStatusHistory(
  told: readonly SaleStatusEntry[],
  observed: readonly ObservedStatus[],
): SaleStatusEntry[] {
  const seen = observed
    .map((each, index) => ({ ...each, entry: toEntry(each, observed[index - 1]) }))
    .filter(({ entry: { status }, day, saleDate }) => !told.some((each) => isSame(each, status, [day, saleDate])))
    .map(({ entry }) => entry)
    .reverse();
  const waiting = [...seen];
  const isUnknownNow = observed.at(-1)?.status === 'unknown' && waiting[0]?.status === 'unknown';
  const merged: SaleStatusEntry[] = isUnknownNow ? waiting.splice(0, 1) : [];
  for (const entry of told) {
    const date = valueOf(entry.date);
    while (date !== undefined && waiting[0] !== undefined && dayOf(waiting[0]) >= date) {
      merged.push(...waiting.splice(0, 1));
    }
    merged.push(entry);
  }
  return [...merged, ...waiting];
}

function isSame(told: SaleStatusEntry, status: SaleStatus, days: readonly string[]): boolean {
  return told.status === status && days.includes(valueOf(told.date) ?? '');
}

function toEntry(
  { day, status, saleDate, isMissing }: ObservedStatus,
  before: ObservedStatus | undefined,
): SaleStatusEntry {
  const isMoved = before !== undefined && before.saleDate < saleDate && status === 'scheduled';
  if (isMoved) {
    return { status: 'adjourned', date: known(day), text: `Moved from ${before.saleDate} to ${saleDate}` };
  }
  if (status === 'unknown') return { status, date: known(day), text: textOfUnknown(isMissing) };
  return { status, date: known(day), text: `Shown as ${status.replace('_', ' ')} for ${saleDate}` };
}

function textOfUnknown(isMissing: boolean | undefined): string {
  if (isMissing === undefined) return 'Not shown, or shown without a known status';
  return isMissing ? 'No longer shown by the source' : 'Shown without a known status';
}

function dayOf({ date }: SaleStatusEntry): string {
  return valueOf(date) ?? '';
}
