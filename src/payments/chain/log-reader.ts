import { setTimeout as delay } from 'node:timers/promises';
import { BaseError, formatLog, HttpRequestError, numberToHex, type Log, type PublicClient } from 'viem';
import { isTransportFault } from './transport-fault.js';
import type { Hex } from './eip3009.js';

/** A log of a mined transaction. */
export type TokenLog = Log<bigint, number, false>;

export interface LogFilter {
  readonly address: Hex;
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
  /** Both ends belong to the range. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** What was read of a range, and the blocks that it covers. */
export interface LogPart {
  readonly logs: readonly TokenLog[];
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** Calls that a question may still make; counts down. */
export interface CallBudget {
  left: number;
}

/**
 * Reads logs from one end of a range, by one eth_getLogs over as many blocks as the node takes. Rejects as the node
 * does, and when the budget is spent.
 */
export type LogReader = (filter: LogFilter, end: 'oldest' | 'newest', budget?: CallBudget) => Promise<LogPart>;

export interface LogReaderOptions {
  /** The most blocks of one call. Default: 2,000. */
  readonly blocksPerCall?: bigint | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs?: () => number;
  readonly pause?: (delayMs: number) => Promise<unknown>;
}

/** As many blocks as nearly every node takes. */
const leastPerCall = 100n;
const goodBeforeMore = 20;
const callsAtOnce = 4;
const callsPerSecond = 10;

/**
 * Creates the one reader of a process. A refusal of the range, or of its results, halves the range of a call, down to
 * 100 blocks; 20 good calls double it again.
 *
 * All readings together have 4 calls at once at most, and begin 10 a second.
 */
export function createLogReader(client: Pick<PublicClient, 'request'>, options: LogReaderOptions = {}): LogReader {
  const { blocksPerCall: most = 2_000n, nowMs = () => performance.now(), pause = delay } = options;
  const least = most < leastPerCall ? most : leastPerCall;
  const inTurn = createTurns(nowMs, pause);
  let perCall = most;
  let good = 0;

  return async ({ address, topics, fromBlock, toBlock }, end, budget) => {
    const before = perCall;
    for (;;) {
      const isWhole = toBlock - fromBlock < perCall;
      const first = isWhole || end === 'oldest' ? fromBlock : toBlock - perCall + 1n;
      const last = isWhole || end === 'newest' ? toBlock : fromBlock + perCall - 1n;
      if (budget && budget.left-- <= 0) throw new Error('The question takes more calls than it may');
      const filter = { address, topics, fromBlock: numberToHex(first), toBlock: numberToHex(last) };
      try {
        const found = await inTurn(() => client.request({ method: 'eth_getLogs', params: [filter as never] }));
        const logs = found.filter(({ blockNumber }) => blockNumber !== null).map((log) => formatLog(log) as TokenLog);
        good += 1;
        if (good % goodBeforeMore === 0) perCall = perCall * 2n < most ? perCall * 2n : most;
        return { logs, fromBlock: first, toBlock: last };
      } catch (error) {
        good = 0;
        const size = last - first + 1n;
        const isRefused = isRangeRefused(error);
        // What is refused however small it is, is refused for another reason.
        if (isRefused && size <= least) perCall = before;
        if (!isRefused || size <= least) throw error;
        do perCall = perCall / 2n > least ? perCall / 2n : least;
        while (perCall >= size);
      }
    }
  };
}

/** The node's own answer refuses the range, or its results, as too large. In doubt it does: a few more calls tell. */
function isRangeRefused(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const isTooLarge = (cause: unknown) => cause instanceof HttpRequestError && cause.status === 413;
  if (error.walk(isTooLarge) !== null) return true;
  return !isTransportFault(error) && !/\brate\b|requests|capacity/i.test(error.details);
}

/** Lets so many calls run at once, and begin in any second; the others wait in line. */
function createTurns(nowMs: () => number, pause: (delayMs: number) => Promise<unknown>) {
  const waiting: (() => void)[] = [];
  /** When the last calls began, the oldest first. */
  const begun: number[] = [];
  let running = 0;

  return async <T>(call: () => Promise<T>): Promise<T> => {
    if (running < callsAtOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      const soonestMs = begun.length < callsPerSecond ? -Infinity : (begun.shift() ?? 0) + 1_000;
      const waitMs = soonestMs - nowMs();
      begun.push(Math.max(soonestMs, nowMs()));
      if (waitMs > 0) await pause(waitMs);
      return await call();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
