import { TransactionReceiptNotFoundError } from 'viem';
import type { ChainClient } from './clients.js';
import { lowerHex, type Hex } from './eip3009.js';
import { addressIn } from './read-transfers.js';
import { eventTopics } from './transfer-proof.js';

/** One transfer of the token, whoever it went to. Addresses in lower case. */
export interface Payout {
  readonly logIndex: number;
  readonly blockNumber: bigint;
  readonly from: Hex;
  readonly to: Hex;
  readonly amount: bigint;
}

/**
 * The token's transfers in a mined transaction, in their order; undefined when there is no such transaction yet, or
 * when it failed. Throws when the chain cannot be asked.
 */
export async function readPayouts(client: ChainClient, asset: Hex, hash: Hex): Promise<Payout[] | undefined> {
  const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  });
  if (receipt?.status !== 'success') return undefined;
  return receipt.logs
    .filter((log) => lowerHex(log.address) === lowerHex(asset) && log.topics[0] === eventTopics.transfer)
    .map(({ logIndex, blockNumber, topics, data }) => ({
      logIndex,
      blockNumber,
      from: addressIn(topics[1]),
      to: addressIn(topics[2]),
      amount: BigInt(data),
    }));
}
