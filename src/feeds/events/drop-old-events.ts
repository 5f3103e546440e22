import type { Database } from '../../db/database.js';

/** How long events are kept. The contract says so. */
const keepEventsMs = 90 * 86_400_000;

/**
 * Deletes events that are older than 90 days, oldest first, some at a time, and stores the last version that lost
 * events: older cursors expire.
 *
 * @returns how many
 */
export async function dropOldEvents(
  knex: Database['knex'],
  now: Date,
  yieldTurn: () => Promise<void>,
): Promise<number> {
  const before = new Date(now.getTime() - keepEventsMs);
  let total = 0;
  for (const feed of await knex('feed_versions').pluck<string[]>('feed')) {
    for (let count = eventsPerChunk; count === eventsPerChunk; await yieldTurn()) {
      const { rows } = await knex.raw<{ rows: { count: number }[] }>(dropOldest, { feed, before, eventsPerChunk });
      count = rows[0]?.count ?? 0;
      total += count;
    }
  }
  return total;
}

const eventsPerChunk = 500;

const dropOldest = `
  WITH kept AS (
    SELECT version FROM feed_events WHERE feed = :feed AND at >= :before ORDER BY version, ordinal LIMIT 1),
  gone AS (
    DELETE FROM feed_events WHERE (feed, version, ordinal) IN (
      SELECT feed, version, ordinal FROM feed_events AS old WHERE old.feed = :feed AND old.at < :before
        AND old.version < coalesce((SELECT version FROM kept), (SELECT f.version + 1 FROM feed_versions AS f WHERE f.feed = :feed))
      ORDER BY version, ordinal LIMIT :eventsPerChunk)
    RETURNING version),
  noted AS (
    UPDATE feed_versions SET events_dropped = greatest(events_dropped, (SELECT max(version) FROM gone))
    WHERE feed = :feed AND EXISTS (SELECT 1 FROM gone))
  SELECT cast(count(*) AS integer) AS count FROM gone`;
