import type { Knex } from 'knex';
import { addCounts, type CountsByState } from './change-counts.js';

export interface CountedMove {
  readonly feed: string;
  /** The version that it is moved to. */
  readonly version: number;
  readonly publication: string;
  readonly startedAt: Date;
  readonly takedownNumber: number;
  readonly shape: string;
  /** Of the version before; empty before the first. */
  readonly shapeBefore: string;
}

/** How far back changes are counted. The contract says so. */
const keepMs = 90 * 86_400_000;

/** About so many are counted by one statement: the embedded database answers nothing else meanwhile. */
const recordsPerStatement = 1_000;

/**
 * Moves a feed's version and keeps what its versions up to the new one added, removed and repriced by state: both or
 * neither. A price that became known or unknown is another price; a record that moved to another state was removed in
 * the one and added in the other. Counts older than 90 days are deleted.
 *
 * @param moveVersion the statement that moves the version, if no other publication has begun
 * @returns false when it was not
 */
export async function commitCounted(
  knex: Knex,
  moveVersion: string,
  move: CountedMove,
  now: () => Date,
): Promise<boolean> {
  const { feed } = move;
  // Counted before the version's row is written, so that buyers do not wait for it.
  const totals = JSON.stringify(await totalUpTo(knex, move));
  const committedAt = now();
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    `WITH moved AS (${moveVersion} RETURNING feed, version) ${keepCounts}`,
    { ...move, totals, committedAt },
  );
  if (rowCount !== 1) return false;
  await knex.raw(forgetOld, { feed, before: new Date(committedAt.getTime() - keepMs) });
  return true;
}

/** Counts what a version that is written changes, onto what those before it have changed. */
async function totalUpTo(knex: Knex, { feed, version: next, shapeBefore }: CountedMove): Promise<CountsByState> {
  const before = await knex('feed_changes')
    .where({ feed })
    .orderBy('version', 'desc')
    .first<{ totals: CountsByState } | undefined>('totals');
  // A past that was written with the first version has counted its records.
  if (shapeBefore === '' && next > 1) return before?.totals ?? {};
  const written = await knex('published_records').where({ feed, version: next }).count<{ count: string }[]>();
  const parts = Math.ceil(Number(written[0]?.count ?? 0) / recordsPerStatement);
  let totals = before?.totals ?? {};
  for (let part = 0; part < parts; part += 1) {
    const span = { low: idAt(part / parts), high: part + 1 === parts ? null : idAt((part + 1) / parts) };
    const { rows } = await knex.raw<{ rows: { counts: CountsByState | null }[] }>(countStates, { feed, next, ...span });
    totals = addCounts(totals, rows[0]?.counts ?? {});
  }
  return totals;
}

/** The id so far into the range of all ids, as a share of it. */
function idAt(share: number): string {
  return `${Math.floor(share * 2 ** 32)
    .toString(16)
    .padStart(8, '0')}-0000-0000-0000-000000000000`;
}

// A retired record has no columns, so neither state nor price.
const countStates = `
  WITH moved AS (
    SELECT r.columns ->> 'state' AS state, r.columns ->> 'priceCents' AS price, was.state AS old_state, was.price AS old_price
    FROM published_records AS r
    LEFT JOIN LATERAL (
      SELECT o.columns ->> 'state' AS state, o.columns ->> 'priceCents' AS price FROM published_records AS o
      WHERE o.feed = r.feed AND o.id = r.id AND o.version < r.version ORDER BY o.version DESC LIMIT 1) AS was ON true
    WHERE r.feed = :feed AND r.version = :next AND r.id >= cast(:low AS uuid)
      AND (cast(:high AS uuid) IS NULL OR r.id < cast(:high AS uuid))),
  changes AS (
    SELECT state, 'added' AS change FROM moved WHERE state IS DISTINCT FROM old_state
    UNION ALL SELECT old_state, 'removed' FROM moved WHERE state IS DISTINCT FROM old_state
    UNION ALL SELECT state, 'repriced' FROM moved WHERE state = old_state AND price IS DISTINCT FROM old_price),
  counted AS (
    SELECT state, count(*) FILTER (WHERE change = 'added') AS added, count(*) FILTER (WHERE change = 'removed') AS removed,
      count(*) FILTER (WHERE change = 'repriced') AS repriced
    FROM changes WHERE state IS NOT NULL GROUP BY state)
  SELECT jsonb_object_agg(state, jsonb_build_object('added', added, 'removed', removed, 'repriced', repriced)) AS counts
  FROM counted`;

// Versions are distinguished by their moments, so each is later than the one before, whatever the publishers' clocks.
const keepCounts = `
  INSERT INTO feed_changes (feed, version, committed_at, totals)
  SELECT moved.feed, moved.version, greatest(cast(:committedAt AS timestamptz), (
    SELECT max(committed_at) + interval '1 millisecond' FROM feed_changes AS earlier WHERE earlier.feed = moved.feed)),
    cast(:totals AS jsonb)
  FROM moved`;

// What is counted after a moment is counted from the version that was visible then.
const forgetOld = `
  DELETE FROM feed_changes WHERE feed = :feed AND version < (
    SELECT max(version) FROM feed_changes AS base WHERE base.feed = :feed AND base.committed_at <= :before)`;
