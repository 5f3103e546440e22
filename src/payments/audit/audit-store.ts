import type { Knex } from 'knex';
import type { Payout, IncomingTransfer } from '../chain/read-transfers.js';
import type { Hex } from '../chain/eip3009.js';
import { askNamed } from '../../db/sql/ask-named.js';
import { hasCode } from '../../db/sql/has-code.js';
import { inTransaction } from '../../db/transaction.js';
import type { LedgerScope } from '../settlement/chain-history.js';
import { isLostSale } from './audit-reader.js';
import { reorgMs } from '../ledger/ledger.js';
import { orphanIdOf, fromHex } from '../ledger/payment-row.js';
import type { PossibleRefund } from './refunds-reader.js';

/** A transfer that no settled payment explains, with the time of its block and whoever sent its transaction. */
export interface UnexplainedTransfer extends IncomingTransfer {
  readonly at: Date;
  readonly sender: Hex;
}

/** What the ledger does not explain in some blocks, and who was seen to have settled payments. */
export interface Found {
  readonly unexplained: readonly UnexplainedTransfer[];
  readonly settlers: readonly Hex[];
  readonly auditedAt: Date;
}

/** An audited range of blocks: its transfers, and which of them the ledger explains. Both ends belong to it. */
export interface AuditedRange extends Found {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly toTime: Date;
  readonly transfers: readonly IncomingTransfer[];
  /** The settlements of payments. */
  readonly explained: readonly IncomingTransfer[];
  /** How many payments of the range are settled in the ledger, and not on the chain. */
  readonly missing: number;
}

/** Writes what the audit found, and what was refunded. */
export type AuditStore = ReturnType<typeof createAuditStore>;

/** Keeps the audit in the tables ledger_audits, orphan_transfers and refunds. */
export function createAuditStore(knex: Knex) {
  return {
    /** Keeps a range and what was found in it, all or nothing. Harmless when the range was kept before. */
    async keepRange(scope: LedgerScope, range: AuditedRange): Promise<void> {
      const row = {
        ...columnsOf(scope),
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
        await keepFound(transaction, scope, range);
      });
    },

    /** Keeps what was found in blocks that were audited before. What was known stays as it was. */
    keepAgain: (scope: LedgerScope, found: Found): Promise<void> =>
      inTransaction(knex, (transaction) => keepFound(transaction, scope, found)),

    /**
     * Writes settled payments for the oldest lost sales, in one statement, and returns their amounts; none once there
     * are none.
     *
     * @param operations by price; a price that several have is left out
     */
    async rebuildSome(
      scope: LedgerScope,
      operations: ReadonlyMap<bigint, string>,
      limit: number,
      now: Date,
    ): Promise<readonly bigint[]> {
      const { network, asset, instance } = scope;
      const prices = [...operations.keys()].map(String);
      const rows = await askNamed(knex, rebuildText, {
        ...{ network, asset: fromHex(asset), instance, limit, now, prices, operations: [...operations.values()] },
      });
      return rows.map(({ amount }) => BigInt(String(amount)));
    },

    /** Whether the ledger is a restored one, and not known to be whole. */
    async isRestored(): Promise<boolean> {
      return (await knex('ledger_restores').first()) !== undefined;
    },

    /** The ledger has all that had landed on the chain by then. */
    async endRestore(landedBy: Date): Promise<void> {
      await knex('ledger_restores').where('restored_at', '<=', landedBy).del();
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

async function keepFound(transaction: Knex.Transaction, scope: LedgerScope, found: Found): Promise<void> {
  const { settlers, unexplained, auditedAt } = found;
  const senders = settlers.map((each) => ({ network: scope.network, sender: fromHex(each) }));
  if (senders.length > 0) await transaction('settlers').insert(senders).onConflict().ignore();
  const rows = unexplained.map((each) => ({ ...columnsOf(scope), ...toOrphan(scope, each, auditedAt) }));
  for (let start = 0; start < rows.length; start += 500)
    await transaction('orphan_transfers')
      .insert(rows.slice(start, start + 500))
      .onConflict()
      .ignore();
}

function columnsOf({ network, asset, instance }: LedgerScope) {
  return { network, asset: fromHex(asset), chain_instance: instance };
}

/** The time of the block is all that is known of when it was claimed, and what may still be looked for is near it. */
const rebuildText = `
  INSERT INTO payments (network, asset, payer, nonce, state, operation_id, amount, pay_to, claimed_at, lease_owner,
    lease_until, search_from, settle_transaction, settle_block, settled_at, payment_id, chain_instance, is_newcomer,
    rebuilt_at)
  SELECT o.network, o.asset, o.payer, o.nonce, 'settled', coalesce(priced.operation_id, ''), o.amount, o.pay_to,
    o.block_time, '', o.block_time, o.block_time - interval '${reorgMs} milliseconds', o.transaction, o.block_number, o.block_time,
    o.payment_id, o.chain_instance, false, :now
  FROM orphan_transfers AS o
  LEFT JOIN unnest(CAST(:prices AS numeric[]), CAST(:operations AS text[])) AS priced (amount, operation_id)
    ON priced.amount = o.amount
  WHERE o.network = :network AND o.asset = :asset AND o.chain_instance = :instance AND ${isLostSale}
  ORDER BY o.block_number, o.log_index LIMIT :limit
  ON CONFLICT DO NOTHING RETURNING amount`;

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

function toOrphan({ network, asset }: LedgerScope, transfer: UnexplainedTransfer, foundAt: Date) {
  return {
    transaction: fromHex(transfer.transaction),
    log_index: transfer.logIndex,
    block_number: transfer.blockNumber.toString(),
    block_time: transfer.at,
    payer: fromHex(transfer.payer),
    pay_to: fromHex(transfer.payTo),
    nonce: transfer.nonce === undefined ? null : fromHex(transfer.nonce),
    amount: transfer.amount.toString(),
    sender: fromHex(transfer.sender),
    payment_id: orphanIdOf({ network, asset, ...transfer }),
    found_at: foundAt,
  };
}

function sumOf(transfers: readonly IncomingTransfer[]): string {
  return transfers.reduce((sum, { amount }) => sum + amount, 0n).toString();
}
