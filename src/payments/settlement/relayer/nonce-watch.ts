import { once } from 'node:events';
import { TransactionReceiptNotFoundError, type TransactionReceipt } from 'viem';
import { isRateLimited, readHead, type ChainClient } from '../../chain/clients.js';
import type { Hex } from '../../chain/eip3009.js';
import { isReceiptOf } from '../../chain/transfer-proof.js';
import type { Pause } from '../pause.js';
import type { InFlight, NonceBook } from './nonce-book.js';
import type { KeptTransaction, RelayerStore } from './relayer-store.js';
import { resendOrReplace } from './resend-or-replace.js';
import { readSignedTransaction, type Transmitter } from './transmitter.js';

export interface NonceWatchPorts {
  readonly client: Pick<ChainClient, 'getTransactionCount' | 'getTransactionReceipt' | 'getBlockNumber'>;
  readonly store: Pick<RelayerStore, 'list'>;
  readonly address: Hex;
  readonly book: NonceBook;
  readonly transmitter: Pick<Transmitter, 'raise' | 'transmit'>;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly confirmations: number;
  readonly bumpAfterMs: number;
  readonly closing: AbortSignal;
  /** The receipt was found and has enough confirmations. */
  readonly onConfirmed: (entry: InFlight, receipt: TransactionReceipt) => void;
  /** Another transaction has used the nonce, in this block at the latest. */
  readonly onDisplaced: (entry: InFlight, blockNumber: bigint) => void;
  /** Restores kept transactions and fills gaps between nonces. */
  readonly repairNonces: () => Promise<void>;
  /** The nonce count of the chain went down to `mined`, after a reorg or a reset. */
  readonly onReorg: (mined: number) => void;
  readonly pause: Pause;
  /** The milliseconds between two blocks. Rejects when the node does not answer. */
  readonly blockMs: () => Promise<number>;
}

/** Polls sent transactions until the chain has used their nonces. */
export type NonceWatch = ReturnType<typeof createNonceWatch>;

const shortestPauseMs = 25;
const longestPauseMs = 1_000;
/** The default when the node's cadence is not known. */
const usualBlockMs = 2_000;
/** After this time without a mined transaction, the pauses grow. */
const steadyMs = 2_000;
const resendMs = 4_000;
const resendDoubtfulMs = 500;
/** Nodes behind one address may lag: how long to look for a receipt that one node does not return. */
const patienceMs = 15_000;
/** A lower nonce count must last this long to count as a reorg: a lagging node catches up with the next block. */
const lagMs = 3_000;

/**
 * Polls each transaction in flight until the chain has used its nonce: one loop that runs until `closing` and sleeps
 * while nothing is in flight. Each pass makes one getTransactionCount call to see which nonces are mined, then fetches
 * receipts only for those. It pauses for a quarter of a block, and longer after two seconds without news. Transactions
 * whose submission is still being answered are left alone for a while. Malformed answers are ignored.
 */
export function createNonceWatch(ports: NonceWatchPorts) {
  const { client, address, book, nowMs, closing, pause } = ports;
  let pauseMs = longestPauseMs;
  let steadyLeftMs = 0;
  let wakeUp = new AbortController();
  let repairing: Promise<void> | undefined;
  let behindSinceMs: number | undefined;
  const resending = new Set<InFlight>();

  async function watch(): Promise<void> {
    while (!closing.aborted) {
      wakeUp = new AbortController();
      const signal = AbortSignal.any([closing, wakeUp.signal]);
      if (book.size === 0) {
        await once(signal, 'abort');
        continue;
      }
      if (steadyLeftMs === steadyMs) pauseMs = await quarterOfBlock();
      await pause(pauseMs, signal);
      if (closing.aborted) return;
      const hasMoved = await pass().catch(leaveAlone);
      steadyLeftMs = hasMoved ? steadyMs : steadyLeftMs - pauseMs;
      if (steadyLeftMs <= 0) pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
    }
  }

  async function quarterOfBlock(): Promise<number> {
    const blockMs = await ports.blockMs().catch(() => usualBlockMs);
    return Math.min(Math.max(blockMs / 4, shortestPauseMs), longestPauseMs);
  }

  /** After a rate limit, the node gets a second of rest. */
  function leaveAlone(error: unknown): boolean {
    if (isRateLimited(error)) [pauseMs, steadyLeftMs] = [longestPauseMs, 0];
    return false;
  }

  /** Returns true if any transaction was concluded. */
  async function pass(): Promise<boolean> {
    const isAnswerDue = ({ isAsking, sentAtMs }: InFlight) => isAsking && nowMs() - sentAtMs < resendMs;
    const watched = book.list().filter((entry) => !isAnswerDue(entry));
    if (watched.length === 0) return false;
    const used = await client.getTransactionCount({ address, blockTag: 'latest' });
    noticeReorg(used);
    book.sawMined(used);
    const mined = watched.filter(({ nonce }) => nonce < used);
    const waiting = watched.filter(({ nonce }) => nonce >= used);
    for (const entry of waiting) entry.missingSinceMs = undefined;
    const idle = waiting.filter((entry) => !entry.isAsking && isDue(entry));
    for (const entry of idle) resendInBackground(entry);
    const hasMoved = await fetchReceipts(ports, mined);
    if (idle.length > 0 || book.gaps().length > 0) repair();
    return hasMoved;
  }

  function noticeReorg(used: number): void {
    behindSinceMs = used < book.mined ? (behindSinceMs ?? nowMs()) : undefined;
    if (behindSinceMs === undefined || nowMs() - behindSinceMs < lagMs) return;
    ports.onReorg(used);
    behindSinceMs = undefined;
    repair();
  }

  /** Not awaited: a node that does not answer must not delay the receipts of other transactions. */
  function resendInBackground(entry: InFlight): void {
    if (resending.has(entry)) return;
    resending.add(entry);
    void resendOrReplace(entry, ports)
      .catch(() => undefined)
      .finally(() => resending.delete(entry));
  }

  function isDue({ isDoubtful, sentAtMs, raisedAtMs }: InFlight): boolean {
    const patienceMs = isDoubtful ? resendDoubtfulMs : resendMs;
    return nowMs() - sentAtMs >= patienceMs || nowMs() - raisedAtMs >= ports.bumpAfterMs;
  }

  /** Not awaited: a caller in the queue for a nonce may wait for this pass, so awaiting it could deadlock. */
  function repair(): void {
    repairing ??= ports
      .repairNonces()
      .catch(() => undefined)
      .finally(() => (repairing = undefined));
  }

  const ended = watch();
  return {
    /** Call it when a new transaction is in flight. */
    wake() {
      steadyLeftMs = steadyMs;
      wakeUp.abort();
    },
    /** Resolves when the watch has ended, after `closing`. */
    ended: () => ended,
  };
}

/**
 * Fetches the receipts of mined transactions; a known receipt is not fetched again until it has enough confirmations.
 * Returns true if any transaction was concluded.
 */
async function fetchReceipts(ports: NonceWatchPorts, entries: readonly InFlight[]): Promise<boolean> {
  const depth = BigInt(ports.confirmations);
  const head = depth > 1n && entries.length > 0 ? await readHead(ports.client) : undefined;
  const isDeep = ({ blockNumber }: TransactionReceipt) => head === undefined || head - blockNumber + 1n >= depth;
  const seek = async (entry: InFlight): Promise<boolean> => {
    if (entry.receipt && !isDeep(entry.receipt)) return false;
    entry.receipt = await findReceipt(ports.client, entry);
    if (entry.receipt && isDeep(entry.receipt)) {
      ports.onConfirmed(entry, entry.receipt);
      return true;
    }
    const nowMs = ports.nowMs();
    entry.missingSinceMs = entry.receipt ? undefined : (entry.missingSinceMs ?? nowMs);
    if (entry.missingSinceMs !== undefined && nowMs - entry.missingSinceMs >= patienceMs)
      await reportIfDisplaced(ports, entry);
    return false;
  };
  // One failed lookup does not affect the others.
  return (await Promise.all(entries.map((entry) => seek(entry).catch(() => false)))).includes(true);
}

/** Reads the count at that exact block, because a later check compares against the block. */
async function reportIfDisplaced(ports: NonceWatchPorts, entry: InFlight): Promise<void> {
  const { client, address, onDisplaced } = ports;
  const blockNumber = await readHead(client);
  if ((await client.getTransactionCount({ address, blockNumber })) <= entry.nonce) return;
  if (!(await learnVariants(ports, entry))) onDisplaced(entry, blockNumber);
}

/** Another holder of the key, or this process in doubt, may have kept more for the nonce. Returns true if so. */
async function learnVariants({ store, address }: NonceWatchPorts, entry: InFlight): Promise<boolean> {
  const { nonce, variants } = entry;
  const isNew = (each: KeptTransaction) => each.nonce === nonce && variants.every(({ hash }) => hash !== each.hash);
  const found = (await store.list(address, nonce)).filter(isNew);
  variants.push(...found.map(({ raw }) => readSignedTransaction(raw)));
  return found.length > 0;
}

/** Any variant's receipt counts. Undefined when the node has none; rejects on any other answer. */
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
