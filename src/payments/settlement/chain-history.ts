import { readHead, type ChainClient } from '../chain/clients.js';
import { lowerHex, type Hex } from '../chain/eip3009.js';
import {
  readPayouts,
  readReceipt,
  type Payout,
  readTransfers,
  type IncomingTransfer,
  type TransferRange,
} from '../chain/read-transfers.js';
import { indexTransferProofs } from '../chain/transfer-proof.js';
import type { ChainEvidenceOptions } from './chain-evidence.js';
import type { PaymentTerms } from '../terms.js';

/** Which history the ledger is held against: one token on one chain; `instance` names a local chain's history. */
export interface LedgerScope {
  readonly network: string;
  readonly asset: Hex;
  readonly instance: string;
}

/** Reads the chain's history block by block; for questions about single payments there is `Evidence`. */
export type ChainHistory = ReturnType<typeof createChainHistory>;

/** Reads the history of the configured network through its RPC endpoint. Each call rejects when the node is away. */
export function createChainHistory(
  client: ChainClient,
  { network, payTo }: PaymentTerms,
  { instance = '' }: ChainEvidenceOptions = {},
) {
  const asset = lowerHex(network.asset);
  return {
    scope: { network: network.id, asset, instance } satisfies LedgerScope,
    /** Where payments go by today's configuration. */
    payTo: lowerHex(payTo),
    /** The newest block that can never be undone. */
    finalizedBlock: async () => toHeader(await client.getBlock({ blockTag: 'finalized' })),
    latestBlock: (): Promise<bigint> => readHead(client),
    timeOf: async (blockNumber: bigint): Promise<Date> => toHeader(await client.getBlock({ blockNumber })).time,
    /** The time of a block, and who sent each of its transactions. */
    readBlock: async (blockNumber: bigint) => {
      const block = await client.getBlock({ blockNumber, includeTransactions: true });
      const senders = block.transactions.map(({ hash, from }) => [lowerHex(hash), lowerHex(from)] as const);
      return { time: toHeader(block).time, senders: new Map<Hex, Hex>(senders) };
    },
    /** The first block at or after a time, as `BlockTimes` finds it. */
    blockAt: (time: Date): Promise<bigint> => client.times.blockAt(time),
    /** What a mined transaction proves of payments; undefined when there is no such transaction. */
    readProofs: async (transaction: Hex): Promise<ReturnType<typeof indexTransferProofs> | undefined> => {
      const receipt = await readReceipt(client, transaction);
      return receipt && indexTransferProofs(receipt.logs, asset);
    },
    /** Incoming transfers in the chain's order, read in bounded ranges. */
    listTransfers: (
      range: Pick<TransferRange, 'payTos' | 'fromBlock' | 'toBlock' | 'onProgress'>,
    ): Promise<readonly IncomingTransfer[]> => readTransfers({ client, asset, ...range }),
    /** The token's transfers in a mined transaction; undefined when there is no such transaction, or when it failed. */
    listPayouts: (transaction: Hex): Promise<readonly Payout[] | undefined> => readPayouts(client, asset, transaction),
  };
}

/** Rejects when the node has no such block. */
function toHeader({ number, timestamp }: { readonly number: bigint | null; readonly timestamp: bigint }) {
  if (number === null || typeof timestamp !== 'bigint') throw new Error('The answer is no mined block');
  return { number, time: new Date(Number(timestamp) * 1000) };
}
