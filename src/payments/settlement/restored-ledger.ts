import type { Hex } from '../chain/eip3009.js';
import type { RelayerKey } from './heartbeat-store.js';

/** What an earlier process has sent must have landed within this time. Source: docs/decisions/payments.md. */
const quietMs = 60_000;

/** Knows whether the ledger may be an older copy, which lacks what was sold and what is on its way. */
export type RestoredLedger = ReturnType<typeof createRestoredLedger>;

/**
 * Judges the ledger at start, and again when the database has gone back: a relayer has used more nonces than were ever
 * kept here. Then nothing is sold until their counts have stood still for a minute.
 *
 * @param elapsedMs milliseconds of a monotonic clock
 */
export function createRestoredLedger(elapsedMs: () => number) {
  let isKnown = false;
  /** Since when nothing has moved of what the ledger lacks; undefined where it lacks nothing, as far as is known. */
  let stillSinceMs: number | undefined;
  let counted: ReadonlyMap<Hex, number> = new Map();

  return {
    /** True while nothing speaks against the ledger. */
    isKnown: () => isKnown,
    /** True while what it lacks may still land. */
    rests: () => stillSinceMs !== undefined,
    /** What speaks against it, in plain words. */
    problem(): string | undefined {
      if (isKnown) return undefined;
      return stillSinceMs === undefined
        ? 'The ledger is not compared with the chain yet.'
        : 'The ledger may be an older copy: what it lacks must land first.';
    },
    /** The database has forgotten what this process wrote. */
    wentBack() {
      isKnown = false;
      stillSinceMs = elapsedMs();
    },
    /**
     * Compares the relayers' counts on the chain with what was read from the database after them. True where it was
     * behind and is so no longer: what it lacks has landed.
     */
    compare(counts: ReadonlyMap<Hex, number>, keys: readonly RelayerKey[]): boolean {
      const behind = keys.filter(({ relayer, nextNonce }) => (counts.get(relayer) ?? 0) > nextNonce);
      if (behind.some(({ relayer }) => counts.get(relayer) !== counted.get(relayer))) stillSinceMs = elapsedMs();
      counted = counts;
      const hasLanded = stillSinceMs !== undefined && elapsedMs() - stillSinceMs >= quietMs;
      if (hasLanded) stillSinceMs = undefined;
      isKnown = stillSinceMs === undefined;
      return hasLanded;
    },
  };
}
