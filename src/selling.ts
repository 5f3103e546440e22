import { join } from 'node:path';
import { createChainClient, type ChainClient } from './payments/chain/clients.js';
import { createAuthorizationVerifier, type AuthorizationVerifier, type Hex } from './payments/chain/eip3009.js';
import { networks } from './payments/chain/networks.js';
import type { Config } from './config/config.js';
import type { Contract } from './contract/contract.js';
import type { Database } from './db/database.js';
import { payTo, receiptSigner, relayer } from './demo/chain/accounts.js';
import { createLocalEvidence } from './demo/chain/local-evidence.js';
import { startChain } from './demo/chain/start-chain.js';
import { createLimits, type Limits } from './limits/limits.js';
import type { Log } from './log.js';
import { openBooks, type Books } from './payments/audit/books.js';
import { createChainEvidence } from './payments/settlement/chain-evidence.js';
import { createChainHistory, type ChainHistory } from './payments/audit/chain-history.js';
import { checkSelling } from './payments/gate/check-selling.js';
import { createContractWallets, type ContractWallets } from './payments/gate/contract-wallets.js';
import { createDeliveryRecorder, type DeliveryRecorder } from './payments/ledger/delivery-recorder.js';
import { createLedgerStore } from './payments/ledger/ledger-store.js';
import type { Ledger } from './payments/ledger/ledger.js';
import { noEvidence } from './payments/settlement/no-evidence.js';
import { createOfferReceiptIssuer, type OfferReceiptIssuer } from './payments/gate/offer-receipt.js';
import { createRelayerStore, discardRelayed, type RelayerStore } from './payments/ledger/relayer-store.js';
import { createPaymentMachine, type PaymentMachine } from './payments/ledger/payment-machine.js';
import { createPaymentResponses, type PaymentResponses } from './payments/status/payment-response.js';
import { reconcilePayments, type ReconcilePorts, type ReconcileReport } from './payments/settlement/reconcile.js';
import type { Evidence } from './payments/settlement/resolve-open-payment.js';
import type { Settler } from './payments/settlement/settler.js';
import { openSettler } from './open-settler.js';
import type { PaymentTerms } from './payments/gate/terms.js';

/** Everything that turns a request into money. */
export interface Selling {
  readonly terms: PaymentTerms;
  readonly settler: Settler;
  readonly evidence: Evidence;
  readonly verifier: AuthorizationVerifier;
  readonly wallets: ContractWallets;
  readonly limits: Limits;
  readonly ledger: Ledger;
  readonly machine: PaymentMachine;
  readonly deliveries: DeliveryRecorder;
  /** Signs offers and receipts; undefined where no key for it is configured. */
  readonly issuer: OfferReceiptIssuer | undefined;
  readonly responses: PaymentResponses;
  /** Undefined when there is no chain to speak to. */
  readonly client: ChainClient | undefined;
  /** The local chain's address, where this process runs one. */
  readonly localRpcUrl: string | undefined;
  /** Why nothing can be sold now, in plain words; undefined when it can. */
  findObstacle(): string | undefined;
  /** What an operator asks of the ledger, and the audit. */
  readonly books: Books;
  reconcile(report?: ReconcilePorts['report']): Promise<ReconcileReport>;
  /** Drops transactions that were signed before: says how many. */
  discardRelayed(before: Date): Promise<number>;
  close(): Promise<void>;
}

export interface SellingPorts {
  readonly config: Config;
  readonly contract: Contract;
  readonly database: Database;
  readonly owner: string;
  /** The public address of an operation, without a query; asked for nothing before the server listens. */
  readonly resourceUrlOf: (operationId: string) => string;
  readonly now: () => Date;
  readonly log: Log;
}

/** What a test puts in the place of a part, or around it. */
export interface SellingOverrides {
  readonly settler?: Settler | ((settler: Settler) => Settler);
  readonly evidence?: Evidence | ((evidence: Evidence) => Evidence);
  readonly ledger?: (ledger: Ledger) => Ledger;
  readonly relayerStore?: (store: RelayerStore) => RelayerStore;
  readonly issuer?: OfferReceiptIssuer | ((issuer: OfferReceiptIssuer) => OfferReceiptIssuer);
}

/** Opens the payment side: the configured network, or the local chain of the demonstration. */
export async function openSelling(ports: SellingPorts, overrides: SellingOverrides = {}): Promise<Selling> {
  const { config, database, owner, now, log } = ports;
  const chain =
    config.payment === undefined
      ? await openLocalChain(config, now, log)
      : await openConfiguredChain(config.payment, log);
  const { terms, client, history } = chain;
  const { network } = terms;
  const verifier = await createAuthorizationVerifier({
    ...network.domain,
    chainId: network.chainId,
    verifyingContract: network.asset,
  });
  const limits = createLimits(config.limits, now);
  const evidence = override(chain.evidence, overrides.evidence);
  const relayed = createRelayerStore(database.knex, `${network.id} ${chain.instance}`.trim());
  const store = override(relayed, overrides.relayerStore);
  const settling = { ...ports, ...terms, store, client, relayerKey: chain.relayerKey, verifier, evidence };
  const { settler: configured, findObstacle } = await openSettler(settling);
  const settler = override(configured, overrides.settler);
  const ledger = override(createLedgerStore(database.knex), overrides.ledger);
  const deliveries = createDeliveryRecorder(ledger, log);
  const issuer =
    chain.receiptKey === undefined
      ? undefined
      : override(await createOfferReceiptIssuer(chain.receiptKey), overrides.issuer);
  const responses = createPaymentResponses(issuer, ports.resourceUrlOf, log);
  // Whoever holds the embedded database holds it alone: leases of other owners are a dead process's.
  if (database.kind === 'embedded') await ledger.endForeignLeases(owner, now());
  return {
    terms,
    settler,
    evidence,
    verifier,
    wallets: createContractWallets({ client, verifier, checks: limits.walletChecks }),
    limits,
    ledger,
    deliveries,
    issuer,
    responses,
    client,
    machine: createPaymentMachine({
      ledger,
      settler,
      evidence,
      deliveries,
      responses,
      owner,
      chainInstance: chain.instance,
      now,
      log,
    }),
    localRpcUrl: chain.localRpcUrl,
    findObstacle: () => chain.obstacle ?? findObstacle(),
    books: openBooks({ database, history, responses, ledger, evidence, owner, now, log }),
    reconcile: (report) =>
      reconcilePayments({ ledger, evidence, history, settler, owner, now, log, ...(report ? { report } : {}) }),
    discardRelayed: (before) => discardRelayed(database.knex, before),
    async close() {
      await deliveries.flush();
      await settler.close();
      await chain.stop();
    },
  };
}

function override<Part extends object>(part: Part, by: Part | ((part: Part) => Part) | undefined): Part {
  return typeof by === 'function' ? by(part) : (by ?? part);
}

interface OpenChain {
  readonly terms: PaymentTerms;
  /** Undefined when there is no chain to speak to. */
  readonly client: ChainClient | undefined;
  readonly evidence: Evidence;
  /** Undefined when there is no chain to speak to. */
  readonly history: ChainHistory | undefined;
  /** Undefined when a facilitator settles. */
  readonly relayerKey: Hex | undefined;
  readonly receiptKey: Hex | undefined;
  readonly localRpcUrl: string | undefined;
  /** Names a local chain's history; empty on public networks. */
  readonly instance: string;
  readonly obstacle: string | undefined;
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
