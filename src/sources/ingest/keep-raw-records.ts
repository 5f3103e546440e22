import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { joinTexts, splitTexts } from '../../db/sql/joined-texts.js';
import type { RowReject } from '../source.js';
import { storableText } from '../storable-text.js';
import { expectations, type ValueCode } from '../values/not-understood.js';

/** A raw row as JSON text. */
export interface RawRecord {
  readonly key: string;
  readonly payload: string;
  /** Hash of key and payload. */
  readonly hash: string;
}

/** Prepares a raw row for storage, without the database. */
export function toRawRecord(key: string, payload: string): RawRecord {
  return { key, payload, hash: hash('sha256', JSON.stringify([key, payload]), 'base64url') };
}

/**
 * Stores raw rows, before the listings or records parsed from them. A known row only renews its time, at most once per
 * `renewAfterMs` (0: always), so that a large unchanged set costs no writes.
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

/** A value that was not understood, in a row that stays. */
export interface MisreadValue {
  readonly key: string;
  readonly place: string | undefined;
  readonly field: string;
  readonly code: ValueCode;
  /** Undefined in a column of people. */
  readonly stated: string | undefined;
}

/** Keeps refused rows with their reason, and misread values, once per row, field and reason. */
export async function keepRejects(
  knex: Knex,
  run: { readonly sourceName: string; readonly runId: number },
  rejects: readonly RowReject[],
  misread: readonly MisreadValue[],
  now: Date,
): Promise<void> {
  const found = [
    ...rejects.map(({ key, reject, detail, place }) => ({
      key,
      place,
      field: '',
      reason: reject,
      detail,
      stated: null,
    })),
    ...misread.map(({ key, place, field, code, stated = null }) => ({
      ...{ key, place, field, reason: code, stated },
      detail: expectations[code],
    })),
  ];
  const rows = new Map(
    found.map(({ key, place = key, field, reason, detail, stated }) => [
      JSON.stringify([storableText(key, 200), field, reason]),
      {
        ...{ source_name: run.sourceName, row_key: storableText(key, 200), field, reason, stated },
        ...{ detail: storableText(detail, 300), place: storableText(place, 200), run_id: run.runId },
        ...{ first_seen_at: now, last_seen_at: now },
      },
    ]),
  );
  if (rows.size === 0) return;
  await knex('rejects')
    .insert([...rows.values()])
    .onConflict(['source_name', 'row_key', 'field', 'reason'])
    .merge(['detail', 'place', 'stated', 'run_id', 'last_seen_at']);
}
