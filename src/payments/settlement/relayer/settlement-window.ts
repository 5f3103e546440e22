import { LRUCache } from 'lru-cache';
import { lowerHex } from '../../chain/eip3009.js';
import type { Authorization, AuthorizationVerifier, Hex } from '../../chain/eip3009.js';
import { describeFault } from '../facilitator/describe-fault.js';
import { encodeSettlement } from './encode-settlement.js';
import type { Relayed } from './in-flight.js';
import type { Relayer } from './relayer.js';

export interface SettlementWindowOptions {
  readonly relayer: Pick<Relayer, 'send' | 'isIdle'>;
  readonly asset: Hex;
  readonly verifier: AuthorizationVerifier;
  /** How long a payment may wait for others; 0 sends each alone. */
  readonly windowMs: number;
  readonly maxItems: number;
}

/** What became of the transaction that carried an authorization. */
export interface Sent {
  readonly relayed: Relayed;
  /** Others were in the transaction, and may have used its gas up. */
  readonly isShared: boolean;
}

/** Lets payments that come close to each other travel in one transaction. */
export interface SettlementWindow {
  /** Never rejects. */
  send(authorization: Authorization, notAfter: Date): Promise<Sent>;
  /** In a transaction of its own, this one and all later ones of the payer. Never rejects. */
  sendAlone(authorization: Authorization, notAfter: Date): Promise<Sent>;
  /** What still waits is refused: it was never sent. */
  close(): void;
}

/** While nothing is in flight, only what comes at the same moment is waited for. */
const idleWindowMs = 5;

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
export function createSettlementWindow(options: SettlementWindowOptions): SettlementWindow {
  const { relayer, verifier, windowMs, maxItems } = options;
  interface Waiting {
    readonly authorization: Authorization;
    readonly notAfter: Date;
    resolve(sent: Sent): void;
  }
  const loners = new LRUCache<Hex, true>({ max: 10_000 });
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function sendTogether(batch: readonly Waiting[]): Promise<void> {
    const relayed = await relay(batch).catch((error: unknown) => ({
      outcome: 'refused' as const,
      detail: describeFault(error),
    }));
    for (const { resolve } of batch) resolve({ relayed, isShared: batch.length > 1 });
  }

  async function relay(batch: readonly Waiting[]): Promise<Relayed> {
    const authorizations = batch.map(({ authorization }) => authorization);
    const notAfter = new Date(Math.min(...batch.map((each) => each.notAfter.getTime())));
    return relayer.send({ ...encodeSettlement(authorizations, options), notAfter });
  }

  function takeWaiting(): readonly Waiting[] {
    clearTimeout(timer);
    timer = undefined;
    const taken = waiting;
    waiting = [];
    return taken;
  }

  function isLoner(authorization: Authorization): boolean {
    return loners.has(lowerHex(authorization.from)) || !verifier.isSignedByPayer(authorization);
  }

  const send = (authorization: Authorization, notAfter: Date): Promise<Sent> =>
    new Promise((resolve) => {
      const item = { authorization, notAfter, resolve };
      if (windowMs === 0 || maxItems === 1 || isLoner(authorization)) return void sendTogether([item]);
      waiting.push(item);
      if (waiting.length >= maxItems) return void sendTogether(takeWaiting());
      const pauseMs = relayer.isIdle ? Math.min(idleWindowMs, windowMs) : windowMs;
      timer ??= setTimeout(() => void sendTogether(takeWaiting()), pauseMs);
    });

  return {
    send,
    sendAlone(authorization, notAfter) {
      loners.set(lowerHex(authorization.from), true);
      return send(authorization, notAfter);
    },
    close() {
      const relayed = { outcome: 'refused', detail: 'The service is stopping' } as const;
      for (const { resolve } of takeWaiting()) resolve({ relayed, isShared: false });
    },
  };
}
