import type { Knex } from 'knex';
import { addCounts, type CountsByState } from './change-counts.js';

export interface VersionCommit {
  readonly feed: string;
  /** The version that becomes current. */
  readonly version: number;
  readonly publication: string;
  readonly startedAt: Date;
  readonly takedownNumber: number;
  readonly shape: string;
  /** The shape of the version before; empty before the first. */
  readonly shapeBefore: string;
  /** Whether the feed counts its changes by state. */
  readonly isCounted: boolean;
}

/** How far back changes are counted, by the contract. */
const keepMs = 90 * 86_400_000;

/** Bounds the time of one statement: the embedded database answers nothing else meanwhile. */
const recordsPerStatement = 1_000;

/**
 * Makes a version the current one of its feed, in one statement. A counted feed stores with it, by state, how many
 * records all versions so far have added, removed and repriced, and drops counts older than 90 days. A price that
 * became known or unknown is another price; a record that moved to another state is removed there and added here.
 *
 * @returns false when another publication has begun; then nothing is written
 */
export async function commitVersion(knex: Knex, commit: VersionCommit, now: () => Date): Promise<boolean> {
  const { feed } = commit;
  if (!commit.isCounted) return (await knex.raw<{ rowCount: number }>(moveVersion, { ...commit })).rowCount === 1;
  // Counted before the version's row is written, so that buyers do not wait for it.
  const totals = JSON.stringify(await totalUpTo(knex, commit));
  const committedAt = now();
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    `WITH moved AS (${moveVersion} RETURNING feed, version) ${keepCounts}`,
    { ...commit, totals, committedAt },
  );
  if (rowCount !== 1) return false;
  await knex.raw(forgetOld, { feed, before: new Date(committedAt.getTime() - keepMs) });
  return true;
}

/** The changes by state of all versions up to the written one. */
async function totalUpTo(knex: Knex, { feed, version: next, shapeBefore }: VersionCommit): Promise<CountsByState> {
  const before = await knex('feed_changes')
    .where({ feed })
    .orderBy('version', 'desc')
    .first<{ totals: CountsByState } | undefined>('totals');
  // The demonstration's history, written with the first version, has counted its records.
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

/** The id at a share of the range of all ids. */
function idAt(share: number): string {
  return `${Math.floor(share * 2 ** 32)
    .toString(16)
    .padStart(8, '0')}-0000-0000-0000-000000000000`;
}

/** The row of a feed's current version, while no other publication has begun. */
export const ofPublication = 'feed = :feed AND version = :version - 1 AND publication = cast(:publication AS uuid)';

const moveVersion = `
  UPDATE feed_versions SET version = :version, published_at = :startedAt, complete_as_of = :startedAt,
    takedowns = :takedownNumber, shape = :shape
  WHERE ${ofPublication}`;

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
