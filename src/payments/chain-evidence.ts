import type { ChainClient } from '../chain/clients.js';
import type { Hex } from '../chain/eip3009.js';
import { findTransfer } from '../chain/find-transfer.js';
import type { PaymentRow } from './ledger.js';
import type { ChainEvidence, Evidence } from './resolve-open-payment.js';

/** Reads evidence of payments from the chain's own logs, from the block on at which each was verified. */
export function createChainEvidence(client: ChainClient, asset: Hex): Evidence {
  return {
    async find(row: PaymentRow): Promise<ChainEvidence> {
      const found = await findTransfer(
        { client, asset, payTo: row.payTo, fromBlock: row.fromBlock },
        { authorization: { from: row.payer, nonce: row.nonce, value: row.amount, validBefore: row.validBefore } },
      );
      switch (found.verdict) {
        case 'settled':
          return { verdict: 'settled', transaction: found.transaction, blockNumber: found.blockNumber };
        case 'reorged':
          return { verdict: 'open' };
        // Used, but not in the blocks that were searched: nothing is proven either way.
        case 'unproven':
          return { verdict: 'unknown' };
        default:
          return { verdict: found.verdict };
      }
    },
  };
}
