import { BaseError, HttpRequestError, TimeoutError } from 'viem';
import type { TransactionReceipt } from 'viem';
import type { ChainClient } from '../../chain/clients.js';
import type { Hex } from '../../chain/eip3009.js';
import { describeFault } from './describe-fault.js';

/** What a node says to a signed transaction. */
export type SubmitAnswer =
  /** Only when waiting was asked for. */
  | { readonly kind: 'mined'; readonly receipt: TransactionReceipt }
  | {
      /** stale: its nonce belongs to another transaction. doubtful: the node did not answer, and may have it or not. */
      readonly kind: 'accepted' | 'stale' | 'refused' | 'doubtful';
      readonly detail: string;
    };

const attempts = 3;

/**
 * Hands a signed transaction to the node, again and again the same bytes until it answers, three times at most: after an
 * answer that got lost, "already known" is a yes, and a no proves nothing. Never rejects.
 *
 * @param waiting the node is asked first to answer with the receipt at once (EIP-7966), which saves all polling, unless
 * it is known not to; what it answers else is settled by sending in the ordinary way.
 */
export async function submitTransaction(client: ChainClient, raw: Hex, waiting?: Waiting): Promise<SubmitAnswer> {
  const first = waiting?.isSupported ? await sendAndWait(client, raw, waiting) : undefined;
  // Never sent before, so that a taken nonce is another's.
  if (first && first.kind !== 'doubtful' && first.kind !== 'refused') return first;
  let wasLost = first?.kind === 'doubtful';
  for (let attempt = 1; ; attempt += 1) {
    const answer = await client.sendRawTransaction({ serializedTransaction: raw }).then(
      () => ({ kind: 'accepted', detail: '' }) as const,
      (error: unknown) => readAnswer(error),
    );
    if (answer.kind === 'doubtful' && attempt < attempts) {
      wasLost = true;
      continue;
    }
    // After it may have arrived once, a taken nonce may be taken by this very transaction: only its receipt can tell.
    const isDoubt = answer.kind !== 'accepted' && (wasLost || (first !== undefined && answer.kind === 'stale'));
    return isDoubt ? { kind: 'doubtful', detail: answer.detail } : answer;
  }
}

/** Whether a node answers with receipts; shared by all that is sent to it. */
export interface Waiting {
  isSupported: boolean;
}

async function sendAndWait(client: ChainClient, raw: Hex, waiting: Waiting): Promise<SubmitAnswer> {
  try {
    return { kind: 'mined', receipt: await client.sendRawTransactionSync({ serializedTransaction: raw }) };
  } catch (error) {
    if (isUnknownMethod(error)) waiting.isSupported = false;
    // What else it refuses may only mean that there is no receipt yet: each node has words of its own for that.
    return readAnswer(error);
  }
}

function readAnswer(error: unknown): { readonly kind: 'accepted' | 'stale' | 'refused' | 'doubtful'; detail: string } {
  const detail = describeFault(error);
  const isLost = (cause: unknown): boolean => cause instanceof HttpRequestError || cause instanceof TimeoutError;
  if (!(error instanceof BaseError) || error.walk(isLost) !== null) return { kind: 'doubtful', detail };
  if (/already (known|imported)|known transaction/i.test(detail)) return { kind: 'accepted', detail };
  if (/nonce too low|nonce is lower|lower than the current nonce|underpriced/i.test(detail))
    return { kind: 'stale', detail };
  return { kind: 'refused', detail };
}

/** By the codes of JSON-RPC and EIP-1474, by the words of others, or by an HTTP status that refuses the question. */
function isUnknownMethod(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const isCode = (cause: unknown): boolean =>
    cause instanceof Error && 'code' in cause && (cause.code === -32601 || cause.code === -32004);
  const isStatus = (cause: unknown): boolean =>
    cause instanceof HttpRequestError && [400, 403, 404, 405, 501].includes(cause.status ?? 0);
  return (
    error.walk(isCode) !== null ||
    error.walk(isStatus) !== null ||
    /method .*(not (found|supported|available|allowed|exist)|unsupported|unknown)/i.test(describeFault(error))
  );
}
