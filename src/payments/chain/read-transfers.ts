import { TransactionReceiptNotFoundError, type TransactionReceipt } from 'viem';
import type { ChainClient } from './clients.js';
import { lowerHex, type Hex } from './eip3009.js';
import type { LogPart, TokenLog } from './log-reader.js';
import { addressTopic, eventTopics, isReceiptOf } from './transfer-proof.js';

/** Money that came in. Addresses and hashes in lower case. */
export interface IncomingTransfer {
  readonly transaction: Hex;
  readonly logIndex: number;
  readonly blockNumber: bigint;
  readonly payer: Hex;
  readonly payTo: Hex;
  readonly amount: bigint;
  /** The nonce of the authorization that moved it; undefined for any other transfer of the token. */
  readonly nonce: Hex | undefined;
}

export interface TransferRange {
  readonly client: ChainClient;
  readonly asset: Hex;
  readonly payTos: readonly Hex[];
  /** Both ends belong to the range. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Called after each part of the range with the last block that was read; throws to stop. */
  readonly onProgress?: (block: bigint) => void;
}

const payersPerCall = 200;

/**
 * Every transfer of the token to one of `payTos` in a range of blocks, in the chain's order. An authorization belongs
 * to a transfer when its AuthorizationUsed is the very log before it, in the same transaction and by the same payer.
 * Throws when the chain cannot be asked.
 */
export async function readTransfers(range: TransferRange): Promise<IncomingTransfer[]> {
  const { client, asset: address, fromBlock, toBlock, payTos, onProgress } = range;
  const topics = [eventTopics.transfer, null, payTos.map(addressTopic)];
  const found: IncomingTransfer[] = [];
  for (let next = fromBlock; next <= toBlock && payTos.length > 0;) {
    const part = await client.readLogs({ address, topics, fromBlock: next, toBlock }, 'oldest');
    const nonceOf = await readNonces(range, part);
    for (const log of part.logs)
      found.push({
        transaction: log.transactionHash,
        logIndex: log.logIndex,
        blockNumber: log.blockNumber,
        payer: addressIn(log.topics[1]),
        payTo: addressIn(log.topics[2]),
        amount: BigInt(log.data),
        nonce: nonceOf(log),
      });
    onProgress?.(part.toBlock);
    next = part.toBlock + 1n;
  }
  return found;
}

/** Reads which authorizations moved the transfers of a part. */
async function readNonces({ client, asset: address }: TransferRange, part: LogPart) {
  const payers = [...new Set(part.logs.flatMap(({ topics }) => topics[1] ?? []))];
  const nonces = new Map<string, Hex>();
  for (let start = 0; start < payers.length; start += payersPerCall) {
    const topics = [eventTopics.used, payers.slice(start, start + payersPerCall)];
    for (let next = part.fromBlock; next <= part.toBlock;) {
      const { logs, toBlock } = await client.readLogs({ ...part, address, topics, fromBlock: next }, 'oldest');
      for (const {
        transactionHash,
        logIndex,
        topics: [, payer, nonce],
      } of logs)
        if (payer && nonce) nonces.set(`${transactionHash} ${logIndex} ${payer}`, nonce);
      next = toBlock + 1n;
    }
  }
  return (log: TokenLog) => nonces.get(`${log.transactionHash} ${log.logIndex - 1} ${log.topics[1]}`);
}

/** The address in an indexed topic. */
export function addressIn(topic: Hex | undefined): Hex {
  return lowerHex(`0x${(topic ?? '').slice(-40)}`);
}

/** One transfer of the token to any receiver. Addresses in lower case. */
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
  const receipt = await readReceipt(client, hash);
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

/** The receipt of a mined transaction; undefined when there is none. Throws when the chain cannot be asked. */
export async function readReceipt(client: ChainClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  const receipt: unknown = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  });
  if (receipt === undefined || isReceiptOf(receipt, [lowerHex(hash)])) return receipt;
  throw new Error('The answer is no receipt of this transaction');
}
