import type { Knex } from 'knex';
import type { RefusedSource } from './registry/load-sources.js';
import { saveLicence } from './save-licence.js';
import type { DeliveryKind, Source } from './source.js';

/** What a configuration says of sources. */
export interface ConfiguredNames {
  readonly sources: readonly Source<DeliveryKind>[];
  /** Those that it names and is wrong about, and why. */
  readonly refused: readonly RefusedSource[];
}

/**
 * Keeps the licence records of all configured sources and withholds the rows of every other: a feed that was taken out
 * of the configuration, or that is refused, is not sold any more. Nothing is deleted; it returns when the source does.
 */
export async function registerSources(knex: Knex, { sources, refused }: ConfiguredNames, now: Date): Promise<void> {
  for (const source of sources) await saveLicence(knex, source, now);
  const names = sources.map(({ name }) => name);
  await knex('sources')
    .whereNotIn('name', names)
    .andWhere({ configured: true })
    .update({ configured: false, changed_at: now });
  const refusals = refused.filter(({ source }) => !names.includes(source));
  await knex('sources')
    .whereNotNull('refused_at')
    .whereNotIn(
      'name',
      refusals.map(({ source }) => source),
    )
    .update({ refused_at: null, refusal: null });
  for (const { source: name, problem } of refusals)
    await knex('sources')
      .where({ name })
      .update({ refused_at: knex.raw('coalesce(refused_at, ?::timestamptz)', [now]), refusal: problem.slice(0, 500) });
}

/**
 * Keeps the licence records of some sources, and those of the others as they are: whoever chooses a source by its name may
 * not have the configuration of all.
 */
export async function registerChosen(
  knex: Knex,
  { chosen }: { readonly chosen: ConfiguredNames['sources'] },
  now: Date,
): Promise<void> {
  for (const source of chosen) await saveLicence(knex, source, now);
}
