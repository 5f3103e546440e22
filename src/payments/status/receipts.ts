import type { Hex } from '../chain/eip3009.js';
import { paymentIdOf } from '../ledger/payment-row.js';
import type { ReceiptTerms, Signed } from '../gate/offer-receipt.js';
import type { ReceiptOf } from '../payment-response.js';
import type { ReceiptPlace, ReceiptQuery, ReceiptsReader } from '../audit/receipts-reader.js';

/** One settled payment, as a line of JSON has it. */
export interface PaymentReceipt {
  /** The public id, hexadecimal with 0x. */
  readonly paymentId: Hex;
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
  /** The receipt that went with the reply; missing where none are signed. */
  readonly receipt?: Signed<ReceiptTerms>;
}

/** Lists what a payer has paid for in a period, oldest first, with the receipts that went with the replies. */
export async function* listReceipts(
  query: ReceiptQuery,
  { reader, receiptOf }: { readonly reader: ReceiptsReader; readonly receiptOf: ReceiptOf },
): AsyncGenerator<PaymentReceipt> {
  let after: ReceiptPlace | undefined;
  for (;;) {
    const rows = await reader.readPage(query, after);
    for (const { settlement, ...row } of rows) {
      if (settlement === undefined) continue;
      const { transaction, settledAt } = settlement;
      const receipt = receiptOf(row, settlement);
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
    after = rows.at(-1);
    if (after === undefined) return;
  }
}
