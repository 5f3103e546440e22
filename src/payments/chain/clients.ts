import { setTimeout as delay } from 'node:timers/promises';
import {
  BaseError,
  createPublicClient,
  http,
  HttpRequestError,
  RpcRequestError,
  type EIP1193Parameters,
  type EIP1193RequestOptions,
  type HttpTransport,
  type PublicClient,
} from 'viem';
import { createBlockTimes, type BlockTimes } from './block-times.js';
import { createLogReader, type LogReader } from './log-reader.js';

/** Reads a chain and sends signed transactions to it, over HTTP. A process has one. */
export interface ChainClient extends PublicClient<HttpTransport> {
  readonly times: BlockTimes;
  readonly readLogs: LogReader;
  /** From now on this is told of each call, those that are repeated included. */
  onCall?(observe: OnCall): void;
}

/** A call of a node has ended; refused: with an error of the node's own. failed: without a word of it. */
export type OnCall = (method: string, result: 'answered' | 'refused' | 'failed', seconds: number) => void;

export interface ClientOptions {
  readonly rpcUrl: string;
  /** One limit for all calls. */
  readonly timeoutMs?: number;
  /** The most blocks of one eth_getLogs. */
  readonly blocksPerCall?: bigint | undefined;
  /** Is waited for before each call, whose body it gets. */
  readonly beforeCall?: (body: string) => Promise<void>;
  /** Stands in for HTTP: calls that answer within so many milliseconds. */
  readonly transport?: (limitMs: number) => HttpTransport;
  readonly pause?: (delayMs: number) => Promise<unknown>;
  /** Stands around each call. */
  readonly wrap?: (transport: HttpTransport) => HttpTransport;
}

/** How long a node may take to answer. See docs/decisions/payments.md. */
const limitsMs = { read: 2_000, send: 5_000, logs: 10_000 };
/** What is asked before anything is sent is asked once more where the node fails. */
const askedTwice = ['eth_call', 'eth_getCode', 'eth_estimateGas', 'eth_getBalance', 'eth_getBlockByNumber'];
const askAgainMs = 100;
const longestWaitMs = 1_000;

/**
 * A client that answers within the limits above, or rejects. Questions that come before a payment is sent are repeated
 * once; for all else the caller decides. Block numbers are not cached, and calls are not batched. CCIP read is off,
 * since by it a payer's smart contract could make this machine fetch any address. Do not use waitForTransactionReceipt,
 * which can hang on a chain that mines on demand: poll for receipts.
 */
export function createChainClient(options: ClientOptions): ChainClient {
  const { pause = delay, wrap = (each) => each } = options;
  const transport = (limitMs: number) => wrap(options.transport?.(limitMs) ?? within(options, limitMs));
  const open = (each: HttpTransport) => createPublicClient({ transport: each, cacheTime: 0, ccipRead: false });
  const client = open(askingTwice(transport(limitsMs.read), pause));
  const { sendRawTransaction, sendRawTransactionSync } = open(transport(limitsMs.send));
  const times = createBlockTimes(client, () => performance.now());
  const readLogs = createLogReader(open(transport(limitsMs.logs)), options);
  return Object.assign(client, { sendRawTransaction, sendRawTransactionSync, times, readLogs });
}

function within({ rpcUrl, timeoutMs, beforeCall }: ClientOptions, limitMs: number): HttpTransport {
  return http(rpcUrl, {
    timeout: timeoutMs ?? limitMs,
    retryCount: 0,
    batch: false,
    onFetchRequest: (_, { body }) => beforeCall?.(String(body)),
  });
}

function askingTwice(transport: HttpTransport, pause: (delayMs: number) => Promise<unknown>): HttpTransport {
  return (config) => {
    const once = transport(config);
    const request = (call: EIP1193Parameters, options?: EIP1193RequestOptions) => {
      if (!askedTwice.includes(call.method)) return once.request(call, options);
      const ask = async () => {
        const answer: unknown = await once.request(call, options);
        if (answer === null) throw new Error('The node has answered with nothing');
        return answer;
      };
      return ask().catch((error: unknown) => askAgain(error, pause, ask));
    };
    return { ...once, request: request as typeof once.request };
  };
}

/** A revert is an answer; everything else may be a bad moment of the node. */
async function askAgain<T>(
  error: unknown,
  pause: (delayMs: number) => Promise<unknown>,
  ask: () => Promise<T>,
): Promise<T> {
  const isReverted = error instanceof Error && (/revert/i.test(error.message) || ('code' in error && error.code === 3));
  if (isReverted) throw error;
  await pause(Math.max(retryAfterMs(error), askAgainMs));
  return ask();
}

/** What a node asks to be left alone for, one second at most; 0 where it does not. */
export function retryAfterMs(error: unknown): number {
  const refused = error instanceof BaseError ? error.walk((cause) => cause instanceof HttpRequestError) : undefined;
  const seconds = refused instanceof HttpRequestError ? Number(refused.headers?.get('Retry-After') ?? 0) : 0;
  return Math.min(seconds * 1_000 || 0, longestWaitMs);
}

/** Whether a node says that it is asked too often. */
export function isRateLimited(error: unknown): boolean {
  const isLimit = (cause: unknown): boolean =>
    (cause instanceof HttpRequestError && cause.status === 429) ||
    (cause instanceof RpcRequestError && cause.code === -32005);
  return error instanceof BaseError && error.walk(isLimit) !== null;
}

/** The number of the newest block. Rejects when the node does not answer with one, as with a hash in its place. */
export async function readHead(client: Pick<ChainClient, 'getBlockNumber'>): Promise<bigint> {
  const head = await client.getBlockNumber();
  if (head > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error('The answer is no block number');
  return head;
}
