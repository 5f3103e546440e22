import type { Knex } from 'knex';
import { sourceGranted } from '../../db/sql/source-in-force.js';

/** A record of a suppressed property, and the feed of its kind. */
export interface SuppressedRecord {
  readonly feed: string;
  readonly id: string;
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
  /** Those after the requested number. */
  readonly suppressed: readonly SuppressedRecord[];
  readonly sources: readonly SourceRights[];
}

/** Reads the set in one statement, with the suppressed records after a number. */
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
