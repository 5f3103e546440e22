import type { Knex } from 'knex';
import type { RowReject } from '../source.js';
import { storableText } from '../storable-text.js';

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
