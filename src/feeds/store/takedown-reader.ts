import type { Knex } from 'knex';
import { sourceGranted } from '../../db/sql/source-in-force.js';

/** A record of a suppressed property, by the feed of its own kind. */
export interface SuppressedRecord {
  readonly feed: string;
  readonly id: string;
  /** Of the last takedown that named it. */
  readonly number: number;
}

/** What a source's licence says of its records. */
export interface SourceRights {
  readonly name: string;
  /** False where its rows may not be shown, whatever the day. */
  readonly granted: boolean;
  /** When it ends by its date, milliseconds since 1970. */
  readonly endsAtMs: number | null;
  /** The takedown by which it shows fewer fields; 0 where none did. */
  readonly narrowedBy: number;
}

/** The written set of takedowns at one moment. */
export interface WrittenTakedowns {
  /** Of the last takedown. */
  readonly number: number;
  /** Those of later takedowns than the one asked with. */
  readonly suppressed: readonly SuppressedRecord[];
  readonly sources: readonly SourceRights[];
}

/** Reads the set in one statement, and of the suppressed records those that came after a number. */
export type ReadTakedowns = (after: number) => Promise<WrittenTakedowns>;

export function createTakedownReader(knex: Knex): ReadTakedowns {
  return async (after) => {
    const { rows } = await knex.raw<{ rows: SetRow[] }>(selectSet, { after });
    const [row] = rows;
    if (row === undefined) throw new Error('The takedowns cannot be read.');
    return { number: Number(row.number), suppressed: row.suppressed ?? [], sources: row.sources ?? [] };
  };
}

interface SetRow {
  readonly number: string;
  readonly suppressed: readonly SuppressedRecord[] | null;
  readonly sources: readonly SourceRights[] | null;
}

const selectSet = `
  select number,
    (select json_agg(json_build_object('feed', feed, 'id', id, 'number', number)) from suppressed_records
      where number > :after) as suppressed,
    (select json_agg(json_build_object('name', name, 'granted', ${sourceGranted},
      'endsAtMs', extract(epoch from expires_at) * 1000, 'narrowedBy', narrowed_by) order by name) from sources src) as sources
  from takedown_number`;
