import type { IngestOptions, RunState } from './ingest-run.js';
import { keepRawRecords, keepRejects } from './keep-raw-records.js';
import type { ReadRows } from './read-rows.js';
import type { Sink } from './sink.js';
import type { RowReject } from '../source.js';
import { storableText } from '../storable-text.js';

/** Refused rows and misread values past this many are only counted: rubbish must not fill the database. */
const maxKept = 1000;

/** Stores parsed rows: first the raw rows and rejects, then the accepted ones, merged. Counts into `state`. */
export async function ingestChunk<T>(
  sourceName: string,
  sink: Sink<T>,
  { records, accepted, repeats, rejects, misread }: ReadRows<T>,
  observedAt: Date,
  { knex }: Pick<IngestOptions, 'knex'>,
  state: RunState,
): Promise<void> {
  const { runId } = state;
  await keepRawRecords(knex, sourceName, records, observedAt, sink.renewRawAfterMs);
  const kept = rejects.slice(0, Math.max(0, maxKept - state.rejected));
  const keptValues = misread.slice(0, Math.max(0, maxKept - state.misread));
  await keepRejects(knex, { sourceName, runId }, kept, keptValues, observedAt);
  state.misread += misread.length;
  const incremental = state.since !== undefined;
  const isShown = (id: string) => state.seen.has(id) || state.unread.has(id);
  const reading = { runId, observedAt, incremental, isShown };
  const { created } = await sink.keep({ ...reading, rows: accepted });
  if (repeats.length > 0) await sink.keepRepeats?.({ ...reading, rows: repeats });
  // A run that sees all finds by itself what is missing.
  if (incremental) state.removed += await sink.remove(keysOf(rejects, isGone), observedAt, runId);
  for (const id of await sink.keepUnread(runId, keysOf(rejects, isUnread))) {
    state.unread.add(id);
    state.pageUnread.push(id);
  }
  for (const { id } of accepted) state.pageIds.push(id);
  state.accepted += accepted.length;
  state.rejected += rejects.length;
  state.created += created;
}

/** The row was read, and says that it is of nothing that is sold, such as a debt that is paid. */
function isGone({ reject }: RowReject): boolean {
  return reject === 'not_relevant';
}

/** The row could not be read; a repeated one was read where it stood first. */
function isUnread(row: RowReject): boolean {
  return row.reject !== 'duplicate_key' && !isGone(row);
}

function keysOf(rejects: readonly RowReject[], is: (row: RowReject) => boolean): string[] {
  return rejects.filter(is).map(({ key }) => storableText(key, 200));
}
