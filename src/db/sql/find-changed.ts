import { hash } from 'node:crypto';
import type { Knex } from 'knex';

/** Something that a source showed, under the id of what it is of. */
export interface Shown<T> {
  readonly id: string;
  readonly observed: T;
}

/** Something that is not kept as it was shown. */
export interface ChangedRow<T> extends Shown<T> {
  /** Of what was shown, to be kept with it. */
  readonly hash: string;
}

/**
 * Those of some things that are not kept as they were shown, in the order of their ids, so that two writers cannot lock
 * each other out; and how many of all were kept already. `findKnown` gives `id` and `live_hash` of the rows of
 * `:source` among `:ids`; `live_hash` is null where a row is to be written again whatever it holds.
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
