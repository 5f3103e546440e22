import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { hasCode } from './sql/has-code.js';

export interface TransactionOptions {
  /** How many times the work is done again after a conflict. Default 5. */
  readonly retries?: number;
  /** A number in [0, 1) that spreads the retries of competitors. Default Math.random. */
  readonly random?: () => number;
  readonly isolation?: Knex.IsolationLevels;
}

/**
 * Does the work in one transaction: all of it or nothing. After a conflict with another transaction (SQLSTATE 40001 or
 * 40P01) the whole work is done again, so it must change nothing but the database and must use only the transaction it
 * is given: on the embedded database a second connection would be waited for forever. Other errors pass unchanged.
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

/** Full jitter: anything up to 10 ms, 20 ms, 40 ms, ... and never more than a second. */
function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(1000, 10 * 2 ** attempt);
}
