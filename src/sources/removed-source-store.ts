import type { Knex } from 'knex';

/** The names of the sources that an operator took off sale. */
export async function readRemoved(knex: Knex): Promise<ReadonlySet<string>> {
  return new Set(await knex('sources').whereNotNull('removed_at').pluck<string[]>('name'));
}

/**
 * Takes a source off sale (`now`), or puts it back on sale as it was last read (undefined). Its rows are kept. Resolves
 * to false when no such source was ever seen. Readers go by this record, so a change takes effect at once.
 */
export async function setRemoved(knex: Knex, name: string, isRemoved: boolean, now: Date): Promise<boolean> {
  const known = () => knex('sources').where({ name }).whereNotNull('last_seen_at');
  const open = isRemoved ? known().whereNull('removed_at') : known().whereNotNull('removed_at');
  await open.update({ removed_at: isRemoved ? now : null, changed_at: now });
  return (await known().first('name')) !== undefined;
}

/**
 * Takes every source of fictional properties off sale: where real ones are sold, they are left over from a
 * demonstration.
 */
export async function removeDemonstration(knex: Knex, now: Date): Promise<void> {
  await knex('sources')
    .where({ licence_class: 'demonstration' })
    .whereNull('removed_at')
    .update({ removed_at: now, changed_at: now });
}
