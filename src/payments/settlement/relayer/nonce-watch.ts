import { once } from 'node:events';
import { TransactionReceiptNotFoundError, type TransactionReceipt } from 'viem';
import type { ChainClient } from '../../chain/clients.js';
import type { Hex } from '../../chain/eip3009.js';
import { readHead } from '../../chain/read-head.js';
import { isReceiptOf } from '../../chain/transfer-proof.js';
import { hasPassed, type Pause } from '../pause.js';
import type { InFlight, NonceBook } from './nonce-book.js';
import { tend } from './tend.js';
import type { Transmitter } from './transmitter.js';

export interface NonceWatchPorts {
  readonly client: Pick<ChainClient, 'getTransactionCount' | 'getTransactionReceipt' | 'getBlockNumber'>;
  readonly address: Hex;
  readonly book: NonceBook;
  readonly transmitter: Pick<Transmitter, 'raise' | 'transmit'>;
  readonly now: () => Date;
  readonly confirmations: number;
  readonly bumpAfterMs: number;
  readonly closing: AbortSignal;
  /** Its receipt is there, and deep enough. */
  readonly conclude: (entry: InFlight, receipt: TransactionReceipt) => void;
  /** Another transaction has its nonce, used in this block at the latest. */
  readonly displaced: (entry: InFlight, blockNumber: bigint) => void;
  /** The nonces need upkeep. */
  readonly mend: () => Promise<void>;
  /** The chain has used only so many nonces, and once had more. */
  readonly goBack: (mined: number) => void;
  readonly pause: Pause;
}

/** Tends what is in flight until the chain has used its nonce. */
export interface NonceWatch {
  /** There is something new in flight. */
  wake(): void;
  /** Resolves when the watch has ended, after `closing`. */
  ended(): Promise<void>;
}

const firstPauseMs = 50;
const longestPauseMs = 1_000;
const resendMs = 4_000;
const resendDoubtfulMs = 500;
/** Nodes behind one address may lag: for so long is looked for what one does not show. */
const patienceMs = 15_000;
/**
 * Only when fewer nonces are used for so long has the chain gone back: a node that lags catches up with the next block.
 */
const lagMs = 3_000;

/**
 * Creates a watch: one loop that lives until `closing`, and sleeps while nothing is in flight. One call a pass tells of
 * everything in flight whether it is mined, by the count of nonces that the key has used; only what is mined has its
 * receipt fetched. What a node has promised to answer is not asked about for a while. An answer of another shape is no
 * news.
 */
export function createNonceWatch(ports: NonceWatchPorts): NonceWatch {
  const { client, address, book, now, closing, pause } = ports;
  let pauseMs = firstPauseMs;
  let wakeUp = new AbortController();
  let mending: Promise<void> | undefined;
  let behindSinceMs: number | undefined;
  const tended = new Set<InFlight>();

  async function watch(): Promise<void> {
    while (!closing.aborted) {
      wakeUp = new AbortController();
      const signal = AbortSignal.any([closing, wakeUp.signal]);
      if (book.size === 0) {
        await once(signal, 'abort');
        continue;
      }
      await pause(pauseMs, signal);
      if (closing.aborted) return;
      const hasMoved = await pass().catch(() => false);
      pauseMs = hasMoved ? firstPauseMs : Math.min(pauseMs * 1.5, longestPauseMs);
    }
  }

  /** True when something that was watched is concluded. */
  async function pass(): Promise<boolean> {
    const isAnswerDue = ({ isAsking, sentAtMs }: InFlight) => isAsking && !hasPassed(resendMs, sentAtMs, now());
    const watched = book.list().filter((entry) => !isAnswerDue(entry));
    if (watched.length === 0) return false;
    const used = await client.getTransactionCount({ address, blockTag: 'latest' });
    noticeGoingBack(used);
    book.sawMined(used);
    const mined = watched.filter(({ nonce }) => nonce < used);
    const waiting = watched.filter(({ nonce }) => nonce >= used);
    for (const entry of waiting) entry.missingSinceMs = undefined;
    const idle = waiting.filter(isDue);
    for (const entry of idle) tendBeside(entry);
    const hasMoved = await seekAll(ports, mined);
    if (idle.length > 0 || book.gaps().length > 0) mend();
    return hasMoved;
  }

  function noticeGoingBack(used: number): void {
    const nowMs = now().getTime();
    behindSinceMs = used < book.mined ? Math.min(behindSinceMs ?? nowMs, nowMs) : undefined;
    if (behindSinceMs === undefined || nowMs - behindSinceMs < lagMs) return;
    ports.goBack(used);
    behindSinceMs = undefined;
    mend();
  }

  /** Not waited for: a node that does not answer must not hold up the receipts of all others. */
  function tendBeside(entry: InFlight): void {
    if (tended.has(entry)) return;
    tended.add(entry);
    void tend(entry, ports)
      .catch(() => undefined)
      .finally(() => tended.delete(entry));
  }

  function isDue({ isDoubtful, sentAtMs, raisedAtMs }: InFlight): boolean {
    const at = now();
    const patienceMs = isDoubtful ? resendDoubtfulMs : resendMs;
    return hasPassed(patienceMs, sentAtMs, at) || hasPassed(ports.bumpAfterMs, raisedAtMs, at);
  }

  /** Not waited for: what stands in line for a nonce may itself wait for a pass to make room. */
  function mend(): void {
    mending ??= ports
      .mend()
      .catch(() => undefined)
      .finally(() => (mending = undefined));
  }

  const ended = watch();
  return {
    wake() {
      pauseMs = firstPauseMs;
      wakeUp.abort();
    },
    ended: () => ended,
  };
}

/**
 * Fetches the receipts of what is mined, of what has one already only when it must be deep enough. True when one is.
 */
async function seekAll(ports: NonceWatchPorts, entries: readonly InFlight[]): Promise<boolean> {
  const depth = BigInt(ports.confirmations);
  const head = depth > 1n && entries.length > 0 ? await readHead(ports.client) : undefined;
  const isDeep = ({ blockNumber }: TransactionReceipt) => head === undefined || head - blockNumber + 1n >= depth;
  const seek = async (entry: InFlight): Promise<boolean> => {
    if (entry.receipt && !isDeep(entry.receipt)) return false;
    entry.receipt = await findReceipt(ports.client, entry);
    if (entry.receipt && isDeep(entry.receipt)) {
      ports.conclude(entry, entry.receipt);
      return true;
    }
    const nowMs = ports.now().getTime();
    // Where the clock is put back, patience begins anew.
    entry.missingSinceMs = entry.receipt ? undefined : Math.min(entry.missingSinceMs ?? nowMs, nowMs);
    if (entry.missingSinceMs !== undefined && nowMs - entry.missingSinceMs >= patienceMs)
      await tellDisplaced(ports, entry);
    return false;
  };
  // What the node says of one is no news of the others.
  return (await Promise.all(entries.map((entry) => seek(entry).catch(() => false)))).includes(true);
}

/** The count and the block must belong together: a later look at the chain's state is held against that block. */
async function tellDisplaced({ client, address, displaced }: NonceWatchPorts, entry: InFlight): Promise<void> {
  const blockNumber = await readHead(client);
  if ((await client.getTransactionCount({ address, blockNumber })) > entry.nonce) displaced(entry, blockNumber);
}

/** Any variant's receipt counts. Undefined when the node has none; rejects when it does not say so. */
async function findReceipt(
  client: NonceWatchPorts['client'],
  { variants }: InFlight,
): Promise<TransactionReceipt | undefined> {
  for (const { hash } of [...variants].reverse()) {
    try {
      const receipt: unknown = await client.getTransactionReceipt({ hash });
      if (!isReceiptOf(receipt, [hash])) throw new Error('The answer is no receipt of this transaction');
      return receipt;
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
  }
  return undefined;
}
