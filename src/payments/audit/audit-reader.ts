import type { Knex } from 'knex';
import type { Hex } from '../chain/eip3009.js';
import { askNamed, type Row } from '../../db/sql/ask-named.js';
import type { LedgerScope } from '../settlement/chain-history.js';
import type { PaymentKey, PaymentRow } from '../ledger/ledger.js';
import { fromHex, keyValues, readPaymentRow, toHex } from '../ledger/payment-row.js';

/**
 * The sums over the audited blocks of one history: sales, which the ledger has; lost sales, which a settler of ours
 * made and the ledger does not have; and orphans, all other transfers. The ledger is right when chain = ledger +
 * orphans. Source: docs/decisions/payments.md.
 */
export type Balance = ReturnType<typeof readBalance>;

/** What the ledger lacks, lost sales among it; in atomic units. */
export function differenceIn({ chain, ledger, orphans }: Balance): bigint {
  return chain - ledger - orphans;
}

/** Whether the ledger equals the chain. */
export function isEqual(balance: Balance): boolean {
  return differenceIn(balance) === 0n && balance.lostCount === 0;
}

/** What the audit asks of the ledger, and what it came to; writes nothing. */
export type AuditReader = ReturnType<typeof createAuditReader>;

export function createAuditReader(knex: Knex) {
  const ask = (sql: string, values: Row = {}) => askNamed(knex, sql, values);

  return {
    /** What was audited, one balance for each network and history. */
    async listBalances(): Promise<readonly Balance[]> {
      const rows = await ask(
        `SELECT a.*, p.*, o.*
        FROM (SELECT network, asset, chain_instance, min(from_block) AS from_block, max(to_block) AS to_block,
            max(to_time) AS to_time, max(audited_at) AS audited_at, sum(chain_amount) AS chain
          FROM ledger_audits GROUP BY 1, 2, 3) AS a
        CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS ledger, count(*) AS sales, count(rebuilt_at) AS rebuilt
          FROM payments AS p WHERE p.network = a.network AND p.asset = a.asset AND p.chain_instance = a.chain_instance
            AND p.state = 'settled' AND p.settle_block BETWEEN a.from_block AND a.to_block) AS p
        CROSS JOIN LATERAL (SELECT coalesce(sum(amount) FILTER (WHERE ${isLostSale}), 0) AS lost,
            count(*) FILTER (WHERE ${isLostSale}) AS lost_count,
            coalesce(sum(amount) FILTER (WHERE NOT ${isLostSale}), 0) AS orphans,
            count(*) FILTER (WHERE NOT ${isLostSale}) AS orphan_count,
            count(*) FILTER (WHERE ${isForeign}) AS foreign_count
          FROM orphan_transfers AS o
          WHERE o.network = a.network AND o.asset = a.asset AND o.chain_instance = a.chain_instance
            AND o.block_number BETWEEN a.from_block AND a.to_block AND ${isUnexplained}) AS o
        ORDER BY 1, 2, 3`,
      );
      return rows.map(readBalance);
    },

    /** No payment of the ledger is in an older block; undefined when it has none. */
    async findFirstTime(scope: LedgerScope): Promise<Date | undefined> {
      const [row] = await ask(`SELECT min(search_from) AS first FROM payments WHERE ${inScope}`, scopeValues(scope));
      return (row?.['first'] as Date | null | undefined) ?? undefined;
    },

    /** Every address that payments of the ledger went to. */
    async listPayTos(scope: LedgerScope): Promise<readonly Hex[]> {
      const rows = await ask(`SELECT DISTINCT pay_to FROM payments WHERE ${inScope}`, scopeValues(scope));
      return rows.map((row) => toHex(row['pay_to']));
    },

    /** The rows of these authorizations, in any order. */
    async findByKeys(found: readonly PaymentKey[]): Promise<readonly PaymentRow[]> {
      const values = found.map(keyValues);
      const [networks, assets, payers, nonces] = [0, 1, 2, 3].map((column) => values.map((each) => each[column]));
      const rows = await ask(
        `SELECT p.* FROM unnest(CAST(:networks AS text[]), CAST(:assets AS bytea[]), CAST(:payers AS bytea[]), CAST(:nonces AS bytea[]))
          AS asked (network, asset, payer, nonce) JOIN payments AS p USING (network, asset, payer, nonce)`,
        { networks, assets, payers, nonces },
      );
      return rows.map(readPaymentRow);
    },

    /** Settled in these blocks by the ledger's word. */
    async listSettledIn(scope: LedgerScope, fromBlock: bigint, toBlock: bigint): Promise<readonly PaymentRow[]> {
      const rows = await ask(
        `SELECT * FROM payments WHERE ${inScope} AND state = 'settled' AND settle_block BETWEEN :fromBlock AND :toBlock`,
        { ...scopeValues(scope), fromBlock: fromBlock.toString(), toBlock: toBlock.toString() },
      );
      return rows.map(readPaymentRow);
    },

    /** Settled in older blocks, but booked since that moment. */
    async listBookedLate(scope: LedgerScope, beforeBlock: bigint, since: Date): Promise<readonly PaymentRow[]> {
      const rows = await ask(
        `SELECT * FROM payments WHERE ${inScope} AND state = 'settled' AND settle_block < :beforeBlock AND settled_at > :since`,
        { ...scopeValues(scope), beforeBlock: beforeBlock.toString(), since },
      );
      return rows.map(readPaymentRow);
    },
  };
}

const inScope = 'network = :network AND asset = :asset AND chain_instance = :instance';

/** A transfer is explained as soon as a payment is settled by it, also one that was claimed after the audit. */
const isUnexplained = `NOT EXISTS (SELECT 1 FROM payments AS p WHERE p.payment_id = o.payment_id AND p.state = 'settled'
  AND p.settle_transaction = o.transaction)`;

const isUnclaimed = `(o.nonce IS NOT NULL AND NOT EXISTS (SELECT 1 FROM payments AS p WHERE p.payment_id = o.payment_id))`;
const isBySettler = `EXISTS (SELECT 1 FROM settlers AS s WHERE s.network = o.network AND s.sender = o.sender)`;

/** By an authorization that the ledger does not know, and sent by somebody who has settled payments here. */
export const isLostSale = `(${isUnclaimed} AND ${isBySettler})`;

/** As a lost sale, but sent by somebody else: a stranger, or another service that is paid at the same address. */
const isForeign = `(${isUnclaimed} AND NOT ${isBySettler})`;

export const isOrphan = `(${isUnexplained} AND NOT ${isLostSale})`;

function scopeValues({ network, asset, instance }: LedgerScope) {
  return { network, asset: fromHex(asset), instance };
}

const big = (value: unknown): bigint => BigInt(String(value));

function readBalance(row: Row) {
  return {
    network: String(row['network']),
    asset: toHex(row['asset']),
    instance: String(row['chain_instance']),
    throughBlock: big(row['to_block']),
    throughTime: row['to_time'] as Date,
    auditedAt: row['audited_at'] as Date,
    chain: big(row['chain']),
    ledger: big(row['ledger']),
    orphans: big(row['orphans']),
    orphanCount: Number(row['orphan_count']),
    lost: big(row['lost']),
    lostCount: Number(row['lost_count']),
    foreignCount: Number(row['foreign_count']),
    sales: Number(row['sales']),
    rebuilt: Number(row['rebuilt']),
  };
}
