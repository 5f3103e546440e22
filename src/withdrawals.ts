import type { SuppressionList } from './policy/suppression-list.js';

/** When records were last taken back: what was published before may hold what must not be shown any more. */
export interface Withdrawals {
  /** Takes in what was suppressed, and which licences ended, here or elsewhere. Throws as the suppression list does. */
  refresh(): Promise<void>;
  /** As of the last refresh; undefined while nothing was ever taken back. */
  latest(): Date | undefined;
}

/** Watches the suppression list and the licences. */
export function createWithdrawals(
  suppression: Pick<SuppressionList, 'refresh' | 'grownAt'>,
  readLastLicenceEnd: () => Promise<Date | undefined>,
): Withdrawals {
  let licenceEnd: Date | undefined;
  return {
    async refresh() {
      await suppression.refresh();
      licenceEnd = await readLastLicenceEnd();
    },
    latest() {
      const grownAt = suppression.grownAt();
      if (grownAt === undefined || licenceEnd === undefined) return grownAt ?? licenceEnd;
      return grownAt > licenceEnd ? grownAt : licenceEnd;
    },
  };
}
