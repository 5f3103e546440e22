import type { ChainClient } from '../../payments/chain/clients.js';
import type { Network } from '../../wire/networks.js';
import { createChainEvidence } from '../../payments/settlement/chain-evidence.js';
import type { Evidence } from '../../payments/settlement/resolve-open-payment.js';
import { advanceChain } from './advance-chain.js';

/** Evidence from the local chain; mines blocks first when the chain is behind an authorization's end. */
export function createLocalEvidence(
  client: ChainClient,
  network: Network,
  instance: string,
  now: () => Date,
): Evidence {
  const evidence = createChainEvidence(client, network, { instance });
  async function advancePast(validBefore: readonly bigint[]): Promise<void> {
    const seconds = BigInt(Math.floor(now().getTime() / 1000));
    if (validBefore.some((end) => end <= seconds)) await advanceChain(client);
  }
  return {
    async find(question) {
      await advancePast([question.validBefore]);
      return evidence.find(question);
    },
    async findMany(questions) {
      await advancePast(questions.map(({ validBefore }) => validBefore));
      return evidence.findMany(questions);
    },
  };
}
