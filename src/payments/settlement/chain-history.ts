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

/** Reads what has happened on the chain, block by block; for questions about single payments there is `Evidence`. */
export interface ChainHistory {
  readonly scope: LedgerScope;
  /** Where payments go by today's configuration. */
  readonly payTo: Hex;
  /** The newest block that can never be undone. */
  finalizedBlock(): Promise<bigint>;
  latestBlock(): Promise<bigint>;
  timeOf(block: bigint): Promise<Date>;
  /** What came in, in the chain's order, read in bounded ranges. */
  listTransfers(
    range: Pick<TransferRange, 'payTos' | 'fromBlock' | 'toBlock' | 'onProgress'>,
  ): Promise<readonly IncomingTransfer[]>;
  /** The token's transfers in a mined transaction; undefined when there is no such transaction, or when it failed. */
  listPayouts(transaction: Hex): Promise<readonly Payout[] | undefined>;
}

/** Reads the history of the configured network through its RPC endpoint. Each answer throws when it cannot be asked. */
export function createChainHistory(
  client: ChainClient,
  { network, payTo }: PaymentTerms,
  { instance = '', blocksPerCall }: ChainEvidenceOptions = {},
): ChainHistory {
  const asset = lowerHex(network.asset);
  return {
    scope: { network: network.id, asset, instance },
    payTo: lowerHex(payTo),
    finalizedBlock: async () => (await client.getBlock({ blockTag: 'finalized' })).number,
    latestBlock: () => client.getBlockNumber(),
    timeOf: async (blockNumber) => new Date(Number((await client.getBlock({ blockNumber })).timestamp) * 1000),
    listTransfers: (range) =>
      readTransfers({ client, asset, ...range, ...(blocksPerCall === undefined ? {} : { blocksPerCall }) }),
    listPayouts: (transaction) => readPayouts(client, asset, transaction),
  };
}
