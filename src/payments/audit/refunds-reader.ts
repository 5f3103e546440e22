import type { Knex } from 'knex';
import type { Hex } from '../chain/eip3009.js';
import { askNamed, type Row } from '../../db/sql/ask-named.js';
import { isExclusivityUnknown } from '../ledger/holds-reader.js';
import { fromHex, toHex } from '../ledger/payment-row.js';
import { isOrphan } from './audit-reader.js';

/** Money that may have to go back: a refund that is due, or a transfer that no payment explains. */
export interface PossibleRefund {
  readonly paymentId: Hex;
  readonly network: string;
  readonly asset: Hex;
  readonly payer: Hex;
  readonly amount: bigint;
  readonly since: Date;
  /**
   * undeliverable: paid, not delivered, and the reply is not kept any longer, or shows a suppressed record and its
   * delivery is known to have failed. sent_late: the authorization was sent to the chain after its claim was released,
   * or without one by a stranger. unattributed: a plain transfer, due only if its sender says so. exclusivity_unknown:
   * the sale of a lead to one buyer that a restored ledger has lost; nobody knows of which lead.
   */
  readonly reason: 'undeliverable' | 'sent_late' | 'unattributed' | 'exclusivity_unknown';
  /** The transfer that bought nothing; undefined when the payment is settled in the ledger. */
  readonly unmatchedTransfer:
    { readonly transaction: Hex; readonly blockNumber: bigint; readonly at: Date } | undefined;
}

/** How long a buyer has to fetch the data for a late transfer before a refund is due. Not REPLY_RETENTION_HOURS. */
const servedMs = 8 * 86_400_000;

/** Reads what has to go back to buyers; writes nothing. */
export type RefundsReader = ReturnType<typeof createRefundsReader>;

export function createRefundsReader(knex: Knex) {
  return {
    /** The oldest first. A late transfer is listed eight days after its block, if it has bought nothing by then. */
    async listRefundsDue(now: Date, paymentId?: Hex): Promise<readonly PossibleRefund[]> {
      const rows = await askNamed(
        knex,
        `SELECT due.* FROM (
          SELECT payment_id, network, asset, payer, amount, settled_at AS since,
            CASE WHEN binding IS NULL THEN 'exclusivity_unknown' ELSE 'undeliverable' END AS reason,
            CAST(NULL AS bytea) AS transaction, CAST(NULL AS bigint) AS block_number
          FROM payments WHERE state = 'settled' AND (
            delivery IN ('pending', 'incomplete') AND lease_until <= now() AND reply_hash IS NOT NULL
              AND NOT EXISTS (SELECT 1 FROM payment_bodies WHERE hash = reply_hash)
            OR delivery = 'incomplete' AND EXISTS (SELECT 1 FROM payment_bodies WHERE hash = reply_hash AND body IS NULL)
            OR ${isExclusivityUnknown})
          UNION ALL
          SELECT payment_id, network, asset, payer, amount, block_time,
            CASE WHEN nonce IS NULL THEN 'unattributed' ELSE 'sent_late' END, transaction, block_number
          FROM orphan_transfers AS o WHERE ${isOrphan} AND (nonce IS NULL OR block_time <= :servedUntil)
        ) AS due
        WHERE NOT EXISTS (SELECT 1 FROM refunds WHERE refunds.payment_id = due.payment_id)
          ${paymentId === undefined ? '' : 'AND due.payment_id = :id'}
        ORDER BY since, payment_id`,
        {
          servedUntil: new Date(now.getTime() - servedMs),
          ...(paymentId === undefined ? {} : { id: fromHex(paymentId) }),
        },
      );
      return rows.map(readPossibleRefund);
    },

    /** Transfers that bought nothing, by transaction, payer or id, whether anything is due for them or not. */
    async findOrphans(hex: Hex): Promise<readonly PossibleRefund[]> {
      const rows = await askNamed(
        knex,
        `SELECT o.*, block_time AS since, CASE WHEN nonce IS NULL THEN 'unattributed' ELSE 'sent_late' END AS reason
        FROM orphan_transfers AS o WHERE ${isOrphan} AND :bytes IN (payment_id, transaction, payer) ORDER BY block_number`,
        { bytes: fromHex(hex) },
      );
      return rows.map(readPossibleRefund);
    },
  };
}

function readPossibleRefund(row: Row): PossibleRefund {
  const since = row['since'] as Date;
  return {
    paymentId: toHex(row['payment_id']),
    network: String(row['network']),
    asset: toHex(row['asset']),
    payer: toHex(row['payer']),
    amount: BigInt(String(row['amount'])),
    since,
    reason: row['reason'] as PossibleRefund['reason'],
    unmatchedTransfer:
      row['transaction'] === null
        ? undefined
        : {
            transaction: toHex(row['transaction']),
            blockNumber: BigInt(String(row['block_number'])),
            at: since,
          },
  };
}
