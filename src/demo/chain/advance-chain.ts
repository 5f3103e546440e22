import type { ChainClient } from '../../payments/chain/clients.js';

/** Anvil finalizes a block after this many more blocks. */
const finalityBlocks = 66;

/**
 * Mines blocks until the local chain's newest finalized block has the current time. A chain that mines on demand stops
 * while nobody pays, and an unused authorization would never be seen to have expired.
 */
export async function advanceChain(client: ChainClient): Promise<void> {
  // A method of anvil's own: viem's types do not include it.
  await client.request({ method: 'anvil_mine', params: [`0x${finalityBlocks.toString(16)}`] } as never);
}
