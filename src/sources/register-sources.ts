import type { Knex } from 'knex';
import type { RefusedSource } from './registry/load-sources.js';
import { saveLicence } from './save-licence.js';
import type { DeliveryKind, Source } from './source.js';
import { storableText } from './storable-text.js';

/** What a configuration says of sources. */
export interface ConfiguredNames {
  readonly sources: readonly Source<DeliveryKind>[];
  /** Those that it names and is wrong about, and why. */
  readonly refused: readonly RefusedSource[];
}

/**
 * Keeps the licence records of all configured sources and withholds the rows of every other: a feed that was taken out
 * of the configuration, or that is refused, is not sold any more. Nothing of what was read is deleted; it returns when the
 * source does. What is refused is kept with its reason, also where it never was anything else, as long as it is named.
 */
export async function registerSources(knex: Knex, { sources, refused }: ConfiguredNames, now: Date): Promise<void> {
  for (const source of sources) await saveLicence(knex, source, now);
  const names = sources.map(({ name }) => name);
  await knex('sources')
    .whereNotIn('name', names)
    .andWhere({ configured: true })
    .update({ configured: false, changed_at: now });
  const refusals = refused
    .map((each) => ({ ...each, source: storableText(each.source, longestName) }))
    .filter(({ source }) => !names.includes(source));
  const refusedNames = refusals.map(({ source }) => source);
  const over = () => knex('sources').whereNotNull('refused_at').whereNotIn('name', refusedNames);
  await over().andWhere({ changed_at: never }).delete();
  await over().update({ refused_at: null, refusal: null });
  for (const refusal of refusals) await saveRefusal(knex, refusal, now);
}

/** Of a name in the contract. */
const longestName = 80;
/** When something last changed in what may be shown of a source that was refused from the start. */
const never = new Date(0);

/** Since when it is refused, and why; of one that never was configured also what it would be. */
async function saveRefusal(knex: Knex, { source: name, problem, outline }: RefusedSource, now: Date): Promise<void> {
  const { kind, delivers, licence } = outline;
  const told = {
    ...{ kind, delivers, attribution: licence.attribution, licence_class: licence.class },
    ...{ may_store: licence.mayStore, may_resell: licence.mayResell },
  };
  await knex('sources').where({ name, changed_at: never }).update(told);
  await knex('sources')
    .insert({
      ...{ ...told, name, configured: false, changed_at: never },
      ...{ refused_at: now, refusal: problem.slice(0, 500) },
    })
    .onConflict('name')
    .merge({
      refused_at: knex.raw('coalesce(sources.refused_at, excluded.refused_at)'),
      refusal: knex.raw('excluded.refusal'),
    });
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
