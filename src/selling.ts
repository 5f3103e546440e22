import { join } from 'node:path';
import type { Config } from './config/config.js';
import { payTo, receiptSigner, relayer } from './demo/chain/accounts.js';
import { createLocalEvidence } from './demo/chain/local-evidence.js';
import { startChain } from './demo/chain/start-chain.js';
import { createLimits, type Limits } from './limits/limits.js';
import type { Log } from './log.js';
import { openBooks, type Books } from './payments/audit/books.js';
import { createChainHistory, type ChainHistory } from './payments/audit/chain-history.js';
import { createChainClient } from './payments/chain/clients.js';
import { networks } from './payments/chain/networks.js';
import { checkSelling } from './payments/gate/check-selling.js';
import { discardRelayed } from './payments/settlement/relayer/relayer-store.js';
import {
  openPayments,
  type PaymentChain,
  type Payments,
  type PaymentsOverrides,
  type PaymentsPorts,
} from './payments/open-payments.js';
import { createChainEvidence } from './payments/settlement/chain-evidence.js';
import { noEvidence } from './payments/settlement/no-evidence.js';
import { reconcilePayments, type ReconcilePorts, type ReconcileReport } from './payments/settlement/reconcile.js';

/** The payment side on its chain, with the upkeep of its ledger. */
export interface Selling extends Payments, Pick<PaymentChain, 'terms' | 'client'> {
  readonly limits: Limits;
  /** The local chain's address, where this process runs one. */
  readonly localRpcUrl: string | undefined;
  /** What an operator asks of the ledger, and the audit. */
  readonly books: Books;
  reconcile(report?: ReconcilePorts['report']): Promise<ReconcileReport>;
  /** Drops transactions that were signed before: says how many. */
  discardRelayed(before: Date): Promise<number>;
}

export interface SellingPorts extends Pick<
  PaymentsPorts,
  'contract' | 'database' | 'owner' | 'resourceUrlOf' | 'now' | 'log'
> {
  readonly config: Config;
}

/** Opens the payment side: on the configured network, or on the local chain of the demonstration. */
export async function openSelling(ports: SellingPorts, overrides: PaymentsOverrides = {}): Promise<Selling> {
  const { config, database, owner, now, log } = ports;
  const { payment, settlement, publicBaseUrl } = config;
  const chain =
    payment === undefined ? await openLocalChain(config, now, log) : await openConfiguredChain(payment, log);
  const { terms, client, history, localRpcUrl } = chain;
  const limits = createLimits(config.limits, now);
  const payments = await openPayments(
    chain,
    { ...ports, limits, settlement, facilitation: payment, publicBaseUrl },
    overrides,
  );
  const { ledger, evidence, settler, responses } = payments;
  const about = { ledger, evidence, history, owner, now, log };
  return {
    ...payments,
    terms,
    client,
    limits,
    localRpcUrl,
    books: openBooks({ ...about, database, responses }),
    reconcile: (report) => reconcilePayments({ ...about, settler, ...(report ? { report } : {}) }),
    discardRelayed: (before) => discardRelayed(database.knex, before),
    async close() {
      await payments.close();
      await chain.stop();
    },
  };
}

interface OpenChain extends PaymentChain {
  /** Undefined when there is no chain to speak to. */
  readonly history: ChainHistory | undefined;
  readonly localRpcUrl: string | undefined;
  stop(): Promise<void>;
}

async function openConfiguredChain(payment: NonNullable<Config['payment']>, log: Log): Promise<OpenChain> {
  const client = createChainClient({ rpcUrl: payment.rpcUrl });
  await checkSelling(payment, client, log);
  const terms = { network: payment.network, payTo: payment.payTo };
  return {
    terms,
    client,
    evidence: createChainEvidence(client, payment.network, payment),
    history: createChainHistory(client, terms, payment),
    relayerKey: payment.relayerKey,
    receiptKey: payment.receiptKey,
    localRpcUrl: undefined,
    instance: '',
    obstacle: undefined,
    stop: async () => undefined,
  };
}

/** Without a chain's program the server still serves what is free, and says why it cannot sell. */
async function openLocalChain(config: Config, now: () => Date, log: Log): Promise<OpenChain> {
  const network = networks.find((each) => each.isLocal);
  if (network === undefined) throw new Error('There is no local network');
  const base = {
    terms: { network, payTo: payTo.address },
    relayerKey: relayer.privateKey,
    receiptKey: receiptSigner.privateKey,
  };
  try {
    const anvil = config.anvilPath === undefined ? {} : { anvilBin: config.anvilPath };
    const chain = await startChain({ directory: join(config.dataDirectory, 'chain'), log, ...anvil });
    const client = createChainClient({ rpcUrl: chain.rpcUrl });
    const evidence = createLocalEvidence(client, network, chain.instanceId, now);
    return {
      ...base,
      client,
      evidence,
      history: createChainHistory(client, base.terms, { instance: chain.instanceId }),
      localRpcUrl: chain.rpcUrl,
      instance: chain.instanceId,
      obstacle: undefined,
      stop: () => chain.stop(),
    };
  } catch (error) {
    const obstacle = error instanceof Error ? error.message : String(error);
    log.warn({ obstacle }, 'no local chain: nothing can be bought');
    const none = { client: undefined, history: undefined, localRpcUrl: undefined, instance: '' };
    return { ...base, ...none, evidence: noEvidence, obstacle, stop: async () => undefined };
  }
}
