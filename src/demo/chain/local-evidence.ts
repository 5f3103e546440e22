import type { ChainClient } from '../../chain/clients.js';
import type { Hex } from '../../chain/eip3009.js';
import { createChainEvidence } from '../../payments/chain-evidence.js';
import type { Evidence } from '../../payments/resolve-open-payment.js';
import { advanceChain } from './advance-chain.js';

/** Evidence from the local chain, which is moved on first where it stands still before an authorization's end. */
export function createLocalEvidence(client: ChainClient, asset: Hex, now: () => Date): Evidence {
  const evidence = createChainEvidence(client, asset);
  return {
    async find(row) {
      const isOver = row.validBefore <= BigInt(Math.floor(now().getTime() / 1000));
      if (isOver) await advanceChain(client);
      return evidence.find(row);
    },
  };
}
