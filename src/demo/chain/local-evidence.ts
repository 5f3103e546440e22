import type { ChainClient } from '../../chain/clients.js';
import type { Network } from '../../chain/networks.js';
import { createChainEvidence } from '../../payments/chain-evidence.js';
import type { Evidence } from '../../payments/resolve-open-payment.js';
import { advanceChain } from './advance-chain.js';

/** Evidence from the local chain, which is moved on first where it stands still before an authorization's end. */
export function createLocalEvidence(client: ChainClient, network: Network, now: () => Date): Evidence {
  const evidence = createChainEvidence(client, network);
  return {
    async find(question) {
      const isOver = question.validBefore <= BigInt(Math.floor(now().getTime() / 1000));
      if (isOver) await advanceChain(client);
      return evidence.find(question);
    },
  };
}
