import { lowerHex, type Authorization, type AuthorizationVerifier, type Hex } from '../../chain/eip3009.js';
import { gasMs } from '../../ledger/ledger.js';
import { describeFault } from '../describe-fault.js';
import { pauseByTimer, type Pause } from '../pause.js';
import { encodeSettlement } from './encode-settlement.js';
import type { TransactionOutcome } from './nonce-book.js';
import type { Sent } from './follow-kept.js';
import type { Relayer } from './relayer.js';

export interface SettlementWindowOptions {
  readonly relayer: Pick<Relayer, 'send' | 'isIdle'>;
  readonly asset: Hex;
  readonly verifier: AuthorizationVerifier;
  /** How long a payment may wait for others; 0 sends each alone. */
  readonly windowMs: number;
  readonly maxItems: number;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly pause?: Pause;
}

/** An authorization, for the claim whose lease this owner holds. */
export interface ToSettle {
  readonly authorization: Authorization;
  readonly leaseOwner: string;
  /** False: it goes in a transaction of its own. */
  readonly mayShare: boolean;
  /** How much gas it may use there. */
  readonly gas: bigint | undefined;
  /** It is sent before this time, or not at all. */
  readonly notAfterMs: number;
}

/** The authorizations of one transaction. */
interface Batch {
  readonly items: ToSettle[];
  /** When aborted, the batch is sent at once. */
  readonly waiting: AbortController;
  readonly relayed: Promise<TransactionOutcome>;
}

/** While nothing is in flight, only what comes at the same moment is waited for. */
const idleWindowMs = 5;
/** So much may be in flight in shared transactions: all of it may be burned before the first is known to be. */
const maxShared = { transactions: 8, items: 160 };

/** Lets payments that arrive together share one transaction. */
export type SettlementWindow = ReturnType<typeof createSettlementWindow>;

/**
 * Creates the window. A payment that finds nothing in flight leaves at once, so that gathering costs a lone buyer
 * nothing; the others wait for up to `windowMs`, while those before them are mined anyway.
 *
 * Multicall3 cannot bound the gas of one call among others, and a payer's own code may burn what it is given. So only
 * known payers without code share a transaction. Such an account may gain code before it is mined (EIP-7702): once
 * that has burned a shared transaction, its payments go alone, and nobody shares for an hour.
 */
export function createSettlementWindow(options: SettlementWindowOptions) {
  const { relayer, windowMs, maxItems, nowMs, pause = pauseByTimer } = options;
  let burnedAtMs = -Infinity;
  /** The batch that others may still join. */
  let open: Batch | undefined;
  let isClosed = false;
  /** The shared transactions in flight, with how many payments each has. */
  const shared = new Map<Promise<TransactionOutcome>, number>();

  function hasRoom(items: number): boolean {
    const inFlight = [...shared.values()].reduce((sum, each) => sum + each, 0);
    return shared.size === 0 || (shared.size < maxShared.transactions && inFlight + items <= maxShared.items);
  }

  async function relay(items: readonly ToSettle[], pauseMs: number, signal: AbortSignal): Promise<TransactionOutcome> {
    if (pauseMs > 0) await pause(pauseMs, signal);
    while (items.length > 1 && !hasRoom(items.length)) await Promise.race(shared.keys());
    if (open?.items === items) open = undefined;
    if (isClosed) return { outcome: 'refused', detail: 'The service is stopping' };
    try {
      const authorizations = items.map(({ authorization }) => authorization);
      const claims = items.map(({ authorization: { from, nonce }, leaseOwner }) => ({
        ...{ payer: lowerHex(from), nonce: lowerHex(nonce) },
        leaseOwner,
      }));
      const notAfterMs = Math.min(...items.map((each) => each.notAfterMs));
      const endsAt = new Date(Math.max(...authorizations.map(({ validBefore }) => Number(validBefore) * 1000)));
      const [first] = items;
      const call = encodeSettlement(authorizations, { ...options, gas: first?.gas });
      const relayed = relayer.send({ ...call, claims, notAfterMs, endsAt });
      if (items.length === 1) return await relayed;
      shared.set(relayed, items.length);
      return await relayed.finally(() => shared.delete(relayed));
    } catch (error) {
      return { outcome: 'refused', detail: describeFault(error) };
    }
  }

  /** Never rejects. */
  async function send(item: ToSettle): Promise<Sent> {
    const isCalm = nowMs() - burnedAtMs >= gasMs;
    const goesAlone = windowMs === 0 || maxItems === 1 || !item.mayShare || !isCalm;
    let batch = goesAlone ? undefined : open;
    if (batch === undefined) {
      const [items, waiting] = [[item], new AbortController()];
      const pauseMs = goesAlone ? 0 : relayer.isIdle() ? Math.min(idleWindowMs, windowMs) : windowMs;
      batch = { items, waiting, relayed: relay(items, pauseMs, waiting.signal) };
      if (!goesAlone) open = batch;
    } else batch.items.push(item);
    if (batch === open && batch.items.length >= maxItems) {
      open = undefined;
      batch.waiting.abort();
    }
    return { relayed: await batch.relayed, items: batch.items.length };
  }

  return {
    send,
    /** In a transaction of its own, after one that it shared has burned its gas. Never rejects. */
    sendAlone(item: ToSettle): Promise<Sent> {
      burnedAtMs = nowMs();
      return send({ ...item, mayShare: false });
    },
    /** Refuses what still waits: it was never sent. */
    close() {
      isClosed = true;
      open?.waiting.abort();
    },
  };
}
