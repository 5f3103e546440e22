import type { Knex } from 'knex';

/** Finds published records of one feed by the keys of their place. */
export interface PlaceReader {
  /** The place keys of some records in all kept versions up to one, each once. */
  readPlaceKeys(ids: readonly string[], version: number): Promise<readonly string[]>;
  /** JSON texts of the records that are published now and share a place key with any of these, and their version. */
  readAtPlaces(keys: readonly string[]): Promise<{ readonly version: number; readonly found: readonly PlacedText[] }>;
}

/** A published record and its JSON text. */
export interface PlacedText {
  readonly id: string;
  readonly full: string;
}

/** Reads by the index over `published_records.place_keys`. */
export function createPlaceReader(knex: Knex, feed: string): PlaceReader {
  return {
    async readAtPlaces(keys) {
      const { rows } = await knex.raw<{ rows: AtPlaceRow[] }>(selectAtPlaces, {
        feed,
        keys: [...keys],
      });
      const found = rows.flatMap(({ id, full_json: full }) => (id === null || full === null ? [] : { id, full }));
      return { version: Number(rows[0]?.version ?? 0), found };
    },
    async readPlaceKeys(ids, version) {
      const { rows } = await knex.raw<{ rows: { key: string }[] }>(
        `SELECT DISTINCT unnest(place_keys) AS key FROM published_records
         WHERE feed = :feed AND id = ANY(cast(:ids AS uuid[])) AND version <= :version`,
        { feed, version, ids: [...ids] },
      );
      return rows.map(({ key }) => key);
    },
  };
}

/** Ids of what is published now, of several feeds, and shares a place key with any of these; by feed. */
export type FindPublished = (
  feeds: readonly string[],
  keys: readonly string[],
) => Promise<ReadonlyMap<string, readonly string[]>>;

/** Asks for all feeds in one statement. */
export function createFindPublished(knex: Knex): FindPublished {
  return async (feeds, keys) => {
    const found = new Map(feeds.map((feed): [string, string[]] => [feed, []]));
    if (keys.length === 0) return found;
    const { rows } = await knex.raw<{ rows: { feed: string; id: string }[] }>(selectPublished, {
      feeds: [...feeds],
      keys: [...keys],
    });
    for (const { feed, id } of rows) found.get(feed)?.push(id);
    return found;
  };
}

/**
 * Looked up key by key and row by row (OFFSET 0 keeps it so): of an overlap of lists a planner expects so many records that
 * it would rather read all of them.
 */
const atPlaces = `
  WITH placed AS (
    SELECT DISTINCT r.id, r.version FROM unnest(cast(:keys AS text[])) AS k(key), LATERAL (
      SELECT feed, id, version, retired FROM published_records WHERE place_keys @> ARRAY[k.key] OFFSET 0) AS r
    WHERE r.feed = :feed AND r.version <= v.version AND NOT r.retired)
  SELECT r.id, r.version FROM placed AS r
  WHERE NOT EXISTS (
    SELECT 1 FROM published_records AS newer WHERE newer.feed = :feed AND newer.id = r.id AND newer.version > r.version
      AND newer.version <= v.version OFFSET 0)`;

/** As `atPlaces` does, of each feed what its own version has. */
const selectPublished = `
  WITH placed AS (
    SELECT DISTINCT r.feed, r.id, r.version, f.version AS current FROM unnest(cast(:keys AS text[])) AS k(key), LATERAL (
      SELECT feed, id, version, retired FROM published_records WHERE place_keys @> ARRAY[k.key] OFFSET 0) AS r
    JOIN feed_versions AS f ON f.feed = r.feed
    WHERE r.feed = ANY(cast(:feeds AS text[])) AND r.version <= f.version AND NOT r.retired)
  SELECT r.feed, r.id FROM placed AS r
  WHERE NOT EXISTS (
    SELECT 1 FROM published_records AS newer WHERE newer.feed = r.feed AND newer.id = r.id AND newer.version > r.version
      AND newer.version <= r.current OFFSET 0)
  ORDER BY r.feed, r.id`;

interface AtPlaceRow {
  readonly version: string;
  readonly id: string | null;
  readonly full_json: string | null;
}

/** One row where nothing is found: the version is told all the same. */
const selectAtPlaces = `
  SELECT v.version, r.id, r.full_json FROM feed_versions AS v
  LEFT JOIN LATERAL (${atPlaces}) AS found ON true
  LEFT JOIN published_records AS r ON r.feed = :feed AND r.id = found.id AND r.version = found.version
  WHERE v.feed = :feed ORDER BY r.id`;
