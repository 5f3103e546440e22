import type { Knex } from 'knex';

const batchSize = 200;
/** A row that its source still delivers, but unreadably, is offered as last read for at most this long. */
const maxUnreadDays = 7;

export interface Retirement {
  readonly sourceName: string;
  /** The complete run just read; rows that it did not show retire. */
  readonly runId: number;
  readonly at: Date;
  /** Awaited between two statements, so that other work gets its turn. */
  readonly yieldTurn: () => Promise<void>;
}

/**
 * Retires the listings that a complete run no longer showed, or that could not be read for a week. Returns how many
 * listings left the source. Works in batches of 200 rows; safe to repeat and to interrupt.
 */
export async function retireListings(knex: Knex, { sourceName, runId, at, yieldTurn }: Retirement): Promise<number> {
  const oldest = oldestUnread(at);
  let retired = 0;
  for (;;) {
    const batch = await knex.raw<{ rows: unknown[] }>(retireBatch, {
      source: sourceName,
      run: runId,
      at,
      oldest,
      batchSize,
    });
    retired += batch.rows.length;
    if (batch.rows.length < batchSize) return retired;
    await yieldTurn();
  }
}

/** Listings last read before this time are no longer offered. */
export function oldestUnread(at: Date): Date {
  return new Date(at.getTime() - maxUnreadDays * 24 * 3600 * 1000);
}

/**
 * Marks rows that a run showed but rejected. They have not vanished, so they do not retire, and keep their last read
 * content and time.
 */
export async function keepRejectedListings(
  knex: Knex,
  sourceName: string,
  runId: number,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await knex('listing_sources')
    .where({ source_name: sourceName, active: true })
    .whereIn('source_key', keys)
    .update({ last_run_id: runId });
}

/** Retires the listings that the source itself reports as removed, by at most 200 keys. Returns how many. */
export async function removeListings(
  knex: Knex,
  sourceName: string,
  keys: readonly string[],
  at: Date,
): Promise<number> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(removeKeys, { source: sourceName, keys: [...keys], at });
  return rows.length;
}

const removeKeys = `
  with retired as (
    update listing_sources set active = false, retired_at = :at
    where source_name = :source and active and source_key = any(:keys)
    returning listing_id
  )
  update listings set updated_at = :at from retired where listings.id = retired.listing_id returning listings.id`;

const retireBatch = `
  with gone as (
    select listing_id from listing_sources
    where source_name = :source and active and (last_run_id <> :run or last_seen_at < :oldest)
    order by listing_id limit :batchSize for update
  ), retired as (
    update listing_sources as s set active = false, retired_at = :at
    from gone where s.listing_id = gone.listing_id and s.source_name = :source
    returning s.listing_id
  )
  update listings set updated_at = :at from retired where listings.id = retired.listing_id returning listings.id`;
