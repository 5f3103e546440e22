import type { TakenBackSoFar } from './feeds/feed.js';
import type { SuppressionList } from './policy/suppression-list.js';
import type { EndedSources } from './sources/ended-source-reader.js';

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
    state: () => JSON.stringify([suppression.size(), suppression.grownAt(), ended.latest, ended.state, endedSince()]),
  };
}
