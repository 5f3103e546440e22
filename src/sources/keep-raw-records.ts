import { createHash } from 'node:crypto';
import type { Knex } from 'knex';

/** Rows are kept as they came for 90 days after they were last seen. */
const keepDays = 90;
const batchSize = 200;

/** One row as it came, as JSON text. */
export interface RawRecord {
  readonly key: string;
  readonly payload: string;
}

/** Keeps rows as they came, before anything is made of them; the same row again only renews its time. */
export async function keepRawRecords(
  knex: Knex,
  sourceName: string,
  records: readonly RawRecord[],
  now: Date,
): Promise<void> {
  const rows = new Map(records.map(({ key, payload }) => [hashOf(key, payload), { key, payload }]));
  if (rows.size === 0) return;
  const ordered = [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
  await knex('raw_records')
    .insert(
      ordered.map(([hash, { key, payload }]) => ({
        source_name: sourceName,
        hash,
        row_key: key,
        payload,
        first_seen_at: now,
        last_seen_at: now,
      })),
    )
    .onConflict(['source_name', 'hash'])
    .merge(['last_seen_at']);
}

/** Deletes rows last seen over 90 days ago, 200 at a time. Returns how many. */
export async function purgeRawRecords(knex: Knex, now: Date, yieldTurn: () => Promise<void>): Promise<number> {
  const before = new Date(now.getTime() - keepDays * 24 * 3600 * 1000);
  for (let purged = 0; ; await yieldTurn()) {
    const old = knex('raw_records').select('source_name', 'hash').where('last_seen_at', '<', before).limit(batchSize);
    const count = await knex('raw_records').whereIn(['source_name', 'hash'], old).delete();
    purged += count;
    if (count < batchSize) return purged;
  }
}

function hashOf(key: string, payload: string): string {
  return createHash('sha256')
    .update(JSON.stringify([key, payload]))
    .digest('base64url');
}
