import type { Knex } from 'knex';
import { runNamed, type NamedStatement } from '../db/run-named.js';

/** Finds the places of the published records of one feed. */
export interface PlaceReader {
  /** The place keys of some records in all kept versions up to one, each once. */
  readPlaceKeys(ids: readonly string[], version: number): Promise<readonly string[]>;
}

export function createPlaceReader(knex: Knex, feed: string): PlaceReader {
  return {
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

/** Asks for all feeds in one statement, by the index over `published_records.place_keys`. */
export function createFindPublished(knex: Knex): FindPublished {
  return async (feeds, keys) => {
    const found = new Map(feeds.map((feed): [string, string[]] => [feed, []]));
    if (keys.length === 0) return found;
    const { rows } = await knex.raw<{ rows: { feed: string; id: string }[] }>(selectPublished, {
      feeds: [...feeds],
      keys: [...keys],
      versions: feeds.map(() => null),
    });
    for (const { feed, id } of rows) found.get(feed)?.push(id);
    return found;
  };
}

/** A published record: its JSON text, and all keys of its place. */
export interface PlacedText {
  readonly id: string;
  readonly full: string;
  readonly placeKeys: readonly string[];
}

/** Records of one version of a feed. */
export interface PlacedTexts {
  readonly version: number;
  readonly found: readonly PlacedText[];
}

/**
 * The records that share a place key with any of these, of each of several feeds: of its current version, all as of one
 * moment, or of one named for it, which is there as long as it is kept.
 */
export type ReadPublished = (
  feeds: readonly { readonly name: string; readonly version: number | undefined }[],
  keys: readonly string[],
) => Promise<readonly PlacedTexts[]>;

/** As `createFindPublished` does; in the order of the feeds. */
export function createReadPublished(knex: Knex): ReadPublished {
  return async (feeds, keys) => {
    const names = feeds.map(({ name }) => name);
    const { rows } = await runNamed(knex, selectTexts, [names, keys, feeds.map(({ version }) => version)]);
    return names.map((name) => {
      const ofFeed = (rows as unknown as readonly TextRow[]).filter(({ feed }) => feed === name);
      return { version: Number(ofFeed[0]?.version ?? 0), found: ofFeed.flatMap(toPlacedText) };
    });
  };
}

/**
 * Looked up key by key and row by row (OFFSET 0 keeps it so): of an overlap of lists a planner expects so many records that
 * it would rather read all of them.
 */
const published = (feeds: string, keys: string, versions: string): string => `
  WITH asked AS (
    SELECT feed, coalesce(a.version, f.version) AS version
    FROM unnest(cast(${feeds} AS text[]), cast(${versions} AS bigint[])) AS a(feed, version)
    JOIN feed_versions AS f USING (feed)),
  placed AS (
    SELECT DISTINCT r.feed, r.id, r.version, a.version AS current FROM unnest(cast(${keys} AS text[])) AS k(key), LATERAL (
      SELECT feed, id, version, retired FROM published_records WHERE place_keys @> ARRAY[k.key] OFFSET 0) AS r
    JOIN asked AS a ON a.feed = r.feed
    WHERE r.version <= a.version AND NOT r.retired),
  found AS (
    SELECT r.feed, r.id, r.version FROM placed AS r
    WHERE NOT EXISTS (
      SELECT 1 FROM published_records AS newer WHERE newer.feed = r.feed AND newer.id = r.id
        AND newer.version > r.version AND newer.version <= r.current OFFSET 0))`;

const selectPublished = `${published(':feeds', ':keys', ':versions')} SELECT feed, id FROM found ORDER BY feed, id`;

/** One row of a feed where nothing is found: its version is told all the same. */
const selectTexts: NamedStatement = {
  name: 'published-at-places',
  text: `${published('$1', '$2', '$3')}
  SELECT a.feed, a.version, r.id, r.full_json, r.place_keys FROM asked AS a
  LEFT JOIN (found JOIN published_records AS r USING (feed, id, version)) ON r.feed = a.feed
  ORDER BY r.id`,
};

interface TextRow {
  readonly feed: string;
  readonly version: string;
  readonly id: string | null;
  readonly full_json: string | null;
  readonly place_keys: readonly string[] | null;
}

function toPlacedText({ id, full_json: full, place_keys: keys }: TextRow): PlacedText[] {
  return id === null || full === null ? [] : [{ id, full, placeKeys: keys ?? [] }];
}
