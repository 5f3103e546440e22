import type { Hex } from '../../../src/payments/chain/eip3009.js';
import type { KeptTransaction, RelayerStore } from '../../../src/payments/settlement/relayer/relayer-store.js';

/** Stands in for the table where a test is not about it. `raws`: what is kept, in order. */
export function createMemoryRelayerStore(): RelayerStore & { readonly raws: () => readonly Hex[] } {
  let rows: (KeptTransaction & { readonly relayer: Hex })[] = [];
  return {
    async keep(relayer, transaction) {
      rows.push({ relayer, ...transaction });
      return true;
    },
    forget: async (_, { hash }) => void (rows = rows.filter((row) => row.hash !== hash)),
    list: async (_, fromNonce) => rows.filter(({ nonce }) => nonce >= fromNonce),
    nextNonce: () => 0,
    async findLast({ payer, nonce }) {
      const last = rows.findLast(({ carries }) => carries.some((each) => each.payer === payer && each.nonce === nonce));
      const [first, ...others] = rows.filter((row) => row.relayer === last?.relayer && row.nonce === last.nonce);
      return first && { relayer: first.relayer, transactions: [first, ...others] };
    },
    raws: () => rows.map(({ raw }) => raw),
  };
}
