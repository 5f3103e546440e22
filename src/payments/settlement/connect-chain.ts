import { createChainHistory, type ChainHistory } from './chain-history.js';
import type { ChainClient } from '../chain/clients.js';
import type { Hex } from '../chain/eip3009.js';
import type { Network } from '../../wire/networks.js';
import { createChainEvidence } from './chain-evidence.js';
import type { Evidence } from './resolve-open-payment.js';
import type { PaymentTerms } from '../terms.js';
import { createObservedClient } from './observed-client.js';

/** The chain on which payments settle, and the keys that are used on it. */
export interface PaymentChain {
  readonly terms: PaymentTerms;
  /** Undefined without a chain. */
  readonly client: ChainClient | undefined;
  readonly evidence: Evidence;
  /** Undefined without a chain. */
  readonly history: ChainHistory | undefined;
  /** Empty when a facilitator settles. */
  readonly relayerKeys: readonly Hex[];
  readonly receiptKey: Hex | undefined;
  /** Names a local chain's history; empty on public networks. */
  readonly instance: string;
  /** The local chain's address, where this process runs one. */
  readonly localRpcUrl: string | undefined;
  /** Why there is no chain, in plain words. */
  readonly obstacle: string | undefined;
  stop(): Promise<void>;
}

/** A chain that can be asked. */
export interface ConnectedChain extends PaymentChain {
  readonly client: ChainClient;
  readonly history: ChainHistory;
}

/** How the chain is reached, and who is paid on it. */
export interface ChainSettings {
  readonly network: Network;
  readonly payTo: Hex;
  readonly rpcUrl: string;
  /** Maximum number of blocks of one eth_getLogs. */
  readonly blocksPerCall: bigint;
  /** The first that no other instance holds is used. Empty if and only if a facilitator settles. */
  readonly relayerKeys: readonly Hex[];
  /** Signs offers and receipts. Undefined: none are signed. */
  readonly receiptKey: Hex | undefined;
}

/** The configured chain. Nothing is asked of it yet. */
export function connectChain(settings: ChainSettings): ConnectedChain {
  const { network, payTo, relayerKeys, receiptKey } = settings;
  const client = createObservedClient(settings);
  const terms = { network, payTo };
  return {
    terms,
    client,
    evidence: createChainEvidence(client, network),
    history: createChainHistory(client, terms),
    relayerKeys,
    receiptKey,
    instance: '',
    localRpcUrl: undefined,
    obstacle: undefined,
    stop: async () => undefined,
  };
}
