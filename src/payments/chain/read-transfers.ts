import { formatLog, numberToHex, type Log, TransactionReceiptNotFoundError } from 'viem';
import type { ChainClient } from './clients.js';
import { lowerHex, type Hex } from './eip3009.js';
import { addressTopic, eventTopics } from './transfer-proof.js';

/** Money that came in. Addresses and hashes in lower case. */
export interface IncomingTransfer {
  readonly transaction: Hex;
  readonly logIndex: number;
  readonly blockNumber: bigint;
  readonly payer: Hex;
  readonly payTo: Hex;
  readonly amount: bigint;
  /** Of the authorization that moved it; undefined for any other transfer of the token. */
  readonly nonce: Hex | undefined;
}

export interface TransferRange {
  readonly client: ChainClient;
  readonly asset: Hex;
  readonly payTos: readonly Hex[];
  /** Both ends belong to the range. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** How many blocks the node lets one eth_getLogs cover. Default 2,000. */
  readonly blocksPerCall?: bigint;
  /** Called after each part of the range with the last block that was read; throws to stop. */
  readonly onProgress?: (block: bigint) => void;
}

const payersPerCall = 200;

type TokenLog = Log<bigint, number, false>;

/**
 * Every transfer of the token to one of `payTos` in a range of blocks, in the chain's order. An authorization belongs
 * to a transfer when its AuthorizationUsed is the very log before it, in the same transaction and by the same payer.
 * Throws when the chain cannot be asked.
 */
export async function readTransfers(range: TransferRange): Promise<IncomingTransfer[]> {
  const { fromBlock, toBlock, payTos, blocksPerCall = 2_000n, onProgress } = range;
  const found: IncomingTransfer[] = [];
  for (let first = fromBlock; first <= toBlock && payTos.length > 0; first += blocksPerCall) {
    const end = first + blocksPerCall - 1n;
    const last = end < toBlock ? end : toBlock;
    found.push(...(await readPart(range, first, last)));
    onProgress?.(last);
  }
  return found;
}

async function readPart(range: TransferRange, first: bigint, last: bigint): Promise<IncomingTransfer[]> {
  const ask = (topics: readonly (Hex | readonly Hex[] | null)[]) => readLogs(range, first, last, topics);
  const transfers = await ask([eventTopics.transfer, null, range.payTos.map(addressTopic)]);
  const payers = [...new Set(transfers.flatMap(({ topics }) => topics[1] ?? []))];
  const nonces = new Map<string, Hex>();
  for (let start = 0; start < payers.length; start += payersPerCall) {
    for (const log of await ask([eventTopics.used, payers.slice(start, start + payersPerCall)])) {
      const [, payer, nonce] = log.topics;
      if (payer && nonce) nonces.set(`${log.transactionHash} ${log.logIndex} ${payer}`, nonce);
    }
  }
  return transfers.map((log) => ({
    transaction: log.transactionHash,
    logIndex: log.logIndex,
    blockNumber: log.blockNumber,
    payer: addressIn(log.topics[1]),
    payTo: addressIn(log.topics[2]),
    amount: BigInt(log.data),
    nonce: nonces.get(`${log.transactionHash} ${log.logIndex - 1} ${log.topics[1]}`),
  }));
}

async function readLogs(
  { client, asset }: TransferRange,
  first: bigint,
  last: bigint,
  topics: readonly (Hex | readonly Hex[] | null)[],
): Promise<TokenLog[]> {
  const range = { fromBlock: numberToHex(first), toBlock: numberToHex(last) };
  const filter = {
    address: asset,
    topics: topics.map((topic) => (Array.isArray(topic) ? [...topic] : topic)),
    ...range,
  };
  const logs = await client.request({ method: 'eth_getLogs', params: [filter as never] });
  return logs.filter((log) => log.blockNumber !== null).map((log) => formatLog(log) as TokenLog);
}

/** The address in an indexed topic. */
export function addressIn(topic: Hex | undefined): Hex {
  return lowerHex(`0x${(topic ?? '').slice(-40)}`);
}

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
