import type { Knex } from 'knex';
import { findChanged } from '../../db/sql/find-changed.js';
import { inTransaction } from '../../db/transaction.js';
import type { ObservedAuction } from './auction.js';

/** Sales from one source, each at most once. */
export interface AuctionChunk {
  readonly sourceName: string;
  readonly observedAt: Date;
  readonly auctions: readonly { readonly id: string; readonly observed: ObservedAuction }[];
}

/**
 * Saves a source's sales, and each change of status or date. Unchanged sales are not written. Idempotent. Pass at most
 * 200 on the embedded database.
 *
 * One source key is one sale: when its id changes, as by a case number stated late, the former sale is marked replaced.
 */
export async function mergeAuctions(knex: Knex, chunk: AuctionChunk): Promise<{ created: number }> {
  if (chunk.auctions.length === 0) return { created: 0 };
  const { sourceName: source, observedAt: at } = chunk;
  const { changed, known } = await findChanged(knex, findKnown, source, chunk.auctions);
  if (changed.length === 0) return { created: 0 };
  const rows = JSON.stringify(
    changed.map(({ id, observed, hash }) => ({
      id,
      source_key: observed.sourceKey,
      county_fips: observed.countyFips,
      sale_date: observed.saleDate,
      sale_status: observed.saleStatus,
      content: observed,
      content_hash: hash,
    })),
  );
  const ids = changed.map(({ id }) => id);
  await inTransaction(knex, async (trx) => {
    await trx.raw(upsert, { rows, source, at });
    await trx.raw(replaceFormer, { keys: changed.map(({ observed }) => observed.sourceKey), ids, source, at });
    await trx.raw(keepStatuses, { ids, source, at });
  });
  return { created: chunk.auctions.length - known };
}

const findKnown = `
  select id, case when missing_run_id is null and replaced_at is null then content_hash end as live_hash
  from auctions where source_name = :source and id = any(:ids)`;

const upsert = `
  insert into auctions as s (id, source_name, source_key, county_fips, sale_date, sale_status, content, content_hash,
    first_seen_at, last_seen_at, changed_at)
  select r.id, :source, r.source_key, r.county_fips, r.sale_date, r.sale_status, r.content, r.content_hash, :at, :at, :at
  from jsonb_to_recordset(cast(:rows as jsonb)) as r(id uuid, source_key text, county_fips text, sale_date date,
    sale_status text, content jsonb, content_hash text)
  order by r.id
  on conflict (id, source_name) do update set
    source_key = excluded.source_key,
    sale_date = excluded.sale_date,
    sale_status = excluded.sale_status,
    content = excluded.content,
    content_hash = excluded.content_hash,
    last_seen_at = greatest(s.last_seen_at, excluded.last_seen_at),
    changed_at = case
      when s.content_hash = excluded.content_hash and s.sale_status = excluded.sale_status and s.replaced_at is null
      then s.changed_at else excluded.changed_at end,
    missing_run_id = null,
    replaced_at = null`;

const replaceFormer = `
  update auctions set replaced_at = :at, changed_at = :at
  where source_name = :source and source_key = any(:keys) and not id = any(cast(:ids as uuid[])) and replaced_at is null`;

/** One row per status and date that our own runs observed; the latest is current. */
export const keepStatuses = `
  insert into auction_statuses as h (id, source_name, observed_at, status, sale_date)
  select s.id, s.source_name, :at, s.sale_status, s.sale_date from auctions s
  left join lateral (
    select l.status, l.sale_date from auction_statuses l
    where l.id = s.id and l.source_name = s.source_name order by l.observed_at desc limit 1) latest on true
  where s.source_name = :source and s.id = any(:ids)
    and (s.sale_status, s.sale_date) is distinct from (latest.status, latest.sale_date)
  on conflict (id, source_name, observed_at) do update set status = excluded.status, sale_date = excluded.sale_date`;
