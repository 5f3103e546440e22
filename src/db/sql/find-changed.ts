import { hash } from 'node:crypto';
import type { Knex } from 'knex';

/** A record that a source showed, with its id. */
export interface Shown<T> {
  readonly id: string;
  readonly observed: T;
}

/** A record whose stored version differs. */
export interface ChangedRow<T> extends Shown<T> {
  /** Hash of the observed content, stored with it. */
  readonly hash: string;
}

/**
 * The records whose stored version differs, in the order of their ids so that two writers cannot deadlock, and the
 * number of records already stored. `findKnown` selects `id` and `live_hash` of the rows of `:source` among `:ids`; a
 * null `live_hash` means the row must be written again.
 */
export async function findChanged<T>(
  knex: Knex,
  findKnown: string,
  source: string,
  shown: readonly Shown<T>[],
): Promise<{ readonly changed: readonly ChangedRow<T>[]; readonly known: number }> {
  const bindings = { source, ids: shown.map(({ id }) => id) };
  const { rows } = await knex.raw<{ rows: KnownRow[] }>(findKnown, bindings);
  const liveHashes = new Map(rows.map((row) => [row.id, row.live_hash]));
  const changed = shown
    .map((each) => ({ ...each, hash: hash('sha256', JSON.stringify(each.observed), 'base64url') }))
    .filter(({ id, hash }) => liveHashes.get(id) !== hash)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  return { changed, known: rows.length };
}

interface KnownRow {
  readonly id: string;
  readonly live_hash: string | null;
}
