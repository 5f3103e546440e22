import type { ChainClient } from '../chain/clients.js';
import type { Network } from '../chain/networks.js';
import { transferGas } from './relayer/encode-settlement.js';
import { createSimulator, type Simulator } from './simulator.js';

/** Tries transfers of the network's token as they would be sent. */
export function createTransferSimulator(client: ChainClient, { asset, isLocal }: Network): Simulator {
  // A local node mines on demand: its newest block may be hours old, and with it the clock of a simulation.
  const blockTag = isLocal ? 'pending' : 'latest';
  // Tried alone, a call may use what it will be sent with, and Multicall3 a little for itself.
  return createSimulator({ client, asset, blockTag, gas: transferGas + 50_000n });
}
