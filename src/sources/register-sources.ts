import type { Knex } from 'knex';
import { saveLicence } from './save-licence.js';
import type { DeliveryKind, Source } from './source.js';

/**
 * Keeps the licence records of all configured sources and withholds the rows of every other: a feed that was taken out
 * of the configuration, or whose manifest is refused, is not sold any more. Nothing is deleted; it returns when the
 * source does.
 */
export async function registerSources(knex: Knex, sources: readonly Source<DeliveryKind>[], now: Date): Promise<void> {
  for (const source of sources) await saveLicence(knex, source, now);
  const names = sources.map(({ name }) => name);
  await knex('sources')
    .whereNotIn('name', names)
    .andWhere({ configured: true })
    .update({ configured: false, changed_at: now });
}
