import type { Knex } from 'knex';
import { findChanged } from '../../db/sql/find-changed.js';
import { inTransaction } from '../../db/transaction.js';
import type { ObservedAuction } from './auction.js';
import { lastSeen } from '../../db/sql/last-seen.js';
import { pageIds } from '../../db/sql/page-ids.js';
import { localDateOf } from '../../places/metros/local-date-of.js';

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

const pageSize = 200;

/** A complete run over a source, and the sales it showed. */
interface AuctionRun {
  readonly sourceName: string;
  readonly runId: number;
  readonly at: Date;
  readonly seen: ReadonlySet<string>;
  /** Ids shown but not readable. */
  readonly unread: ReadonlySet<string>;
}

/**
 * Marks the sales that a complete run no longer showed: an upcoming sale becomes `unknown`, a past one stays, by the
 * county's calendar. Returns how many became unknown.
 */
export async function retireAuctions(knex: Knex, { sourceName, runId, at, seen, unread }: AuctionRun): Promise<number> {
  let vanished = 0;
  for await (const page of pageIds(knex, shownIds, { source: sourceName }, pageSize)) {
    const gone = page.filter((id) => !seen.has(id) && !unread.has(id));
    const odd = page.filter((id) => !seen.has(id) && unread.has(id));
    if (odd.length > 0) await knex.raw(noteMissing, { source: sourceName, ids: odd, run: 0 });
    if (gone.length > 0) vanished += await vanish(knex, sourceName, gone, runId, at);
  }
  return vanished;
}

/** The same for sales that the source itself reports as removed, by its keys. */
export async function removeAuctions(
  knex: Knex,
  sourceName: string,
  keys: readonly string[],
  at: Date,
): Promise<number> {
  const ids = await findAuctionIds(knex, sourceName, keys);
  return ids.length === 0 ? 0 : vanish(knex, sourceName, ids, 0, at);
}

/** Ids of a source's sales under these keys. */
export async function findAuctionIds(knex: Knex, sourceName: string, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(idsOfKeys, { source: sourceName, keys: [...keys] });
  return rows.map(({ id }) => id);
}

async function vanish(knex: Knex, source: string, ids: string[], run: number, at: Date): Promise<number> {
  const { rows: counties } = await knex.raw<{ rows: { county_fips: string }[] }>(countiesOf, { source, ids });
  const days = counties.map(({ county_fips: fips }) => ({ county_fips: fips, today: localDateOf(fips, at) }));
  return inTransaction(knex, async (trx) => {
    await trx.raw(noteMissing, { source, ids, run });
    const bindings = { source, ids, at, days: JSON.stringify(days) };
    const { rows } = await trx.raw<{ rows: { id: string }[] }>(becomeUnknown, bindings);
    if (rows.length > 0) await trx.raw(keepStatuses, { source, ids: rows.map(({ id }) => id), at });
    return rows.length;
  });
}

const shownIds = `
  select id from auctions where id > :after and source_name = :source and coalesce(missing_run_id, 0) = 0
    and replaced_at is null
  order by id limit :pageSize`;

const idsOfKeys = `
  select id from auctions where source_name = :source and source_key = any(:keys) and replaced_at is null`;

const countiesOf = `select distinct county_fips from auctions where source_name = :source and id = any(:ids)`;

const noteMissing = `
  update auctions s set
    last_seen_at = ${lastSeen},
    missing_run_id = :run
  from sources src
  where s.source_name = :source and src.name = s.source_name and s.id = any(:ids)`;

const becomeUnknown = `
  update auctions s set sale_status = 'unknown', changed_at = :at
  from jsonb_to_recordset(cast(:days as jsonb)) as d(county_fips text, today date)
  where s.source_name = :source and s.id = any(:ids) and d.county_fips = s.county_fips and s.sale_date >= d.today
    and s.sale_status in ('scheduled', 'adjourned')
  returning s.id`;
