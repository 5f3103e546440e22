import { privateKeyToAccount } from 'viem/accounts';
import type { Contract } from '../contract/contract.js';
import type { Database } from '../db/database.js';
import { OperatorError } from '../errors.js';
import type { Log } from '../log.js';
import { createAuditStore } from './audit/audit-store.js';
import { openLedgerReports, type LedgerReports } from './audit/ledger-reports.js';
import { operationsByPrice, type RebuildPorts, type RebuildReport } from './audit/rebuild-ledger.js';
import { lowerHex, type Hex } from './chain/eip3009.js';
import type { ChainHistory } from './settlement/chain-history.js';
import type { ChainSettings } from './settlement/connect-chain.js';
import { connectChain } from './settlement/connect-chain.js';
import { createOfferReceiptIssuer } from './offer-receipt.js';
import type { Ledger } from './ledger/ledger.js';
import { createLedgerStore } from './ledger/ledger-store.js';
import { createReceiptOf, type ReceiptOf } from './payment-response.js';
import { noEvidence } from './settlement/resolve-open-payment.js';
import { reconcilePayments, type ReconcilePorts, type ReconcileReport } from './settlement/reconcile.js';
import { discardRelayed } from './settlement/relayer/relayer-store.js';

/** What jobs and operators do with the ledger. */
export interface Upkeep {
  readonly ledger: Ledger;
  /** What an operator asks of the ledger, its audit, and its rebuilding. */
  readonly ledgerReports: LedgerReports;
  reconcile(onProgress?: ReconcilePorts['onProgress']): Promise<ReconcileReport>;
  /** Whether there is something to rebuild. */
  isBehind(): Promise<boolean>;
  /** Rebuilds the ledger. It stays behind until everything that has landed is final. */
  rebuild(onProgress?: RebuildPorts['onProgress']): Promise<RebuildReport>;
  /** Drops transactions that were signed so long ago and returns their number. */
  discardRelayed(ageMs: number): Promise<number>;
}

export interface UpkeepPorts extends Pick<ReconcilePorts, 'ledger' | 'evidence' | 'settler'> {
  readonly contract: Pick<Contract, 'operations'>;
  /** Empty where a facilitator settles. */
  readonly relayerKeys: readonly Hex[];
  readonly database: Database;
  /** Undefined without a chain. */
  readonly history: ChainHistory | undefined;
  readonly receiptOf: ReceiptOf;
  readonly owner: string;
  readonly now: () => Date;
  readonly log: Log;
}

export function createUpkeep(ports: UpkeepPorts): Upkeep {
  const { database, ledger, contract, relayerKeys } = ports;
  const restores = createAuditStore(database.knex);
  const relayers = relayerKeys.map((key) => lowerHex(privateKeyToAccount(key).address));
  const ledgerReports = openLedgerReports({
    ...{ ...ports, relayers },
    operations: operationsByPrice(contract.operations),
  });
  return {
    ledger,
    ledgerReports,
    isBehind: restores.isRestored,
    async rebuild(onProgress) {
      const finalized = await ports.history?.finalizedBlock();
      const report = await ledgerReports.rebuild(undefined, onProgress);
      if (finalized) await restores.endRestore(finalized.time);
      return report;
    },
    reconcile: (onProgress) => reconcilePayments({ ...ports, onProgress }),
    discardRelayed: (ageMs) => discardRelayed(database.knex, ageMs),
  };
}

export interface OperatorUpkeepPorts extends Pick<UpkeepPorts, 'contract' | 'database' | 'owner' | 'now' | 'log'> {
  /** Undefined in a demonstration, whose chain lives with its server. */
  readonly payment: ChainSettings | undefined;
  readonly publicBaseUrl: string | undefined;
  readonly resourceUrlOf: (resource: string) => string;
}

/**
 * Opens the upkeep of an operator's command, which settles nothing: what the chain has undone is sent again by the
 * server, since nobody else may use the relayer's key.
 */
export async function openOperatorUpkeep(ports: OperatorUpkeepPorts): Promise<Upkeep> {
  const { payment, publicBaseUrl, database, log } = ports;
  const ledger = createLedgerStore(database.knex);
  // A demonstration's receipts name the address of its server, which is not known here.
  const receiptKey = publicBaseUrl === undefined ? undefined : payment?.receiptKey;
  const issuer = receiptKey === undefined ? undefined : await createOfferReceiptIssuer(receiptKey);
  const receiptOf = createReceiptOf(issuer, ports.resourceUrlOf, log);
  const noChain = { evidence: noEvidence, history: undefined, relayerKeys: [] };
  const chain = payment === undefined ? noChain : connectChain(payment);
  const upkeep = createUpkeep({ ...ports, ...chain, ledger, receiptOf });
  return chain.history === undefined ? { ...upkeep, reconcile: refuseReconcile } : upkeep;
}

async function refuseReconcile(): Promise<never> {
  throw new OperatorError('The payments of a demonstration are reconciled by its server alone, each minute.');
}
