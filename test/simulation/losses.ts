import type { Hex } from '../../src/payments/chain/eip3009.js';

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
  /** The hashes of what relayers had signed and the ledger does not know. */
  readonly transactions: ReadonlySet<Hex>;
}

export const noLosses: Losses = {
  atMs: undefined,
  overAtMs: -Infinity,
  isBehind: false,
  payments: new Set(),
  transactions: new Set(),
};
