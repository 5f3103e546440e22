import { LRUCache } from 'lru-cache';
import { lowerHex, type Authorization, type AuthorizationVerifier, type Hex } from '../../chain/eip3009.js';
import { describeFault } from '../describe-fault.js';
import { pauseByTimer } from '../pause.js';
import { encodeSettlement } from './encode-settlement.js';
import type { Relayed } from './nonce-book.js';
import type { Sent } from './follow-kept.js';
import type { Relayer } from './relayer.js';

export interface SettlementWindowOptions {
  readonly relayer: Pick<Relayer, 'send' | 'isIdle'>;
  readonly asset: Hex;
  readonly verifier: AuthorizationVerifier;
  /** How long a payment may wait for others; 0 sends each alone. */
  readonly windowMs: number;
  readonly maxItems: number;
}

/** An authorization, for the claim whose lease this owner holds. */
export interface ToSettle {
  readonly authorization: Authorization;
  readonly leaseOwner: string;
  /** It is sent before this time, or not at all. */
  readonly notAfter: Date;
}

/** The authorizations of one transaction. */
interface Batch {
  readonly items: ToSettle[];
  /** When aborted, the batch is sent at once. */
  readonly waiting: AbortController;
  readonly relayed: Promise<Relayed>;
}

/** While nothing is in flight, only what comes at the same moment is waited for. */
const idleWindowMs = 5;

/** Lets payments that arrive together share one transaction. */
export type SettlementWindow = ReturnType<typeof createSettlementWindow>;

/**
 * Creates the window. A payment that finds nothing in flight leaves at once, so that gathering costs a lone buyer
 * nothing; the others wait for up to `windowMs`, while those before them are mined anyway.
 *
 * Multicall3 cannot bound the gas of one call among others, and a contract wallet's own check may burn what it is
 * given. So a payer whose signature is not a plain account's never shares a transaction. A plain signature is no full
 * proof of a plain account (EIP-7702: it may gain code at any time before it is mined, whatever was looked up before).
 * Hence what failed among others is sent again alone, and its payer goes alone from then on: a burner harms the others
 * once, by a delay, and never by a lost or doubled payment.
 */
export function createSettlementWindow(options: SettlementWindowOptions) {
  const { relayer, verifier, windowMs, maxItems } = options;
  const loners = new LRUCache<Hex, true>({ max: 10_000 });
  /** The batch that others may still join. */
  let open: Batch | undefined;
  let isClosed = false;

  async function relay(items: readonly ToSettle[], pauseMs: number, signal: AbortSignal): Promise<Relayed> {
    if (pauseMs > 0) await pauseByTimer(pauseMs, signal);
    if (open?.items === items) open = undefined;
    if (isClosed) return { outcome: 'refused', detail: 'The service is stopping' };
    try {
      const authorizations = items.map(({ authorization }) => authorization);
      const claims = items.map(({ authorization: { from, nonce }, leaseOwner }) => ({
        ...{ payer: lowerHex(from), nonce: lowerHex(nonce) },
        leaseOwner,
      }));
      const notAfter = new Date(Math.min(...items.map((each) => each.notAfter.getTime())));
      const endsAt = new Date(Math.max(...authorizations.map(({ validBefore }) => Number(validBefore) * 1000)));
      return await relayer.send({ ...encodeSettlement(authorizations, options), claims, notAfter, endsAt });
    } catch (error) {
      return { outcome: 'refused', detail: describeFault(error) };
    }
  }

  /** Never rejects. */
  async function send(item: ToSettle): Promise<Sent> {
    const { authorization } = item;
    const isLoner = loners.has(lowerHex(authorization.from)) || !verifier.isSignedByPayer(authorization);
    const goesAlone = windowMs === 0 || maxItems === 1 || isLoner;
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
    /** In a transaction of its own, this one and all later ones of the payer. Never rejects. */
    sendAlone(item: ToSettle): Promise<Sent> {
      loners.set(lowerHex(item.authorization.from), true);
      return send(item);
    },
    /** Refuses what still waits: it was never sent. */
    close() {
      isClosed = true;
      open?.waiting.abort();
    },
  };
}
