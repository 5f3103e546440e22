import type { Knex } from 'knex';
import { lastSeen } from '../../db/sql/last-seen.js';
import { pageIds } from '../../db/sql/page-ids.js';
import { inTransaction } from '../../db/transaction.js';
import { localDateOf } from '../../places/metros/local-date-of.js';
import { keepStatuses } from './merge-auctions.js';

const pageSize = 200;

/** A complete run over a source, and the sales it showed. */
export interface AuctionRun {
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
