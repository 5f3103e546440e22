import { BaseError, HttpRequestError, TimeoutError } from 'viem';
import type { ChainClient } from '../../chain/clients.js';
import type { Hex } from '../../chain/eip3009.js';
import { describeFault } from './describe-fault.js';

/** What a node says to a signed transaction. */
export interface SubmitAnswer {
  /** stale: its nonce belongs to another transaction. doubtful: the node did not answer, and may have it or not. */
  readonly kind: 'accepted' | 'stale' | 'refused' | 'doubtful';
  readonly detail: string;
}

const attempts = 3;

/**
 * Hands a signed transaction to the node, again and again the same bytes until it answers, three times at most: after an
 * answer that got lost, "already known" is a yes. Never rejects.
 */
export async function submitTransaction(client: ChainClient, raw: Hex): Promise<SubmitAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await client.sendRawTransaction({ serializedTransaction: raw }).then(
      (): SubmitAnswer => ({ kind: 'accepted', detail: '' }),
      (error: unknown) => readAnswer(error),
    );
    // Taken after a lost answer, the nonce may be taken by this very transaction: only its receipt can tell.
    if (attempt > 1 && answer.kind === 'stale') return { kind: 'doubtful', detail: answer.detail };
    if (attempt === attempts || answer.kind !== 'doubtful') return answer;
  }
}

function readAnswer(error: unknown): SubmitAnswer {
  const detail = describeFault(error);
  const isLost = (cause: unknown): boolean => cause instanceof HttpRequestError || cause instanceof TimeoutError;
  if (!(error instanceof BaseError) || error.walk(isLost) !== null) return { kind: 'doubtful', detail };
  if (/already (known|imported)|known transaction/i.test(detail)) return { kind: 'accepted', detail };
  if (/nonce too low|nonce is lower|lower than the current nonce|underpriced/i.test(detail))
    return { kind: 'stale', detail };
  return { kind: 'refused', detail };
}
