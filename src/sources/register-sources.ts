import type { Knex } from 'knex';
import type { RefusedSource } from './registry/load-sources.js';
import { digestOf } from './read/digest-of.js';
import { narrowRights, saveLicence, type Sight } from './save-licence.js';
import type { DeliveryKind, Source } from './source.js';
import type { StatedRights } from './stated-licence.js';
import { storableText } from './storable-text.js';

/** What a configuration says of sources. */
export interface ConfiguredNames {
  readonly sources: readonly Source<DeliveryKind>[];
  /** Those that it names and is wrong about, and why. */
  readonly refused: readonly RefusedSource[];
  /** What it says of the rights to the rows of sources that are not read. */
  readonly stated: readonly StatedRights[];
  /** Whether records of fictional properties may be sold here. */
  readonly sellsDemonstration: boolean;
}

/**
 * Keeps the licence records of the sources that this instance sees, and notes since when any other is unseen, or
 * refused and why. What is not seen is a finding, not an order: its rows stay for sale as last read, under the licence
 * that was read last. Only an operator takes them off sale (`setRemoved`), or the licence, or a suppression. A licence
 * takes rights back where its source is refused or not enabled as well; it gives none before the source is read.
 */
export async function registerSources(knex: Knex, names: ConfiguredNames, sight: Sight): Promise<void> {
  const { sources, refused, sellsDemonstration } = names;
  for (const source of sources) await saveLicence(knex, source, sight);
  if (!sellsDemonstration) await removeDemonstration(knex, sight.now);
  const seen = sources.map(({ name }) => name);
  for (const rights of names.stated) if (!seen.includes(rights.source)) await narrowRights(knex, rights, sight.now);
  await noteUnseen(knex, seen, sight.now);
  const refusals = refused
    .map((each) => ({ ...each, source: storableText(each.source, longestName) }))
    .filter(({ source }) => !seen.includes(source));
  const refusedNames = refusals.map(({ source }) => source);
  const over = () => knex('sources').whereNotNull('refused_at').whereNotIn('name', refusedNames);
  await over().andWhere({ changed_at: never }).delete();
  await over().update({ refused_at: null, refusal: null });
  for (const refusal of refusals) await saveRefusal(knex, refusal, sight.now);
}

/**
 * Keeps with an instance how it has its sources, as digests by name: two that differ are found so. An entry names the
 * variable of its secret, never the secret.
 */
export async function tellConfigured(knex: Knex, owner: string, sources: ConfiguredNames['sources']): Promise<void> {
  const digests = sources.map(({ name, kind, delivers, licence, covers, configuration }) => [
    name,
    digestOf([kind, delivers, licence, covers, configuration]),
  ]);
  const told = JSON.stringify(Object.fromEntries(digests));
  await knex('instances')
    .where({ owner })
    .whereRaw('sources is distinct from ?::jsonb', [told])
    .update({ sources: told });
}

/**
 * Notes of all sources but these that they are not seen, nor by another live instance; those that were unseen before
 * keep their moment.
 */
export async function noteUnseen(knex: Knex, seen: readonly string[], now: Date): Promise<void> {
  await knex('sources')
    .whereNotIn('name', seen)
    .whereNotNull('last_seen_at')
    .whereNull('removed_at')
    .whereNull('unseen_since')
    .whereRaw(`not exists (${seenElsewhere})`)
    .update({ unseen_since: now });
}

const seenElsewhere = `select from instances as i
  where i.seen_at > now() - interval '15 seconds' and i.sources -> sources.name is not null`;

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
      ...{ ...told, name, changed_at: never },
      ...{ refused_at: now, refusal: problem.slice(0, 500) },
    })
    .onConflict('name')
    .merge({
      refused_at: knex.raw('coalesce(sources.refused_at, excluded.refused_at)'),
      refusal: knex.raw('excluded.refusal'),
    });
}

/**
 * Keeps the licence records of some sources, and those of the others as they are: whoever chooses a source by its name
 * may not have the configuration of all.
 */
export async function registerChosen(
  knex: Knex,
  { chosen }: { readonly chosen: ConfiguredNames['sources'] },
  sight: Sight,
): Promise<void> {
  for (const source of chosen) await saveLicence(knex, source, sight);
}

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
  const offered = () => knex('sources').where({ licence_class: 'demonstration' }).whereNull('removed_at');
  // Written only where there is one: a server also starts on a database that is read-only now.
  if (await offered().first('name')) await offered().update({ removed_at: now, changed_at: now });
}
