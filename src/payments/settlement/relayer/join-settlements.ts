import { lowerHex, type Authorization } from '../../chain/eip3009.js';
import type { SettleOutcome } from '../settler.js';
import { pauseByTimer, type Pause } from '../pause.js';

/** Settlements at work. */
export interface JoinedSettlements {
  settle(authorization: Authorization): Promise<SettleOutcome>;
  /** Resolves when each of them has ended; nobody waits for their outcomes any more. */
  close(): Promise<void>;
}

/**
 * Lets the same authorization be at work once: asked for again, it is the same settlement. Whoever asks waits for
 * `timeoutMs` at most; then the outcome is `unknown`, and the settlement goes on.
 *
 * @param settle never rejects
 */
export function joinSettlements(
  settle: (authorization: Authorization) => Promise<SettleOutcome>,
  { timeoutMs, pause = pauseByTimer }: { readonly timeoutMs: number; readonly pause?: Pause },
): JoinedSettlements {
  /** What is at work, also after nobody waits for it any more. */
  const underway = new Map<string, Promise<SettleOutcome>>();
  const closing = new AbortController();

  async function unknownAfter(settling: Promise<SettleOutcome>): Promise<SettleOutcome> {
    const settled = new AbortController();
    const patience = pause(timeoutMs, AbortSignal.any([closing.signal, settled.signal]));
    const outcome = await Promise.race([settling, patience.then(() => unproven)]);
    settled.abort();
    return outcome;
  }

  return {
    settle(authorization) {
      const { from, nonce, value } = authorization;
      const key = [lowerHex(from), lowerHex(nonce), value].join();
      const settling = underway.get(key) ?? settle(authorization).finally(() => underway.delete(key));
      underway.set(key, settling);
      return unknownAfter(settling);
    },
    async close() {
      closing.abort();
      await Promise.allSettled(underway.values());
    },
  };
}

const unproven: SettleOutcome = { outcome: 'unknown', detail: 'there is no proof of the transfer yet' };
