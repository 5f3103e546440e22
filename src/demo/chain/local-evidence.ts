import type { Network } from '../../wire/networks.js';
import { createChainEvidence } from '../../payments/settlement/chain-evidence.js';
import type { Evidence } from '../../payments/settlement/resolve-open-payment.js';
import type { ChainClient } from '../../payments/chain/clients.js';

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

/** Anvil finalizes a block after this many more blocks. */
const finalityBlocks = 66;

/**
 * Mines blocks until the local chain's newest finalized block has the current time. A chain that mines on demand stops
 * while nobody pays, and an unused authorization would never be seen to have expired.
 */
async function advanceChain(client: ChainClient): Promise<void> {
  // A method of anvil's own: viem's types do not include it.
  await client.request({ method: 'anvil_mine', params: [`0x${finalityBlocks.toString(16)}`] } as never);
}
