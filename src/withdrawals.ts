import type { SuppressionList } from './policy/suppression-list.js';
import type { EndedSources } from './sources/ended-source-reader.js';

/** What was taken back: what was published before may hold what must not be shown any more. */
export interface Withdrawals {
  /** Takes in what was suppressed, and which licences ended, here or elsewhere. Throws as the suppression list does. */
  refresh(): Promise<void>;
  /** When something last was, as of the last refresh; undefined while nothing ever was. */
  latest(): Date | undefined;
  /** Another text whenever something was, also where a clock that is behind says that it was before. */
  state(): string;
}

/** Watches the suppression list and the licences. */
export function createWithdrawals(
  suppression: Pick<SuppressionList, 'refresh' | 'grownAt' | 'size'>,
  readEnded: () => Promise<EndedSources>,
): Withdrawals {
  let ended: EndedSources = { latest: undefined, state: '' };
  return {
    async refresh() {
      await suppression.refresh();
      ended = await readEnded();
    },
    latest() {
      const grownAt = suppression.grownAt();
      if (grownAt === undefined || ended.latest === undefined) return grownAt ?? ended.latest;
      return grownAt > ended.latest ? grownAt : ended.latest;
    },
    state: () => JSON.stringify([suppression.size(), suppression.grownAt(), ended]),
  };
}
