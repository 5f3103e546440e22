import type { Knex } from 'knex';

/** How many rows of each kind were let go. */
export interface Discarded {
  /** Rows as they came, and refusals, 90 days after they were last seen. */
  readonly rawRecords: number;
  readonly rejects: number;
  /**
   * A year after their source showed them no longer. They name owners, and what was paid or sold concerns nobody any
   * more.
   */
  readonly signals: number;
  readonly parcels: number;
}

const batchSize = 200;
const dayMs = 86_400_000;

/**
 * Deletes what sources have shown no longer for so long that nothing rests on it, 200 rows at a time. What is still
 * shown stays however old it is, and so does the history of prices and of sales.
 */
export async function discardGone(knex: Knex, now: Date, yieldTurn: () => Promise<void>): Promise<Discarded> {
  const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);

  async function discard(statement: string, before: Date): Promise<number> {
    for (let total = 0; ; await yieldTurn()) {
      const { rows } = await knex.raw<{ rows: { count: number }[] }>(statement, { before, batchSize });
      const count = rows[0]?.count ?? 0;
      total += count;
      if (count < batchSize) return total;
    }
  }

  return {
    rawRecords: await discard(rowsOf('raw_records', 'last_seen_at'), daysAgo(90)),
    rejects: await discard(rowsOf('rejects', 'last_seen_at'), daysAgo(90)),
    signals: await discard(signalsWithAmounts, daysAgo(365)),
    parcels: await discard(rowsOf('parcels', 'retired_at'), daysAgo(365)),
  };
}

/** The primary key of each table. */
const keys = {
  raw_records: 'source_name, hash',
  rejects: 'source_name, row_key, field, reason',
  signals: 'source_name, id',
  parcels: 'source_name, id',
};

function oldest(table: keyof typeof keys, column: string): string {
  return `
    delete from ${table}
    where (${keys[table]}) in (select ${keys[table]} from ${table} where ${column} < :before limit :batchSize)`;
}

function rowsOf(table: keyof typeof keys, column: string): string {
  return `with gone as (${oldest(table, column)} returning 1) select cast(count(*) as integer) as count from gone`;
}

const signalsWithAmounts = `
  with gone as (${oldest('signals', 'resolved_at')} returning id, source_name),
  amounts as (delete from signal_amounts a using gone where a.id = gone.id and a.source_name = gone.source_name)
  select cast(count(*) as integer) as count from gone`;
