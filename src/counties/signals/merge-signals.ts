import type { Knex } from 'knex';
import { parcelKey } from '../../places/addresses/parcel.js';
import { judgeOwnAddress } from '../../places/addresses/own-address.js';
import { lastSeen } from '../../db/sql/last-seen.js';
import { findChanged } from '../../db/sql/find-changed.js';
import { joinTexts, splitTexts } from '../../db/sql/joined-texts.js';
import { inTransaction } from '../../db/transaction.js';
import type { ObservedSignal } from './signal.js';
import { pageIds } from '../../db/sql/page-ids.js';

/** Signals from one source, each at most once. */
export interface SignalChunk {
  readonly sourceName: string;
  readonly observedAt: Date;
  readonly signals: readonly { readonly id: string; readonly observed: ObservedSignal }[];
}

/**
 * Saves a source's signals. New, changed and returning signals are written in one short transaction; unchanged ones are
 * only read. A superseded amount is kept with its period. Idempotent. Pass at most 200 on the embedded database.
 */
export async function mergeSignals(knex: Knex, chunk: SignalChunk): Promise<{ created: number; changed: number }> {
  if (chunk.signals.length === 0) return { created: 0, changed: 0 };
  const { sourceName: source, observedAt: at } = chunk;
  const { changed, known } = await findChanged(knex, findKnown, source, chunk.signals);
  if (changed.length === 0) return { created: 0, changed: 0 };
  const rows = JSON.stringify(
    changed.map(({ id, observed, hash }) => ({
      id,
      source_key: observed.sourceKey,
      county_fips: observed.countyFips,
      parcel_key: parcelKey(observed.countyFips, observed.parcelId),
      own_address: judgeOwnAddress(observed),
      amount: observed.amount,
      content_hash: hash,
    })),
  );
  const contents = joinTexts(changed.map(({ observed }) => JSON.stringify(observed)));
  await inTransaction(knex, async (trx) => {
    if (known > 0) await trx.raw(keepAmounts, { rows, source, at });
    await trx.raw(upsert, { rows, contents, source, at });
  });
  return { created: chunk.signals.length - known, changed: changed.length };
}

const findKnown = `
  select id, case when missing_run_id is null and resolved_at is null then content_hash end as live_hash
  from signals where source_name = :source and id = any(:ids)`;

const keepAmounts = `
  insert into signal_amounts (id, source_name, first_seen_at, last_seen_at, amount)
  select s.id, s.source_name, s.amount_since,
    ${lastSeen}, s.amount
  from json_to_recordset(cast(:rows as json)) as r(id uuid, amount numeric)
  join signals s on s.id = r.id and s.source_name = :source
  join sources src on src.name = s.source_name
  where (s.amount <> r.amount or s.resolved_at is not null) and s.amount_since < :at
  on conflict (id, source_name, first_seen_at) do nothing`;

const upsert = `
  insert into signals as s (id, source_name, source_key, county_fips, own_address, amount, amount_since, content,
    content_hash, parcel_key, first_seen_at, last_seen_at, changed_at)
  select r.id, :source, r.source_key, r.county_fips, r.own_address, r.amount, :at, cast(r.content as jsonb),
    r.content_hash, r.parcel_key, :at, :at, :at
  from rows from (
    json_to_recordset(cast(:rows as json)) as (id uuid, source_key text, county_fips text, own_address text,
      amount numeric, content_hash text, parcel_key text),
    ${splitTexts(':contents')})
    as r(id, source_key, county_fips, own_address, amount, content_hash, parcel_key, content)
  order by r.id
  on conflict (id, source_name) do update set
    source_key = excluded.source_key,
    own_address = excluded.own_address,
    amount = excluded.amount,
    amount_since = case when s.amount = excluded.amount and s.resolved_at is null
      then s.amount_since else excluded.amount_since end,
    content = excluded.content,
    content_hash = excluded.content_hash,
    last_seen_at = greatest(s.last_seen_at, excluded.last_seen_at),
    changed_at = case when s.resolved_at is null and s.content_hash = excluded.content_hash
      then s.changed_at else excluded.changed_at end,
    missing_run_id = null,
    resolved_at = null`;

const pageSize = 1000;
/** A row that its source still shows, but unreadably, is offered as last read for at most this long. */
const maxUnreadDays = 7;
const hourMs = 3600 * 1000;
/** A list can miss a row again only after this time; two reads within minutes count as one pull. */
const missedAgainAfterHours = 20;

/** A complete run over a source, and the rows it showed. */
interface SignalRun {
  readonly sourceName: string;
  readonly runId: number;
  readonly at: Date;
  readonly seen: ReadonlySet<string>;
  /** Ids shown but not readable. */
  readonly unread: ReadonlySet<string>;
}

/**
 * Marks the signals that a complete run no longer showed, and resolves those that a complete run of another day missed
 * too: a delinquency missing from two complete pulls was paid. Returns how many were resolved. Source of the rule:
 * docs/decisions/sources.md.
 *
 * An unreadable row is not missing and keeps its `lastSeenAt`. Writes only missing or unreadable rows. Safe to
 * interrupt and to repeat.
 */
export async function retireSignals(knex: Knex, { sourceName, runId, at, seen, unread }: SignalRun): Promise<number> {
  const [oldest, before] = [oldestUnread(at), missedBefore(at)];
  let resolved = 0;
  for await (const page of pageIds(knex, idsOfSource, { source: sourceName }, pageSize)) {
    const unseen = page.filter((id) => !seen.has(id));
    const [shown, missing] = [unseen.filter((id) => unread.has(id)), unseen.filter((id) => !unread.has(id))];
    const run = { source: sourceName, run: runId, at };
    if (missing.length > 0) resolved += await count(knex, noteMissing, { ...run, ids: missing, before });
    if (shown.length > 0) resolved += await count(knex, noteUnread, { ...run, ids: shown, oldest });
  }
  return resolved;
}

/**
 * Resolves the signals that a source's last complete run missed, when the source answers that nothing changed. That
 * answer is a complete pull of the same list: it misses the same rows, and shows the same ones unreadably. Safe to
 * interrupt and to repeat. Returns how many were resolved.
 */
export async function resolveMissing(knex: Knex, sourceName: string, at: Date): Promise<number> {
  const before = missedBefore(at);
  let resolved = 0;
  for await (const ids of pageIds(knex, idsOfSource, { source: sourceName }, pageSize)) {
    resolved += await count(knex, resolveWaiting, { source: sourceName, ids, at, before, oldest: oldestUnread(at) });
  }
  return resolved;
}

/** Resolves the signals that the source itself reports as removed, by its keys. Returns how many. */
export async function removeSignals(
  knex: Knex,
  sourceName: string,
  keys: readonly string[],
  at: Date,
): Promise<number> {
  return count(knex, resolveKeys, { source: sourceName, keys: [...keys], at });
}

/** Ids of a source's unresolved signals under these keys. */
export async function findSignalIds(knex: Knex, sourceName: string, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(idsOfKeys, { source: sourceName, keys: [...keys] });
  return rows.map(({ id }) => id);
}

function oldestUnread(at: Date): Date {
  return new Date(at.getTime() - maxUnreadDays * 24 * hourMs);
}

function missedBefore(at: Date): Date {
  return new Date(at.getTime() - missedAgainAfterHours * hourMs);
}

async function count(knex: Knex, statement: string, bindings: Knex.ValueDict): Promise<number> {
  const { rows } = await knex.raw<{ rows: { resolved: boolean }[] }>(statement, bindings);
  return rows.filter(({ resolved }) => resolved).length;
}

const idsOfSource = `
  select id from signals where source_name = :source and id > :after order by id limit :pageSize`;

const idsOfKeys = `
  select id from signals where source_name = :source and source_key = any(:keys) and resolved_at is null`;

/** The first run that missed a row counts only if it completed. */
const firstMiss = `select from source_runs r where r.id = s.missing_run_id and r.status = 'completed'`;
const wasMissed = `exists (${firstMiss} and r.id <> :run)`;
const wasMissedBefore = `exists (${firstMiss} and r.id <> :run and r.started_at <= :before)`;

const noteMissing = `
  update signals s set
    last_seen_at = ${lastSeen},
    missing_run_id = case when ${wasMissed} then s.missing_run_id else :run end,
    resolved_at = case when ${wasMissedBefore} then cast(:at as timestamptz) end,
    changed_at = case when ${wasMissedBefore} then cast(:at as timestamptz) else s.changed_at end
  from sources src
  where s.source_name = :source and src.name = s.source_name and s.id = any(:ids) and s.resolved_at is null
  returning s.resolved_at is not null as resolved`;

const noteUnread = `
  update signals s set
    last_seen_at = ${lastSeen},
    missing_run_id = 0,
    resolved_at = case when ${lastSeen} < :oldest then cast(:at as timestamptz) end,
    changed_at = case when ${lastSeen} < :oldest then cast(:at as timestamptz) else s.changed_at end
  from sources src
  where s.source_name = :source and src.name = s.source_name and s.id = any(:ids) and s.resolved_at is null
  returning s.resolved_at is not null as resolved`;

/** A missing or unreadable row does not count as seen with its source. */
const resolveWaiting = `
  update signals s set resolved_at = :at, changed_at = :at
  where s.source_name = :source and s.id = any(:ids) and s.resolved_at is null and (
    (s.missing_run_id = 0 and s.last_seen_at < :oldest)
    or exists (${firstMiss} and r.started_at <= :before))
  returning true as resolved`;

const resolveKeys = `
  update signals s set last_seen_at = ${lastSeen}, resolved_at = :at, changed_at = :at
  from sources src
  where s.source_name = :source and src.name = s.source_name and s.source_key = any(:keys) and s.resolved_at is null
  returning true as resolved`;
