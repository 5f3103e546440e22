import type { ChainClient } from '../../src/payments/chain/clients.js';
import type { OperationGate } from '../../src/payments/gate/gate.js';
import type { DeliveryRecorder } from '../../src/payments/ledger/delivery-recorder.js';
import type { Ledger } from '../../src/payments/ledger/ledger.js';
import type { PaymentStatusService } from '../../src/payments/status/payment-status.js';
import type { AssertPayer } from '../../src/payments/status/payer-proof.js';
import type { WalletProofs } from '../../src/payments/status/wallet-proof.js';
import type { PaymentMachine } from '../../src/payments/payment-machine.js';
import type { Evidence } from '../../src/payments/settlement/resolve-open-payment.js';
import type { Settler } from '../../src/payments/settlement/settler.js';
import type { FacilitatorClient } from '../../src/payments/settlement/facilitator/facilitator-client.js';
import type { LeadHolds } from '../../src/feeds/lead-holds.js';
import type { RestoredLedger } from '../../src/payments/settlement/restored-ledger.js';
import type { createNonceWatch } from '../../src/payments/settlement/relayer/nonce-watch.js';
import type { RelayerStore } from '../../src/payments/settlement/relayer/relayer-store.js';
import type { SettlementWindow } from '../../src/payments/settlement/relayer/settlement-window.js';
import type { submitTransaction } from '../../src/payments/settlement/relayer/submit-transaction.js';
import type { ModelAudit } from './model-audit.js';
import type { ModelChain } from './model-chain.js';
import type { LedgerTables } from './model-ledger.js';
import type { Settling } from './settling.js';

/** The surroundings of a faulty piece. */
export interface Surroundings {
  readonly tables: LedgerTables;
  readonly ledger: Ledger;
  readonly settler: Settler;
  readonly now: () => Date;
}

/** The instance that asks the chain. */
export type Asker = 'machine' | 'gate' | 'settler' | 'reconciler';

/** A machine with some pieces replaced; the correct one replaces none. */
export interface Variant {
  readonly name: string;
  readonly ledger?: (ledger: Ledger, tables: LedgerTables, now: () => Date) => Ledger;
  readonly settler?: (settler: Settler, around: Pick<Settling, 'facilitator' | 'node'>) => Settler;
  readonly facilitator?: (facilitator: FacilitatorClient) => FacilitatorClient;
  readonly client?: (client: ChainClient) => ChainClient;
  readonly store?: (store: RelayerStore, chain: ModelChain) => RelayerStore;
  readonly openWatch?: typeof createNonceWatch;
  readonly submit?: typeof submitTransaction;
  readonly window?: (window: SettlementWindow, chain: ModelChain) => SettlementWindow;
  readonly evidence?: (evidence: Evidence, asker: Asker, now: () => Date) => Evidence;
  readonly deliveries?: (deliveries: DeliveryRecorder) => DeliveryRecorder;
  readonly machine?: (machine: PaymentMachine, around: Surroundings) => PaymentMachine;
  readonly gate?: (gate: OperationGate, around: Surroundings) => OperationGate;
  readonly assertPayer?: AssertPayer;
  readonly proofs?: (proofs: WalletProofs) => WalletProofs;
  readonly paymentStatus?: (
    paymentStatus: PaymentStatusService,
    around: Pick<Surroundings, 'ledger'> & { machine: PaymentMachine },
  ) => PaymentStatusService;
  /** Its ledger goes by the clock of each instance. */
  readonly hasOwnClock?: true;
  readonly leadHolds?: (holds: LeadHolds) => LeadHolds;
  readonly restoredLedger?: (ledger: RestoredLedger) => RestoredLedger;
  readonly audit?: (audit: ModelAudit, tables: LedgerTables) => ModelAudit;
  readonly rebuilds?: false;
  readonly reconciles?: false;
  readonly looksAgain?: false;
}

/** Evidence that answers many questions one by one. */
export function evidenceBy({ isUsed }: Evidence, find: Evidence['find']): Evidence {
  return { isUsed, find, findMany: (questions) => Promise.all(questions.map(find)) };
}

/** The real payment code. */
export const undamaged: Variant = { name: 'the undamaged machine' };
