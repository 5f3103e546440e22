import type { ChainClient } from '../../payments/chain/clients.js';

/** Anvil calls a block finalized once this many others stand on it. */
const finalityBlocks = 66;

/**
 * Mines blocks until the local chain's newest finalized block is of now. A chain that mines on demand stands still
 * while nobody pays, and without this an unused authorization would never be seen to have expired.
 */
export async function advanceChain(client: ChainClient): Promise<void> {
  // The method is anvil's own: viem's types do not know it.
  await client.request({ method: 'anvil_mine', params: [`0x${finalityBlocks.toString(16)}`] } as never);
}
