import { known, valueOf } from '../absence.js';
import type { SaleStatus, SaleStatusEntry } from './auction.js';

/** A status and a sale date as our own runs saw them first. */
export interface ObservedStatus {
  /** The county's own calendar day of the observation, YYYY-MM-DD. */
  readonly day: string;
  readonly status: SaleStatus;
  /** YYYY-MM-DD. */
  readonly saleDate: string;
}

/**
 * One history of a sale, latest first: what the source tells, and what our own runs saw and the source does not tell. A
 * sale that goes on under a later date was adjourned, whether or not the source says so. An entry without a day keeps its
 * place behind the one before it.
 */
export function mergeStatusHistory(
  told: readonly SaleStatusEntry[],
  observed: readonly ObservedStatus[],
): SaleStatusEntry[] {
  const seen = observed
    .map((each, index) => toEntry(each, observed[index - 1]))
    .filter((own) => !told.some((entry) => entry.status === own.status && valueOf(entry.date) === valueOf(own.date)))
    .reverse();
  const merged: SaleStatusEntry[] = [];
  const waiting = [...seen];
  for (const entry of told) {
    const date = valueOf(entry.date);
    while (date !== undefined && waiting[0] !== undefined && dayOf(waiting[0]) >= date) {
      merged.push(...waiting.splice(0, 1));
    }
    merged.push(entry);
  }
  return [...merged, ...waiting];
}

function toEntry({ day, status, saleDate }: ObservedStatus, before: ObservedStatus | undefined): SaleStatusEntry {
  const isMoved = before !== undefined && before.saleDate < saleDate && status === 'scheduled';
  if (isMoved) {
    return { status: 'adjourned', date: known(day), text: `Moved from ${before.saleDate} to ${saleDate}` };
  }
  if (status === 'unknown') return { status, date: known(day), text: 'No longer shown by the source' };
  return { status, date: known(day), text: `Shown as ${status.replace('_', ' ')} for ${saleDate}` };
}

function dayOf({ date }: SaleStatusEntry): string {
  return valueOf(date) ?? '';
}
