import type { Knex } from 'knex';
import { createAuditReader, differenceIn, isEqual } from './audit-reader.js';
import { createRefundsReader } from './refunds-reader.js';

/** What the audit of all histories came to, and what is owed. Whole tables are compared for it. */
export type Books = Awaited<ReturnType<typeof readBooks>>;

export async function readBooks(knex: Knex, at: Date) {
  const balances = await createAuditReader(knex).listBalances();
  const audits = balances.map(({ auditedAt }) => auditedAt.getTime());
  return {
    differenceMicroUsd: String(balances.reduce((sum, each) => sum + differenceIn(each), 0n)),
    isEqual: balances.every(isEqual),
    lostSales: balances.reduce((sum, { lostCount }) => sum + lostCount, 0),
    /** Undefined before the first audit. */
    auditedAt: audits.length === 0 ? undefined : new Date(Math.max(...audits)),
    refundsDue: (await createRefundsReader(knex).listRefundsDue(at)).length,
  };
}
