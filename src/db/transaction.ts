import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { hasCode } from './sql/has-code.js';

export interface TransactionOptions {
  /** Number of retries after a conflict. Default 5. */
  readonly retries?: number;
  /** A number in [0, 1) that spreads the retries of competing transactions. Default Math.random. */
  readonly random?: () => number;
  readonly isolation?: Knex.IsolationLevels;
}

/**
 * Runs the work in one transaction: all or nothing. After a conflict with another transaction (SQLSTATE 40001 or 40P01)
 * the whole work runs again, so it must change nothing but the database. It must use only the given transaction: on the
 * embedded database, a second connection would wait forever. Other errors are thrown unchanged.
 */
export async function inTransaction<T>(
  knex: Knex,
  work: (transaction: Knex.Transaction) => Promise<T>,
  { retries = 5, random = Math.random, isolation }: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await knex.transaction(work, isolation === undefined ? {} : { isolationLevel: isolation });
    } catch (error) {
      if (attempt >= retries || !hasCode(error, '40001', '40P01')) throw error;
      await delay(backoffMs(attempt, random));
    }
  }
}

/** Full jitter: up to 10 ms, 20 ms, 40 ms, ... and at most one second. */
function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(1000, 10 * 2 ** attempt);
}
