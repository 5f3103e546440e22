import type { Knex } from 'knex';
import type { Hex } from '../chain/eip3009.js';
import type { PaymentRow } from '../ledger/ledger.js';
import { fromHex, readPaymentRow } from '../ledger/payment-row.js';

/** Whose settled payments, from when and until before when, by the time of their claims. */
export interface ReceiptQuery {
  readonly payer: Hex;
  readonly from: Date;
  readonly to: Date;
}

/** The place of a payment among its payer's. */
export type ReceiptPlace = Pick<PaymentRow, 'claimedAt' | 'nonce'>;

/** Answers which payments a payer has receipts for. */
export interface ReceiptsReader {
  /** Settled payments in the order of their claims, those behind `after` only; an empty page is the end. */
  readPage(query: ReceiptQuery, after: ReceiptPlace | undefined): Promise<readonly PaymentRow[]>;
}

/** Reads them from the ledger, page by page: a payer may have bought very often. */
export function createReceiptsReader(knex: Knex, pageSize = 500): ReceiptsReader {
  return {
    async readPage({ payer, from, to }, after) {
      const rows = await knex('payments')
        .where({ payer: fromHex(payer), state: 'settled' })
        .where('claimed_at', '>=', from)
        .where('claimed_at', '<', to)
        .modify((page) => {
          if (after !== undefined)
            void page.whereRaw('(claimed_at, nonce) > (?, ?)', [after.claimedAt, fromHex(after.nonce)]);
        })
        .orderBy(['claimed_at', 'nonce'])
        .limit(pageSize)
        .select<Record<string, unknown>[]>();
      return rows.map(readPaymentRow);
    },
  };
}
