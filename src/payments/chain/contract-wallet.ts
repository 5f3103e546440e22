import { encodeFunctionData, parseAbi } from 'viem';
import { aggregate } from './aggregate.js';
import type { ChainClient } from './clients.js';
import type { Hex } from './eip3009.js';

const walletAbi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)']);
/** What a wallet answers when it stands by a signature, as the token reads it: the selector and 28 zero bytes. */
const yes = `0x1626ba7e${'0'.repeat(56)}`;
/**
 * More than a wallet's check may cost inside a transfer, with enough left over to tell of one that burns all it has.
 */
const gas = 1_000_000n;

/**
 * Asks a contract wallet whether a signature is its own (ERC-1271). One eth_call. False for an address without code,
 * and for a contract that fails or says anything else. Rejects when the node cannot be asked.
 */
export async function askContractWallet(
  client: ChainClient,
  question: { readonly wallet: Hex; readonly digest: Hex; readonly signature: Hex },
): Promise<boolean> {
  const { wallet, digest, signature } = question;
  const callData = encodeFunctionData({ abi: walletAbi, functionName: 'isValidSignature', args: [digest, signature] });
  const [answer] = await aggregate(client, [{ target: wallet, callData }], { gas });
  return answer?.success === true && answer.returnData.startsWith(yes);
}
