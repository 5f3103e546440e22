import type { Contract } from '../contract/contract.js';
import type { Database } from '../db/database.js';
import type { Limits } from '../limits/limits.js';
import type { Log } from '../log.js';
import { createAuthorizationVerifier, type AuthorizationVerifier } from './chain/eip3009.js';
import { createContractWallets, type ContractWallets } from './gate/contract-wallets.js';
import { createOfferReceiptIssuer, type OfferReceiptIssuer } from './offer-receipt.js';
import { createSoldResources } from './gate/sold-resource.js';
import type { PaymentChain } from './settlement/connect-chain.js';
import { createDeliveryRecorder, type DeliveryRecorder } from './ledger/delivery-recorder.js';
import { createLedgerStore } from './ledger/ledger-store.js';
import type { Ledger } from './ledger/ledger.js';
import { createRelayerStore, type RelayerStore } from './settlement/relayer/relayer-store.js';
import { createPaymentMachine, type PaymentMachine } from './payment-machine.js';
import { createReceiptOf, type ReceiptOf } from './payment-response.js';
import { openSettler, type OpenSettler, type SettlerPorts } from './settlement/open-settler.js';
import { createSettlementProblems, type SettlementProblems } from './settlement/settlement-problems.js';
import type { Settler } from './settlement/settler.js';
import { openHeartbeat, type OpenHeartbeat } from './open-heartbeat.js';
import { createUpkeep, type Upkeep } from './open-upkeep.js';

/** The payment side of a running service, with the upkeep of its ledger. */
export interface Payments extends Upkeep, Pick<PaymentChain, 'terms' | 'client' | 'evidence' | 'localRpcUrl'> {
  readonly limits: Limits;
  readonly settler: Settler;
  readonly verifier: AuthorizationVerifier;
  readonly wallets: ContractWallets;
  readonly machine: PaymentMachine;
  readonly deliveries: DeliveryRecorder;
  /** Signs offers and receipts; undefined where no key for it is configured. */
  readonly issuer: OfferReceiptIssuer | undefined;
  readonly receiptOf: ReceiptOf;
  readonly heartbeat: OpenHeartbeat;
  /** The reason why nothing can be sold now; undefined if it can. */
  readonly settlementProblem: SettlementProblems['current'];
  readonly problems: SettlementProblems;
  readonly tally: OpenSettler['tally'];
  /** The relayer whose key is in use. */
  readonly relayer: OpenSettler['current'];
  /** Whether a payment that the ledger does not know may have been sent. */
  readonly mayHaveSent: SettlementProblems['mayHaveSent'];
  /** Writes what is pending, and closes the settler and the chain. */
  close(): Promise<void>;
}

export interface PaymentsPorts extends Pick<SettlerPorts, 'settlement' | 'facilitation'> {
  readonly contract: Contract;
  readonly publicBaseUrl: string | undefined;
  readonly database: Database;
  readonly limits: Limits;
  /** Names this process's leases. */
  readonly owner: string;
  /** Names this process for its operator. */
  readonly instanceName: string;
  /** The public address of a resource below PUBLIC_BASE_URL; asked for nothing before the server listens. */
  readonly resourceUrlOf: (resource: string) => string;
  readonly now: () => Date;
  readonly log: Log;
}

type Evidence = PaymentChain['evidence'];

/** Replacements or wrappers of parts, for tests. */
export interface PaymentsOverrides {
  readonly settler?: Settler | ((settler: Settler) => Settler);
  readonly evidence?: Evidence | ((evidence: Evidence) => Evidence);
  readonly ledger?: (ledger: Ledger) => Ledger;
  readonly relayerStore?: (store: RelayerStore) => RelayerStore;
  /** The time since any moment, in milliseconds of a monotonic clock. */
  readonly elapsedMs?: () => number;
  readonly issuer?: OfferReceiptIssuer | ((issuer: OfferReceiptIssuer) => OfferReceiptIssuer);
}

/** Opens the payment side on a chain. */
export async function openPayments(
  chain: PaymentChain,
  ports: PaymentsPorts,
  overrides: PaymentsOverrides,
): Promise<Payments> {
  const { contract, database, owner, now, log } = ports;
  const { terms, client, history, instance, receiptKey } = chain;
  const { network, payTo } = terms;
  const elapsedMs = overrides.elapsedMs ?? performance.now.bind(performance);
  const verifier = await createAuthorizationVerifier({
    ...network.domain,
    chainId: network.chainId,
    verifyingContract: network.asset,
  });
  const problems = createSettlementProblems(elapsedMs);
  problems.tell('chain.reach', chain.obstacle);
  const evidence = override(chain.evidence, overrides.evidence);
  const relayed = createRelayerStore(database.knex, network, owner, instance);
  const opened = openSettler({
    ...ports,
    ...{ problems, nowMs: elapsedMs },
    ...{ client, relayerKeys: chain.relayerKeys, network, payTo, verifier, evidence },
    resourceOf: createSoldResources(contract, ports.publicBaseUrl ?? ''),
    store: override(relayed, overrides.relayerStore),
  });
  const settler = override(opened.settler, overrides.settler);
  const ledger = override(
    createLedgerStore(database.knex, ports.settlement.failedGasPerHour, elapsedMs),
    overrides.ledger,
  );
  const deliveries = createDeliveryRecorder(ledger, log);
  const issuer =
    receiptKey === undefined ? undefined : override(await createOfferReceiptIssuer(receiptKey), overrides.issuer);
  const receiptOf = createReceiptOf(issuer, ports.resourceUrlOf, log);
  // The embedded database has one user: leases of other owners are a dead process's.
  if (database.kind === 'embedded') await ledger.endForeignLeases(owner);
  const parts = { ledger, settler, evidence, deliveries, receiptOf };
  const upkeep = createUpkeep({
    ...parts,
    contract,
    relayerKeys: chain.relayerKeys,
    database,
    history,
    owner,
    now,
    log,
  });
  const heartbeat = await openHeartbeat({
    ...{ database, chain, opened, problems, elapsedMs, log },
    instance: { owner, name: ports.instanceName, version: contract.document.info.version },
  });
  return {
    ...parts,
    ...upkeep,
    terms,
    client,
    localRpcUrl: chain.localRpcUrl,
    limits: ports.limits,
    verifier,
    wallets: createContractWallets({ client, verifier, checks: ports.limits.walletChecks }),
    issuer,
    machine: createPaymentMachine({ ...parts, owner, chainInstance: instance, now, nowMs: elapsedMs, log }),
    heartbeat,
    settlementProblem: problems.current,
    problems,
    tally: opened.tally,
    relayer: opened.current,
    mayHaveSent: problems.mayHaveSent,
    async close() {
      await deliveries.flush();
      // Also where another settles in its place: it asks the chain by a timer.
      await heartbeat.leave();
      await chain.stop();
    },
  };
}

function override<Part extends object>(part: Part, by: Part | ((part: Part) => Part) | undefined): Part {
  return typeof by === 'function' ? by(part) : (by ?? part);
}
