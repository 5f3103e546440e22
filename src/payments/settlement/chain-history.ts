import type { ChainClient } from '../chain/clients.js';
import { lowerHex, type Hex } from '../chain/eip3009.js';
import {
  readPayouts,
  type Payout,
  readTransfers,
  type IncomingTransfer,
  type TransferRange,
} from '../chain/read-transfers.js';
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
  { instance = '', blocksPerCall }: ChainEvidenceOptions = {},
) {
  const asset = lowerHex(network.asset);
  return {
    scope: { network: network.id, asset, instance } satisfies LedgerScope,
    /** Where payments go by today's configuration. */
    payTo: lowerHex(payTo),
    /** The newest block that can never be undone. */
    finalizedBlock: async (): Promise<bigint> => (await client.getBlock({ blockTag: 'finalized' })).number,
    latestBlock: (): Promise<bigint> => client.getBlockNumber(),
    timeOf: async (blockNumber: bigint) => new Date(Number((await client.getBlock({ blockNumber })).timestamp) * 1000),
    /** Incoming transfers in the chain's order, read in bounded ranges. */
    listTransfers: (
      range: Pick<TransferRange, 'payTos' | 'fromBlock' | 'toBlock' | 'onProgress'>,
    ): Promise<readonly IncomingTransfer[]> =>
      readTransfers({ client, asset, ...range, ...(blocksPerCall === undefined ? {} : { blocksPerCall }) }),
    /** The token's transfers in a mined transaction; undefined when there is no such transaction, or when it failed. */
    listPayouts: (transaction: Hex): Promise<readonly Payout[] | undefined> => readPayouts(client, asset, transaction),
  };
}
