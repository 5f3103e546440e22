import type { Contract } from '../contract/contract.js';
import type { Database } from '../db/database.js';
import type { Limits } from '../limits/limits.js';
import type { Log } from '../log.js';
import type { ChainClient } from './chain/clients.js';
import { createAuthorizationVerifier, type AuthorizationVerifier, type Hex } from './chain/eip3009.js';
import { createContractWallets, type ContractWallets } from './gate/contract-wallets.js';
import { createOfferReceiptIssuer, type OfferReceiptIssuer } from './gate/offer-receipt.js';
import { createSoldResources } from './gate/sold-resource.js';
import type { PaymentTerms } from './terms.js';
import { createDeliveryRecorder, type DeliveryRecorder } from './ledger/delivery-recorder.js';
import { createLedgerStore } from './ledger/ledger-store.js';
import type { Ledger } from './ledger/ledger.js';
import { createRelayerStore, type RelayerStore } from './settlement/relayer/relayer-store.js';
import { createPaymentMachine, type PaymentMachine } from './payment-machine.js';
import { createPaymentResponses, type PaymentResponses } from './payment-response.js';
import { openSettler, type SettlerPorts } from './settlement/open-settler.js';
import type { Evidence } from './settlement/resolve-open-payment.js';
import type { Settler } from './settlement/settler.js';

/** The payment side of a running service. */
export interface Payments {
  readonly settler: Settler;
  readonly evidence: Evidence;
  readonly verifier: AuthorizationVerifier;
  readonly wallets: ContractWallets;
  readonly ledger: Ledger;
  readonly machine: PaymentMachine;
  readonly deliveries: DeliveryRecorder;
  /** Signs offers and receipts; undefined where no key for it is configured. */
  readonly issuer: OfferReceiptIssuer | undefined;
  readonly responses: PaymentResponses;
  /** Why nothing can be sold now, in plain words; undefined when it can. */
  findObstacle(): string | undefined;
  close(): Promise<void>;
}

export interface PaymentsPorts extends Pick<SettlerPorts, 'settlement' | 'facilitation'> {
  readonly contract: Contract;
  readonly publicBaseUrl: string | undefined;
  readonly database: Database;
  readonly limits: Limits;
  /** Names this process's leases. */
  readonly owner: string;
  /** The public address of an operation, without a query; asked for nothing before the server listens. */
  readonly resourceUrlOf: (operationId: string) => string;
  readonly now: () => Date;
  readonly log: Log;
}

/** The chain on which payments settle, and the keys that are used on it. */
export interface PaymentChain {
  readonly terms: PaymentTerms;
  /** Undefined when there is no chain to speak to. */
  readonly client: ChainClient | undefined;
  readonly evidence: Evidence;
  /** Undefined when a facilitator settles. */
  readonly relayerKey: Hex | undefined;
  readonly receiptKey: Hex | undefined;
  /** Names a local chain's history; empty on public networks. */
  readonly instance: string;
  /** Why there is no chain, in plain words. */
  readonly obstacle: string | undefined;
}

/** Replacements or wrappers of parts, for tests. */
export interface PaymentsOverrides {
  readonly settler?: Settler | ((settler: Settler) => Settler);
  readonly evidence?: Evidence | ((evidence: Evidence) => Evidence);
  readonly ledger?: (ledger: Ledger) => Ledger;
  readonly relayerStore?: (store: RelayerStore) => RelayerStore;
  readonly issuer?: OfferReceiptIssuer | ((issuer: OfferReceiptIssuer) => OfferReceiptIssuer);
}

/** Opens the payment side on a chain. */
export async function openPayments(
  chain: PaymentChain,
  ports: PaymentsPorts,
  overrides: PaymentsOverrides,
): Promise<Payments> {
  const { contract, database, owner, now, log } = ports;
  const { client, instance, receiptKey, obstacle } = chain;
  const { network, payTo } = chain.terms;
  const verifier = await createAuthorizationVerifier({
    ...network.domain,
    chainId: network.chainId,
    verifyingContract: network.asset,
  });
  const evidence = override(chain.evidence, overrides.evidence);
  const relayed = createRelayerStore(database.knex, `${network.id} ${instance}`.trim());
  const opened = await openSettler({
    ...ports,
    ...{ client, relayerKey: chain.relayerKey, network, payTo, verifier, evidence },
    resourceOf: createSoldResources(contract, ports.publicBaseUrl ?? ''),
    store: override(relayed, overrides.relayerStore),
  });
  const settler = override(opened.settler, overrides.settler);
  const ledger = override(createLedgerStore(database.knex), overrides.ledger);
  const deliveries = createDeliveryRecorder(ledger, log);
  const issuer =
    receiptKey === undefined ? undefined : override(await createOfferReceiptIssuer(receiptKey), overrides.issuer);
  const responses = createPaymentResponses(issuer, ports.resourceUrlOf, log);
  // Whoever holds the embedded database holds it alone: leases of other owners are a dead process's.
  if (database.kind === 'embedded') await ledger.endForeignLeases(owner, now());
  const parts = { ledger, settler, evidence, deliveries, responses };
  return {
    ...parts,
    verifier,
    wallets: createContractWallets({ client, verifier, checks: ports.limits.walletChecks }),
    issuer,
    machine: createPaymentMachine({ ...parts, owner, chainInstance: instance, now, log }),
    findObstacle: obstacle === undefined ? opened.findObstacle : () => obstacle,
    async close() {
      await deliveries.flush();
      await settler.close();
    },
  };
}

function override<Part extends object>(part: Part, by: Part | ((part: Part) => Part) | undefined): Part {
  return typeof by === 'function' ? by(part) : (by ?? part);
}
