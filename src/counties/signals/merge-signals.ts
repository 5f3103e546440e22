import type { Knex } from 'knex';
import { parcelKey } from '../../places/addresses/parcel.js';
import { judgeOwnAddress } from '../../places/addresses/own-address.js';
import { lastSeen } from '../../db/sql/last-seen.js';
import { findChanged } from '../../db/sql/find-changed.js';
import { joinTexts, splitTexts } from '../../db/sql/joined-texts.js';
import { inTransaction } from '../../db/transaction.js';
import type { ObservedSignal } from './signal.js';

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
      own_address: judgeOwnAddress(observed.address),
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
