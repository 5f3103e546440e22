import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { KeptRow } from './model-relayer-store.js';

/** What the ledger has lost because an older copy of it came back. */
export interface Losses {
  /** When it came back; undefined until then. */
  readonly atMs: number | undefined;
  /** No instance opens before. */
  readonly overAtMs: number;
  /** Whether every node showed then that relayers had used more nonces than the ledger knows. */
  readonly isBehind: boolean;
  /** The nonces of payments that it has forgotten, or remembers as they were before. */
  readonly payments: ReadonlySet<Hex>;
  /** The running instances that have to notice it, by the owners of their leases. */
  readonly noticing: ReadonlySet<string>;
  /** When a beat told them. */
  readonly noticedAtMs: Map<string, number>;
  /** What relayers had signed and the ledger does not know, by its hash. */
  readonly transactions: ReadonlyMap<Hex, KeptRow>;
}

export const noLosses: Losses = {
  atMs: undefined,
  overAtMs: -Infinity,
  isBehind: false,
  payments: new Set(),
  noticing: new Set(),
  noticedAtMs: new Map(),
  transactions: new Map(),
};
