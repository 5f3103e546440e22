import { ContractFunctionExecutionError, parseAbi } from 'viem';
import type { Network } from '../../wire/networks.js';
import type { ChainClient } from '../chain/clients.js';
import type { Hex } from '../chain/eip3009.js';
import { isTransportFault } from '../chain/transport-fault.js';

const abi = parseAbi([
  'function paused() view returns (bool)',
  'function isBlacklisted(address account) view returns (bool)',
]);

/** Whether the token is paused, or blacklists an account. False for a token without these functions. */
export async function isOnToken(
  client: ChainClient,
  { asset: address }: Network,
  functionName: 'paused' | 'isBlacklisted',
  account?: Hex,
): Promise<boolean> {
  try {
    return functionName === 'paused' || account === undefined
      ? await client.readContract({ address, abi, functionName: 'paused' })
      : await client.readContract({ address, abi, functionName, args: [account] });
  } catch (error) {
    if (error instanceof ContractFunctionExecutionError && !isTransportFault(error)) return false;
    throw error;
  }
}
