import type { Knex } from 'knex';
import { runNamed, type NamedStatement } from '../../db/sql/run-named.js';
import { parcelKeyPattern } from '../../places/addresses/parcel.js';
import type { Origin } from '../takedowns.js';

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

/** A published record: what it is made of, its JSON text, and all keys of its place. */
export interface PlacedText extends Origin {
  readonly full: string;
  readonly placeKeys: readonly string[];
}

/** Records of one version of a feed. */
export interface PlacedTexts {
  readonly version: number;
  /** See `Cutoff`. */
  readonly takedownNumber: number;
  readonly found: readonly PlacedText[];
}

/**
 * Reads two kinds of records from several feeds, in the order of the feeds and as of one moment: those that share one
 * of the place keys, and those on the same parcel as any of these.
 */
export type ReadPublished = (feeds: readonly string[], keys: readonly string[]) => Promise<readonly PlacedTexts[]>;

/** Reads their texts. `parcelKeys`: an SQL LIKE that fits the keys of parcels alone. */
export function createReadPublished(knex: Knex, parcelKeys = parcelKeyPattern): ReadPublished {
  return async (feeds, keys) => {
    const { rows } = await runNamed(knex, selectTexts, [feeds, keys, parcelKeys]);
    return feeds.map((name) => {
      const ofFeed = (rows as unknown as readonly TextRow[]).filter(({ feed }) => feed === name);
      const [first] = ofFeed;
      return {
        version: Number(first?.version ?? 0),
        takedownNumber: Number(first?.takedowns ?? 0),
        found: ofFeed.flatMap(toPlacedText),
      };
    });
  };
}

const selectPublished = `
  SELECT feed, id FROM published_records_at(cast(:feeds AS text[]), cast(:keys AS text[])) ORDER BY feed, id`;

/** A feed without a match yields one row with its version. */
const selectTexts: NamedStatement = {
  name: 'published-at-places',
  text: `SELECT feed, version, takedowns, id, sources, matched, full_json, place_keys
    FROM published_records_near($1, $2, $3)`,
};

interface TextRow extends Omit<Origin, 'id'> {
  readonly feed: string;
  readonly version: string;
  readonly takedowns: string;
  readonly id: string | null;
  readonly full_json: string | null;
  readonly place_keys: readonly string[] | null;
}

function toPlacedText({ id, sources, matched, full_json: full, place_keys: keys }: TextRow): PlacedText[] {
  return id === null || full === null ? [] : [{ id, sources, matched, full, placeKeys: keys ?? [] }];
}
