import type { Knex } from 'knex';

/** Rows that go from one property to another: all, or those of one source, key or identity. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly source?: string;
  readonly key?: string;
  readonly identity?: string;
}

/**
 * Moves rows with their prices. A row stays where its source already shows the other property by another key. Call in a
 * transaction.
 */
export async function moveListings(trx: Knex, moves: readonly Move[], at: Date): Promise<void> {
  const bindings = { moves: JSON.stringify(moves), at };
  await trx.raw(lockListings, { ids: moves.flatMap(({ from, to }) => [from, to]), at });
  await trx.raw(makeRoom, bindings);
  await trx.raw(moveRows, bindings);
}

/**
 * Makes two properties one: the one that was seen first keeps its id, and the other's becomes an alias of it, unless
 * nobody can know it yet. Returns the id that is kept. Call in a transaction.
 */
export async function mergeListings(trx: Knex, ids: readonly [string, string], at: Date): Promise<string> {
  const { rows } = await trx.raw<{ rows: { id: string; first_seen_at: Date }[] }>(lockListings, { ids, at });
  const [kept, gone] = rows.sort(
    (one, other) => one.first_seen_at.getTime() - other.first_seen_at.getTime() || (one.id < other.id ? -1 : 1),
  );
  if (kept === undefined || gone === undefined) throw new Error('A listing to be merged does not exist.');
  await moveListings(trx, [{ from: gone.id, to: kept.id }], at);
  const bindings = { gone: gone.id, kept: kept.id, at };
  for (const statement of mergeRest) await trx.raw(statement, bindings);
  if (gone.first_seen_at.getTime() < at.getTime()) await trx.raw(insertAlias, bindings);
  else await trx.raw(dropListing, bindings);
  return kept.id;
}

/** Gives rows of a property an id of their own. Call in a transaction. */
export async function splitListing(trx: Knex, move: Move, at: Date): Promise<void> {
  await trx.raw(insertSplit, { id: move.to, former: move.from, at });
  await trx.raw(endAliases, { ids: [move.to], at });
  await moveListings(trx, [move], at);
}

/** These ids are properties of their own again. */
export const endAliases = `
  update listing_aliases set ended_at = :at where old_id = any(cast(:ids as uuid[])) and ended_at is null`;

/** In the order of ids, so that two transactions cannot deadlock. */
const lockListings = `
  update listings set updated_at = :at
  from (select id from listings where id = any(cast(:ids as uuid[])) order by id for update) as locked
  where listings.id = locked.id returning listings.id, first_seen_at`;

const movesAsRows = `
  json_to_recordset(cast(:moves as json)) as m("from" uuid, "to" uuid, source text, key text, identity text)`;
const isMeant = `
  s.listing_id = m."from" and s.source_name = coalesce(m.source, s.source_name) and s.source_key = coalesce(m.key, s.source_key)
    and s.identity = coalesce(m.identity, s.identity)`;

/** What a source showed there formerly gives way, unless nothing is shown here any more either. */
const makeRoom = `
  delete from listing_sources o using listing_sources s, ${movesAsRows}
  where ${isMeant} and o.listing_id = m."to" and o.source_name = s.source_name and s.active and not o.active`;

const moveRows = `
  with moved as (
    update listing_sources s set listing_id = m."to", changed_at = :at
    from ${movesAsRows}
    where ${isMeant}
      and not exists (select 1 from listing_sources o where o.listing_id = m."to" and o.source_name = s.source_name)
    returning m."from", m."to", s.source_name
  )
  update listing_prices p set listing_id = moved."to" from moved
  where p.listing_id = moved."from" and p.source_name = moved.source_name
    and not exists (
      select 1 from listing_prices o
      where o.listing_id = moved."to" and o.source_name = p.source_name and o.observed_at = p.observed_at)`;

const mergeRest = [
  `update listing_prices p set listing_id = :kept
   where p.listing_id = :gone and not exists (
     select 1 from listing_prices o
     where o.listing_id = :kept and o.source_name = p.source_name and o.observed_at = p.observed_at)`,
  'delete from listing_prices where listing_id = :gone',
  'delete from listing_sources where listing_id = :gone',
  'update duplicate_listings set listing_id = :kept where listing_id = :gone',
  'update listing_aliases set id = :kept where id = :gone and ended_at is null',
  `update listings set former_ids = listings.former_ids || o.former_ids from listings o
   where listings.id = :kept and o.id = :gone and o.former_ids <> '{}'`,
];

const insertAlias = `
  insert into listing_aliases (old_id, id, since) values (:gone, :kept, :at)
  on conflict (old_id) do update set id = excluded.id, since = excluded.since, ended_at = null`;

const dropListing = 'delete from listings where id = :gone';

const insertSplit = `
  insert into listings (id, first_seen_at, updated_at, former_ids) values (:id, :at, :at, array[cast(:former as uuid)])
  on conflict (id) do nothing`;
