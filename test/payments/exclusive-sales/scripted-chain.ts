import type { Authorization, Hex } from '../../../src/payments/chain/eip3009.js';
import { evidenceBy } from '../../simulation/variant.js';
import { hexOf } from '../../simulation/purchase.js';
import type { Random } from '../../simulation/random.js';
import {
  noEvidence,
  type ChainEvidence,
  type Evidence,
  type EvidenceQuestion,
} from '../../../src/payments/settlement/resolve-open-payment.js';
import type { SettleOutcome, Settler } from '../../../src/payments/settlement/settler.js';

/**
 * What becomes of an attempt to settle. failed: refused for good. unsent: nothing was sent, and it is known.
 * unanswered: nothing was sent, and nobody knows. lost: paid, and nobody hears of it. late: paid some time after nobody
 * knew.
 */
export type Fate = 'settled' | 'failed' | 'unsent' | 'unanswered' | 'lost' | 'late';

/** A mock server for the chain and for whoever settles on it. */
export interface ScriptedChain {
  readonly settler: Settler;
  readonly evidence: Evidence;
  /** The transaction of each payment, by nonce. */
  readonly transfers: ReadonlyMap<Hex, Hex>;
  /** How often each fate was met. */
  readonly met: ReadonlyMap<Fate, number>;
  /** Lets happen what was late. */
  mine(): void;
  /** From now on every transfer settles, and every question is answered. */
  calm(isCalm: boolean): void;
}

const unhappy: readonly [Fate, ...Fate[]] = ['failed', 'unsent', 'unanswered', 'lost', 'late'];
/** A block that is final is so much past the window of what it proves to be over. */
const finalityMs = 60_000;

/** Creates an empty chain on which two in five attempts go wrong. */
export function createScriptedChain(random: Random, now: () => Date): ScriptedChain {
  const transfers = new Map<Hex, Hex>();
  const late = new Map<Hex, Authorization>();
  const met = new Map<Fate, number>();
  let isCalm = false;

  const endMs = (validBefore: bigint): number => Number(validBefore) * 1000;

  function transfer({ nonce, validBefore }: Authorization): void {
    if (endMs(validBefore) <= now().getTime() || transfers.has(nonce)) return;
    transfers.set(nonce, hexOf(transfers.size + 1, 32));
  }

  async function settle(authorization: Authorization): Promise<SettleOutcome> {
    const fate = isCalm || random.chance(0.6) ? 'settled' : random.pick(unhappy);
    met.set(fate, (met.get(fate) ?? 0) + 1);
    const isPaid = transfers.has(authorization.nonce);
    if (fate === 'late') late.set(authorization.nonce, authorization);
    if (fate === 'settled' || fate === 'lost') transfer(authorization);
    if (fate === 'lost') throw new Error('the connection was reset');
    if (fate === 'unanswered' || fate === 'late') return { outcome: 'unknown', detail: 'no answer' };
    const transaction = transfers.get(authorization.nonce);
    if (fate === 'settled' || isPaid || late.has(authorization.nonce))
      return transaction === undefined
        ? { outcome: 'unknown', detail: 'on its way' }
        : { outcome: 'settled', transaction, blockNumber: 1n };
    const reason = fate === 'failed' ? 'insufficient_funds' : 'unexpected_settle_error';
    return { outcome: 'failed', reason, detail: fate };
  }

  async function find({ nonce, validBefore }: EvidenceQuestion): Promise<ChainEvidence> {
    if (!isCalm && random.chance(0.1)) return { verdict: 'unknown' };
    const transaction = transfers.get(nonce);
    if (transaction !== undefined) return { verdict: 'settled', transaction, blockNumber: 1n };
    return { verdict: endMs(validBefore) + finalityMs < now().getTime() ? 'expired' : 'open' };
  }

  return {
    settler: {
      by: 'chain',
      verify: async ({ nonce }) =>
        transfers.has(nonce)
          ? { verdict: 'refused', reason: 'nonce_used', detail: 'used' }
          : { verdict: 'good', chainTime: now() },
      settle,
      close: async () => undefined,
    },
    evidence: evidenceBy(noEvidence, find),
    transfers,
    met,
    mine() {
      for (const authorization of late.values()) transfer(authorization);
      late.clear();
    },
    calm: (calm) => void (isCalm = calm),
  };
}
