import type { Knex } from 'knex';
import type { Hex } from '../chain/eip3009.js';
import { fromHex, isRebuiltUnsold, paymentIdOf, readPaymentRow } from '../ledger/payment-row.js';
import type { Receipt, ReceiptOf } from '../payment-response.js';

/** One settled payment, as a line of JSON has it. */
export interface PaymentReceipt {
  /** The public id, hexadecimal with 0x. */
  readonly paymentId: Hex;
  /** Empty where a rebuilt payment may have been for several. */
  readonly operationId: string;
  readonly network: string;
  readonly asset: Hex;
  readonly payer: Hex;
  /** Atomic units. */
  readonly amount: string;
  readonly transaction: Hex;
  /** ISO 8601, UTC. */
  readonly claimedAt: string;
  readonly settledAt: string;
  /** The receipt that went with the reply; missing where none are signed, or the payment was rebuilt. */
  readonly receipt?: Receipt;
}

export type ReceiptsReader = ReturnType<typeof createReceiptsReader>;

/** Reads page by page, since a payer may have bought very often. */
export function createReceiptsReader(knex: Knex, receiptOf: ReceiptOf, pageSize = 500) {
  return {
    /** A payer's settled payments that were claimed in [from, to), oldest first, with the receipts of their replies. */
    async *list(payer: Hex, from: Date, to: Date): AsyncGenerator<PaymentReceipt> {
      let after: readonly [Date, Buffer] | undefined;
      for (;;) {
        const rows = await knex('payments')
          .where({ payer: fromHex(payer), state: 'settled' })
          .where('claimed_at', '>=', from)
          .where('claimed_at', '<', to)
          .modify((page) => void (after && page.whereRaw('(claimed_at, nonce) > (?, ?)', [...after])))
          .orderBy(['claimed_at', 'nonce'])
          .limit(pageSize)
          .select<Record<string, unknown>[]>();
        for (const { settlement, ...row } of rows.map(readPaymentRow)) {
          after = [row.claimedAt, fromHex(row.nonce)];
          if (settlement === undefined) continue;
          const { transaction, settledAt } = settlement;
          // What a rebuilt payment was for is not known.
          const receipt = isRebuiltUnsold(row) ? undefined : receiptOf(row, settlement);
          yield {
            paymentId: `0x${paymentIdOf(row).toString('hex')}`,
            operationId: row.operationId,
            network: row.network,
            asset: row.asset,
            payer: row.payer,
            amount: row.amount.toString(),
            transaction,
            claimedAt: row.claimedAt.toISOString(),
            settledAt: settledAt.toISOString(),
            ...(receipt && { receipt }),
          };
        }
        if (rows.length === 0) return;
      }
    },
  };
}
