import type { Hex } from '../../../src/payments/chain/eip3009.js';
import type { RelayerStore } from '../../../src/payments/settlement/relayer/relayer-store.js';

/** Stands in for the table where a test is not about it. `raws`: what is kept, in order. */
export function createMemoryRelayerStore(): RelayerStore & { readonly raws: () => readonly Hex[] } {
  let rows: { nonce: number; hash: Hex; raw: Hex }[] = [];
  return {
    keep: async (_, transaction) => void rows.push(transaction),
    forget: async (_, { hash }) => void (rows = rows.filter((row) => row.hash !== hash)),
    list: async (_, fromNonce) => rows.filter(({ nonce }) => nonce >= fromNonce).map(({ raw }) => raw),
    raws: () => rows.map(({ raw }) => raw),
  };
}
