import type { Knex } from 'knex';
import type { Payout, IncomingTransfer } from '../chain/read-transfers.js';
import type { Hex } from '../chain/eip3009.js';
import { hasCode } from '../../db/sql/has-code.js';
import { inTransaction } from '../../db/transaction.js';
import type { LedgerScope } from '../settlement/chain-history.js';
import { orphanIdOf, fromHex } from '../ledger/payment-row.js';
import type { PossibleRefund } from './refunds-reader.js';

/** An audited range of blocks: its transfers, and which of them the ledger explains. Both ends belong to it. */
export interface AuditedRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly toTime: Date;
  readonly transfers: readonly IncomingTransfer[];
  /** The settlements of payments. */
  readonly explained: readonly IncomingTransfer[];
  /** Transfers that no settled payment explains, with the time of their blocks. */
  readonly orphans: readonly (IncomingTransfer & { readonly at: Date })[];
  /** How many payments of the range are settled in the ledger, and not on the chain. */
  readonly missing: number;
  readonly auditedAt: Date;
}

/** Writes what the audit found, and what was refunded. */
export type AuditStore = ReturnType<typeof createAuditStore>;

/** Keeps the audit in the tables ledger_audits, orphan_transfers and refunds. */
export function createAuditStore(knex: Knex) {
  return {
    /** Keeps a range and its orphans, all or nothing. Harmless when the range was kept before. */
    async keepRange(scope: LedgerScope, range: AuditedRange): Promise<void> {
      const key = { network: scope.network, asset: fromHex(scope.asset), chain_instance: scope.instance };
      const orphans = range.orphans.map((each) => ({ ...key, ...toOrphan(scope, each, range.auditedAt) }));
      const row = {
        ...key,
        from_block: range.fromBlock.toString(),
        to_block: range.toBlock.toString(),
        to_time: range.toTime,
        transfers: range.transfers.length,
        chain_amount: sumOf(range.transfers),
        payments: range.explained.length,
        ledger_amount: sumOf(range.explained),
        missing: range.missing,
        audited_at: range.auditedAt,
      };
      await inTransaction(knex, async (transaction) => {
        await transaction('ledger_audits').insert(row).onConflict().ignore();
        for (let start = 0; start < orphans.length; start += 500)
          await transaction('orphan_transfers')
            .insert(orphans.slice(start, start + 500))
            .onConflict()
            .ignore();
      });
    },

    /**
     * Records the refund of a payment by one transfer of a transaction; its reply is not delivered any more. False, and
     * nothing written, when that transfer counts as another refund, or the payment is refunded already.
     */
    async recordRefund(due: PossibleRefund, hash: Hex, payout: Payout, now: Date): Promise<boolean> {
      const refund = {
        payment_id: fromHex(due.paymentId),
        network: due.network,
        asset: fromHex(due.asset),
        payer: fromHex(due.payer),
        amount: due.amount.toString(),
        transaction: fromHex(hash),
        log_index: payout.logIndex,
        recorded_at: now,
      };
      try {
        await inTransaction(knex, async (transaction) => {
          await transaction('refunds').insert(refund);
          await closePayment(transaction, due);
        });
        return true;
      } catch (error) {
        if (hasCode(error, '23505')) return false;
        throw error;
      }
    },
  };
}

/**
 * The buyer has the money back, so the reply is not delivered again. A transfer that bought nothing is booked as its
 * payment's settlement, so that it stops being an orphan.
 */
async function closePayment(transaction: Knex.Transaction, refund: PossibleRefund): Promise<void> {
  const { paymentId, unmatchedTransfer } = refund;
  const row = transaction('payments').where({ payment_id: fromHex(paymentId) });
  const closed = { delivery: 'refunded', client_id_hash: null };
  if (unmatchedTransfer === undefined) await row.where({ state: 'settled' }).update(closed);
  else
    await row.whereNot({ state: 'settled' }).update({
      ...closed,
      state: 'settled',
      settle_transaction: fromHex(unmatchedTransfer.transaction),
      settle_block: unmatchedTransfer.blockNumber.toString(),
      settled_at: unmatchedTransfer.at,
    });
}

function toOrphan({ network, asset }: LedgerScope, transfer: AuditedRange['orphans'][number], foundAt: Date) {
  return {
    transaction: fromHex(transfer.transaction),
    log_index: transfer.logIndex,
    block_number: transfer.blockNumber.toString(),
    block_time: transfer.at,
    payer: fromHex(transfer.payer),
    pay_to: fromHex(transfer.payTo),
    nonce: transfer.nonce === undefined ? null : fromHex(transfer.nonce),
    amount: transfer.amount.toString(),
    payment_id: orphanIdOf({ network, asset, ...transfer }),
    found_at: foundAt,
  };
}

function sumOf(transfers: readonly IncomingTransfer[]): string {
  return transfers.reduce((sum, { amount }) => sum + amount, 0n).toString();
}
