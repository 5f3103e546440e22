import type { IngestOptions, RunState } from './ingest-run.js';
import { keepRawRecords } from './keep-raw-records.js';
import { keepRejects } from './keep-rejects.js';
import { readRows } from './read-rows.js';
import type { Shelf } from './shelf.js';
import type { Delivered, DeliveryKind, RawRow, RowReject, Source } from './source.js';
import { storableText } from './storable-text.js';

/** Refused rows past this many are only counted: a delivery of nothing but rubbish must not fill the database. */
const maxKeptRejects = 1000;

/** Takes some rows of a source through all steps: kept as they came, parsed, merged or refused. Counts into `state`. */
export async function ingestChunk<K extends DeliveryKind>(
  source: Source<K>,
  shelf: Shelf<Delivered[K]>,
  rows: readonly (RawRow | RowReject)[],
  observedAt: Date,
  { knex }: Pick<IngestOptions, 'knex'>,
  state: RunState,
): Promise<void> {
  const { runId } = state;
  const { records, accepted, rejects } = readRows(source, shelf, rows, state);
  await keepRawRecords(knex, source.name, records, observedAt, shelf.renewRawAfterMs);
  const kept = rejects.slice(0, Math.max(0, maxKeptRejects - state.rejected));
  await keepRejects(knex, { sourceName: source.name, runId }, kept, observedAt);
  const incremental = state.since !== undefined;
  const { created } = await shelf.keep({ runId, observedAt, incremental, rows: accepted });
  // A run that sees all finds by itself what is missing.
  if (incremental) state.removed += await shelf.remove(keysOf(rejects, isGone), observedAt);
  for (const id of await shelf.keepUnread(runId, keysOf(rejects, isUnread))) {
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
