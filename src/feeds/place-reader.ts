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
 * Of each of several feeds, in their order, the records that share a place key with any of these, and those that are of the
 * same parcel as any record of any of the feeds that does: all as of one moment.
 */
export type ReadPublished = (feeds: readonly string[], keys: readonly string[]) => Promise<readonly PlacedTexts[]>;

/** As `createFindPublished` does. `parcelKeys`: an SQL LIKE that fits the keys of parcels alone. */
export function createReadPublished(knex: Knex, parcelKeys: string): ReadPublished {
  return async (feeds, keys) => {
    const { rows } = await runNamed(knex, selectTexts, [feeds, keys, parcelKeys]);
    return feeds.map((name) => {
      const ofFeed = (rows as unknown as readonly TextRow[]).filter(({ feed }) => feed === name);
      return { version: Number(ofFeed[0]?.version ?? 0), found: ofFeed.flatMap(toPlacedText) };
    });
  };
}

const current = (feeds: string): string =>
  `current AS (SELECT feed, version FROM feed_versions WHERE feed = ANY(cast(${feeds} AS text[])))`;

/**
 * The rows of the current versions that have any of some keys, each once. Looked up key by key and row by row (OFFSET 0 keeps it
 * so): of an overlap of lists a planner expects so many records that it would rather read all of them.
 */
const placedAt = (keys: string): string => `
  SELECT DISTINCT ON (r.feed, r.id) r.feed, r.id, r.full_json, r.place_keys FROM ${keys} AS k(key), LATERAL (
    SELECT * FROM published_records WHERE place_keys @> ARRAY[k.key] OFFSET 0) AS r
  JOIN current AS c ON c.feed = r.feed
  WHERE r.version <= c.version AND NOT r.retired AND r.version = (
    SELECT version FROM published_records WHERE (feed, id, version) <= (r.feed, r.id, c.version)
    ORDER BY feed DESC, id DESC, version DESC LIMIT 1)`;

const selectPublished = `
  WITH ${current(':feeds')}
  SELECT feed, id FROM (${placedAt('unnest(cast(:keys AS text[]))')}) AS found ORDER BY feed, id`;

/**
 * One row of a feed where nothing is found: its version is told all the same. To plan it takes longer than to run it, and
 * longer with each table that it names.
 */
const selectTexts: NamedStatement = {
  name: 'published-at-places',
  text: `
  WITH ${current('$1')}, near AS (${placedAt('unnest(cast($2 AS text[]))')}),
  parcels AS (SELECT DISTINCT key FROM near, unnest(place_keys) AS key WHERE key LIKE $3),
  beside AS (${placedAt('parcels')}),
  found AS (
    SELECT DISTINCT ON (feed, id) feed, id, full_json, place_keys FROM (TABLE near UNION ALL TABLE beside) AS of_both)
  SELECT feed, c.version, id, full_json, place_keys FROM current AS c LEFT JOIN found USING (feed) ORDER BY id`,
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
