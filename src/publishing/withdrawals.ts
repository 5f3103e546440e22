import type { TakenBackSoFar } from '../feeds/feed.js';
import type { SuppressionList } from '../policy/suppression-list.js';
import type { EndedSources } from '../sources/ended-source-reader.js';

/** What was taken back: what was published before may hold what must not be shown any more. */
export interface Withdrawals extends TakenBackSoFar {
  /** Takes in what was suppressed, and which licences ended, here or elsewhere. Throws as the suppression list does. */
  refresh(): Promise<void>;
}

/** Watches the suppression list and the licences, as of the last refresh and by the dates of licences. */
export function createWithdrawals(
  suppression: Pick<SuppressionList, 'refresh' | 'grownAt' | 'size'>,
  readEnded: () => Promise<EndedSources>,
  now: () => Date,
): Withdrawals {
  let ended: EndedSources = { latest: undefined, state: '', next: undefined };
  /** A licence that has ended by its date since they were read: it is the last that has ended. */
  const endedSince = (): Date | undefined => (ended.next !== undefined && ended.next <= now() ? ended.next : undefined);
  return {
    async refresh() {
      await suppression.refresh();
      ended = await readEnded();
    },
    latest() {
      const times = [suppression.grownAt(), ended.latest, endedSince()].flatMap((at) => at?.getTime() ?? []);
      return times.length === 0 ? undefined : new Date(Math.max(...times));
    },
    count: suppression.size,
    state: () => JSON.stringify([suppression.size(), suppression.grownAt(), ended.latest, ended.state, endedSince()]),
  };
}

/**
 * Whether what was taken back may still be in what is published, of which nothing that was written down before `since`
 * is missing; the epoch where that is not known, as where the clock was put back. `withheld`: the state that this
 * process has published without. Another process may have published without it as well.
 */
export function mayStillBePublished(
  withdrawals: Pick<Withdrawals, 'latest' | 'state'>,
  { since, withheld }: { readonly since: Date; readonly withheld: string | undefined },
): boolean {
  const latest = withdrawals.latest();
  if (latest === undefined || latest < since) return false;
  return since.getTime() === 0 || withdrawals.state() !== withheld;
}
