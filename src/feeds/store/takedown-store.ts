import type { Knex } from 'knex';
import { sourceGranted } from '../../db/sql/source-in-force.js';

/** A record, and the feed of its kind. */
export interface RecordOfFeed {
  readonly feed: string;
  readonly id: string;
}

/** A record of a suppressed property. */
export interface SuppressedRecord extends RecordOfFeed {
  /** The last takedown that named it. */
  readonly number: number;
}

/** The rights to show a source's records. */
export interface SourceRights {
  readonly name: string;
  /** False if they may not be shown on any day. */
  readonly granted: boolean;
  /** The end of its licence, milliseconds since 1970. */
  readonly endsAtMs: number | null;
  /** The last takedown by which its licence shows fewer fields; 0 if there is none. */
  readonly narrowedBy: number;
}

/** The written set of takedowns at one moment. */
export interface WrittenTakedowns {
  /** The last takedown. */
  readonly number: number;
  /** Those after the requested number, and those of number 0: they may stand in sold replies and in events. */
  readonly suppressed: readonly SuppressedRecord[];
  readonly sources: readonly SourceRights[];
}

/** Reads the set in one statement, with the suppressed records after a number. */
export type ReadTakedowns = (after: number) => Promise<WrittenTakedowns>;

export function createTakedownReader(knex: Knex): ReadTakedowns {
  return async (after) => {
    const { rows } = await knex.raw<{ rows: WrittenTakedowns[] }>(selectSet, { after });
    const [written] = rows;
    if (written === undefined) throw new Error('The table takedown_number is empty.');
    return written;
  };
}

const selectSet = `
  select cast(number as float8) as number,
    coalesce((select json_agg(json_build_object('feed', feed, 'id', id, 'number', number)) from suppressed_records
      where number > :after or number = 0), '[]') as suppressed,
    coalesce((select json_agg(json_build_object('name', name, 'granted', ${sourceGranted},
      'endsAtMs', extract(epoch from expires_at) * 1000, 'narrowedBy', narrowed_by)) from sources src), '[]') as sources
  from takedown_number`;

/**
 * Begins a takedown in a transaction. Later takedowns wait for its end, so that numbers become visible in their order.
 */
export async function raiseTakedownNumber(transaction: Knex): Promise<number> {
  const { rows } = await transaction.raw<{ rows: { number: string }[] }>(
    'update takedown_number set number = number + 1 returning number',
  );
  return Number(rows[0]?.number);
}

/** The last takedown. Waits for one in progress. */
export async function readTakedownNumber(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { number: string }[] }>('select number from takedown_number for share');
  return Number(rows[0]?.number);
}

/** The records that any version or draft has at place keys, by their index. */
export async function findPublishedAt(knex: Knex, placeKeys: readonly string[]): Promise<readonly RecordOfFeed[]> {
  if (placeKeys.length === 0) return [];
  const { rows } = await knex.raw<{ rows: RecordOfFeed[] }>(selectAt, { keys: [...placeKeys] });
  return rows;
}

/** The records that a version or draft shows and that no takedown has named since. */
export async function filterShown(knex: Knex, records: readonly RecordOfFeed[]): Promise<readonly RecordOfFeed[]> {
  if (records.length === 0) return [];
  const { rows } = await knex.raw<{ rows: RecordOfFeed[] }>(selectShown, { records: JSON.stringify(records) });
  return rows;
}

/** Writes records of suppressed properties. */
export async function addSuppressed(knex: Knex, records: readonly RecordOfFeed[], number: number): Promise<void> {
  if (records.length > 0) await knex.raw(insert, { records: JSON.stringify(records), number });
}

/** Notes records that may stand in sold replies alone: no version or draft shows them, so no takedown names them. */
export async function noteSuppressed(knex: Knex, records: readonly RecordOfFeed[]): Promise<void> {
  if (records.length > 0) await knex.raw(note, { records: JSON.stringify(records) });
}

/** Key by key and row by row (OFFSET 0): the planner overestimates overlapping lists. */
const selectAt = `
  select distinct r.feed, r.id from unnest(cast(:keys as text[])) as k(key), lateral (
    select feed, id from published_records p where p.place_keys @> array[k.key] offset 0) as r`;

/** A lead has the id of the record that makes it one. */
const selectShown = `
  select distinct r.feed, r.id
  from json_to_recordset(cast(:records as json)) as r(feed text, id uuid)
  join feed_versions f on f.feed in (r.feed, 'leads')
  join lateral (select retired from published_records p where p.feed = f.feed and p.id = r.id
    order by p.version desc limit 1) as latest on not latest.retired
  left join suppressed_records s on s.id = r.id
  where s.id is null or s.number <= f.takedowns`;

const insert = `
  insert into suppressed_records (feed, id, number)
  select r.feed, r.id, :number from json_to_recordset(cast(:records as json)) as r(feed text, id uuid)
  on conflict (id) do update set number = excluded.number`;

/** No version is as old as takedown 0. */
const note = `
  insert into suppressed_records (feed, id, number)
  select r.feed, r.id, 0 from json_to_recordset(cast(:records as json)) as r(feed text, id uuid)
  on conflict (id) do nothing`;
