import {
  BaseError,
  HttpRequestError,
  RpcRequestError,
  TimeoutError,
  TransactionNotFoundError,
  type TransactionReceipt,
} from 'viem';
import { retryAfterMs, type ChainClient } from '../../chain/clients.js';
import type { Hex } from '../../chain/eip3009.js';
import { isReceiptOf } from '../../chain/transfer-proof.js';
import { describeFault } from '../describe-fault.js';
import type { Pause } from '../pause.js';
import type { SignedTransaction } from './nonce-book.js';

/** The answer of a node to a signed transaction. */
export type SubmitAnswer =
  /** Only with `sync`. */
  | { readonly kind: 'mined'; readonly receipt: TransactionReceipt }
  | {
      /** refused: this node surely does not have these bytes. doubtful: it may have them or not. */
      readonly kind: 'accepted' | 'refused' | 'doubtful';
      readonly detail: string;
      /** Retry-After of the node. */
      readonly waitMs?: number;
    };

/** Whether the node answers with receipts (EIP-7966); shared by all transactions to it. */
export interface SyncSupport {
  /** When the node last answered that it lacks the method; undefined: never. */
  unsupportedSinceMs: number | undefined;
}

export interface SubmitPorts {
  readonly client: ChainClient;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly pause: Pause;
  /** Ends the pauses between repetitions. */
  readonly closing: AbortSignal;
}

/** The same bytes go out again after these pauses. */
const repeatAfterMs = [100, 300];
const syncRetryMs = 10 * 60_000;

/** Only these errors prove a refusal; any other is doubtful. A node returns them before its pool has the bytes. */
const refusals =
  /insufficient funds for gas|intrinsic gas too low|exceeds block gas limit|exceeds maximum.*gas limit|max fee per gas less than block base fee|transaction type not supported|invalid chain id|invalid sender|oversized data/i;

/**
 * Hands a signed transaction to the node, the same bytes up to three times. Doubt is never read as no: `refused` needs
 * an error of the list from eth_sendRawTransaction, no doubtful answer before it, and a node that lacks the hash. Never
 * rejects.
 *
 * @param sync first asks the node to answer with the receipt, which saves all polling, unless it lacks the method
 */
export async function submitTransaction(
  ports: SubmitPorts,
  transaction: Pick<SignedTransaction, 'raw' | 'hash'>,
  sync?: SyncSupport,
): Promise<SubmitAnswer> {
  const mayBeSupported = ports.nowMs() - (sync?.unsupportedSinceMs ?? -Infinity) >= syncRetryMs;
  const first = sync && mayBeSupported ? await sendAndWait(ports, transaction, sync) : undefined;
  if (first?.kind === 'mined' || first?.kind === 'accepted') return first;
  let isDoubted = first?.kind === 'doubtful';
  for (let attempt = 0; ; attempt += 1) {
    const answer = await send(ports.client, transaction);
    if (answer.kind === 'accepted') return answer;
    if (answer.kind === 'refused') {
      const isRefused = !isDoubted && (await isUnknownToNode(ports.client, transaction.hash));
      return isRefused ? answer : { ...answer, kind: 'doubtful' };
    }
    isDoubted = true;
    const pauseMs = repeatAfterMs[attempt];
    if (pauseMs === undefined || ports.closing.aborted) return answer;
    await ports.pause(Math.max(pauseMs, answer.waitMs ?? 0), ports.closing);
  }
}

/** Undefined: the node lacks the method; fall back to eth_sendRawTransaction. */
async function sendAndWait(
  { client, nowMs }: SubmitPorts,
  { raw, hash }: Pick<SignedTransaction, 'raw' | 'hash'>,
  sync: SyncSupport,
): Promise<SubmitAnswer | undefined> {
  try {
    const receipt = await client.sendRawTransactionSync({ serializedTransaction: raw });
    if (isReceiptOf(receipt, [hash])) return { kind: 'mined', receipt };
    return { kind: 'doubtful', detail: 'the answer is no receipt of what was sent' };
  } catch (error) {
    const detail = describeFault(error);
    const fault = findRpcFault(error);
    const isUnknown = fault !== undefined && isUnknownMethod(fault, detail);
    if (isUnknown || refusesQuestion(error)) sync.unsupportedSinceMs = nowMs();
    if (isUnknown) return undefined;
    // EIP-7966: 4 is a timeout after the node has taken the transaction; with 5 it is in the pool, whatever the text.
    if (fault?.code === 4 && fault.data === hash) return { kind: 'accepted', detail };
    return readFault(fault, detail);
  }
}

async function send(
  client: ChainClient,
  { raw, hash }: Pick<SignedTransaction, 'raw' | 'hash'>,
): Promise<Exclude<SubmitAnswer, { kind: 'mined' }>> {
  try {
    const answered: unknown = await client.sendRawTransaction({ serializedTransaction: raw });
    if (answered === hash) return { kind: 'accepted', detail: '' };
    return { kind: 'doubtful', detail: 'the answer is not the hash of what was sent' };
  } catch (error) {
    return { ...readFault(findRpcFault(error), describeFault(error)), waitMs: retryAfterMs(error) };
  }
}

type RpcFault = { readonly code: number; readonly data?: unknown };

/** The node's own JSON-RPC error; undefined for any other failure. */
function findRpcFault(error: unknown): RpcFault | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const isLost = (cause: unknown): boolean => cause instanceof HttpRequestError || cause instanceof TimeoutError;
  if (error.walk(isLost) !== null) return undefined;
  const fault = error.walk((cause) => cause instanceof RpcRequestError);
  return fault instanceof RpcRequestError ? fault : undefined;
}

function readFault(
  fault: RpcFault | undefined,
  detail: string,
): { readonly kind: 'accepted' | 'refused' | 'doubtful'; readonly detail: string } {
  if (fault && /already (known|imported)|known transaction/i.test(detail)) return { kind: 'accepted', detail };
  const isRefusal = fault && ![4, 5].includes(fault.code) && !bearsHash(fault.data) && refusals.test(detail);
  return { kind: isRefusal ? 'refused' : 'doubtful', detail };
}

/** An error that contains a transaction hash proves that the node has a transaction. */
function bearsHash(data: unknown): boolean {
  return data !== undefined && /0x[0-9a-f]{64}/i.test(JSON.stringify(data));
}

/** By the codes of JSON-RPC and EIP-1474, or by the texts of other nodes. */
function isUnknownMethod({ code }: RpcFault, detail: string): boolean {
  const isWorded = /method .*(not (found|supported|available|allowed|exist)|unsupported|unknown)/i.test(detail);
  return code === -32601 || code === -32004 || isWorded;
}

/** An HTTP status by which a proxy refuses a method that it does not know; the transaction may have passed it. */
function refusesQuestion(error: unknown): boolean {
  const isRefusal = (cause: unknown): boolean =>
    cause instanceof HttpRequestError && [404, 405, 501].includes(cause.status ?? 0);
  return error instanceof BaseError && error.walk(isRefusal) !== null;
}

/** True only when the node answers that it does not know the transaction. */
async function isUnknownToNode(client: ChainClient, hash: Hex): Promise<boolean> {
  return client.getTransaction({ hash }).then(
    () => false,
    (error: unknown) => error instanceof TransactionNotFoundError,
  );
}
