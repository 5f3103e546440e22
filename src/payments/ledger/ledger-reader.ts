import type { Knex } from 'knex';
import type { Hex } from '../chain/eip3009.js';
import { askNamed, type Row } from '../../db/sql/ask-named.js';
import { fromHex, toHex } from './payment-row.js';

/** A payment as an operator sees it: without signature, reply and the buyer's own identifier. */
export type PaymentLine = ReturnType<typeof readLine>;

/** One line of a report. Amounts in atomic units of the network's token. */
export type ReportLine = ReturnType<typeof readReportLine>;

export type ReportBy = 'day' | 'operation' | 'payer';

/** Answers an operator's questions about payments; writes nothing. */
export type LedgerReader = ReturnType<typeof createLedgerReader>;

/** Creates the reader. Periods are of the claim, the end left out. */
export function createLedgerReader(knex: Knex) {
  const ask = (sql: string, values: Row = {}) => askNamed(knex, sql, values);

  return {
    async report(by: ReportBy, from: Date, to: Date): Promise<readonly ReportLine[]> {
      const rows = await ask(
        `SELECT ${keys[by]} AS key, network, count(*) FILTER (WHERE state = 'settled') AS settled,
          coalesce(sum(amount) FILTER (WHERE state = 'settled'), 0) AS settled_amount,
          count(*) FILTER (WHERE state = 'claimed') AS open, count(*) FILTER (WHERE state = 'released') AS released,
          coalesce(sum(amount) FILTER (WHERE state = 'released' AND reorged_at IS NOT NULL AND delivery = 'completed'), 0)
            AS lost_amount,
          coalesce(sum(amount) FILTER (WHERE delivery = 'refunded'), 0) AS refunded_amount
        FROM payments WHERE claimed_at >= :from AND claimed_at < :to GROUP BY 1, 2 ORDER BY 1, 2`,
        { from, to },
      );
      return rows.map(readReportLine);
    },

    /** Payments by public id, by a transaction (of the payment or of its refund), or by payer; the newest first. */
    async findPayments(hex: Hex, limit: number): Promise<readonly PaymentLine[]> {
      const isPayer = hex.length === 42;
      const where = isPayer
        ? 'p.payer = :bytes'
        : 'p.payment_id = :bytes OR p.settle_transaction = :bytes OR p.reorged_transaction = :bytes OR r.transaction = :bytes';
      const values = { bytes: fromHex(hex), limit };
      return (await ask(`${selectLines} WHERE ${where} ORDER BY p.claimed_at DESC LIMIT :limit`, values)).map(readLine);
    },

    /** All payments of a period, oldest first, a page at a time, so that any number of them needs little memory. */
    async *listPayments(from: Date, to: Date, pageSize = 1_000): AsyncGenerator<readonly PaymentLine[]> {
      let last: { at: string; id: Buffer } | undefined;
      for (;;) {
        // A moment holds several payments: the id continues within it.
        const rows = await ask(
          `${selectLines} WHERE p.claimed_at >= :from AND p.claimed_at < :to
            ${last === undefined ? '' : 'AND (p.claimed_at, p.payment_id) > (CAST(:at AS timestamptz), :id)'}
            ORDER BY p.claimed_at, p.payment_id LIMIT :pageSize`,
          { from: last?.at ?? from, to, pageSize, ...last },
        );
        if (rows.length > 0) yield rows.map(readLine);
        const end = rows.at(-1);
        if (end === undefined || rows.length < pageSize) return;
        last = { at: String(end['claimed_exactly']), id: end['payment_id'] as Buffer };
      }
    },
  };
}

const keys: Readonly<Record<ReportBy, string>> = {
  day: `to_char(claimed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  operation: `coalesce(nullif(operation_id, ''), 'unknown')`,
  payer: `'0x' || encode(payer, 'hex')`,
};

const selectLines = `SELECT p.payment_id, p.network, p.operation_id, p.payer, p.pay_to, p.amount, p.state, p.delivery, p.claimed_at, CAST(p.claimed_at AS text) AS claimed_exactly,
  p.settled_at, p.settle_transaction, p.settle_block, p.release_reason, p.reorged_at, p.rebuilt_at, r.transaction AS refund_transaction
  FROM payments AS p LEFT JOIN refunds AS r ON r.payment_id = p.payment_id`;

const big = (value: unknown): bigint => BigInt(String(value));
const optional = <T>(value: unknown, read: (value: unknown) => T): T | undefined =>
  value === null ? undefined : read(value);
const date = (value: unknown): Date => value as Date;

function readReportLine(row: Row) {
  return {
    key: String(row['key']),
    network: String(row['network']),
    settled: Number(row['settled']),
    settledAmount: big(row['settled_amount']),
    open: Number(row['open']),
    released: Number(row['released']),
    /** Delivered, but never paid in the end: the chain had undone the payment. */
    lostAmount: big(row['lost_amount']),
    refundedAmount: big(row['refunded_amount']),
  };
}

function readLine(row: Row) {
  return {
    paymentId: toHex(row['payment_id']),
    network: String(row['network']),
    operationId: String(row['operation_id']),
    payer: toHex(row['payer']),
    payTo: toHex(row['pay_to']),
    amount: big(row['amount']),
    state: String(row['state']),
    delivery: String(row['delivery']),
    claimedAt: date(row['claimed_at']),
    settledAt: optional(row['settled_at'], date),
    transaction: optional(row['settle_transaction'], toHex),
    blockNumber: optional(row['settle_block'], big),
    releaseReason: optional(row['release_reason'], String),
    reorgedAt: optional(row['reorged_at'], date),
    rebuiltAt: optional(row['rebuilt_at'], date),
    refundTransaction: optional(row['refund_transaction'], toHex),
  };
}
