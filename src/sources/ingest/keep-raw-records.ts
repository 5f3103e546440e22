import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { joinTexts, splitTexts } from '../../db/sql/joined-texts.js';
import type { RowReject } from '../source.js';
import { storableText } from '../storable-text.js';

/** One row as it came, as JSON text. */
export interface RawRecord {
  readonly key: string;
  readonly payload: string;
  /** Of both. */
  readonly hash: string;
}

/** Prepares a row to be kept: the work that needs no database. */
export function toRawRecord(key: string, payload: string): RawRecord {
  return { key, payload, hash: hash('sha256', JSON.stringify([key, payload]), 'base64url') };
}

/**
 * Keeps rows as they came, before anything is made of them; the same row again only renews its time, and not even that
 * within `renewAfterMs` (0: always), so that a large unchanged set costs no writes.
 */
export async function keepRawRecords(
  knex: Knex,
  sourceName: string,
  records: readonly RawRecord[],
  now: Date,
  renewAfterMs = 0,
): Promise<void> {
  const rows = new Map(records.map((record) => [record.hash, record]));
  if (renewAfterMs > 0 && rows.size > 0) {
    const fresh: string[] = await knex('raw_records')
      .where({ source_name: sourceName })
      .whereRaw('hash = any(?)', [[...rows.keys()]])
      .where('last_seen_at', '>', new Date(now.getTime() - renewAfterMs))
      .pluck('hash');
    for (const hash of fresh) rows.delete(hash);
  }
  if (rows.size === 0) return;
  const ordered = [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify(ordered.map(([hash, { key }]) => ({ hash, key })));
  const payloads = joinTexts(ordered.map(([, { payload }]) => payload));
  await knex.raw(upsert, { source: sourceName, rows: text, payloads, at: now });
}

/** The rows travel in two texts: so many values of their own would cost the driver more than the database. */
const upsert = `
  insert into raw_records as r (source_name, hash, row_key, payload, first_seen_at, last_seen_at)
  select :source, n.hash, n.key, n.payload, :at, :at
  from rows from (
    json_to_recordset(cast(:rows as json)) as (hash text, key text), ${splitTexts(':payloads')}) as n(hash, key, payload)
  on conflict (source_name, hash) do update set last_seen_at = excluded.last_seen_at`;

/** Keeps refused rows with their reason, once per row and reason, however often they come again. */
export async function keepRejects(
  knex: Knex,
  run: { readonly sourceName: string; readonly runId: number },
  rejects: readonly RowReject[],
  now: Date,
): Promise<void> {
  const rows = new Map(
    rejects.map(({ key, reject, detail }) => [
      JSON.stringify([storableText(key, 200), reject]),
      {
        source_name: run.sourceName,
        row_key: storableText(key, 200),
        reason: reject,
        detail: storableText(detail, 300),
        run_id: run.runId,
        first_seen_at: now,
        last_seen_at: now,
      },
    ]),
  );
  if (rows.size === 0) return;
  await knex('rejects')
    .insert([...rows.values()])
    .onConflict(['source_name', 'row_key', 'reason'])
    .merge(['detail', 'run_id', 'last_seen_at']);
}
