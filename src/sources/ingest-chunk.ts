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
  for (const id of await shelf.keepUnread(runId, unreadKeys(rejects))) {
    state.unread.add(id);
    state.pageUnread.push(id);
  }
  for (const { id } of accepted) state.pageIds.push(id);
  state.accepted += accepted.length;
  state.rejected += rejects.length;
  state.created += created;
}

/** Keys of rows that could not be read; a repeated row was read where it stood first. */
function unreadKeys(rejects: readonly RowReject[]): string[] {
  return rejects.filter(({ reject }) => reject !== 'duplicate_key').map(({ key }) => storableText(key, 200));
}
