import type { Knex } from 'knex';
import type { Licence } from './source.js';

/**
 * Whether a source's rows were to be withheld after one moment and at or before another: its licence ended, was narrowed or
 * set to a past end, or it left the configuration.
 */
export async function hasLicenceEnded(knex: Knex, after: Date, upTo: Date): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(endedBetween, { after, upTo });
  return rows.length > 0;
}

const endedBetween = `
  select name from sources
  where (configured and expires_at > :after and expires_at <= :upTo)
    or (changed_at > :after and changed_at <= :upTo
      and not (configured and may_store and may_resell and (expires_at is null or expires_at > :upTo)))
  limit 1`;

/** A source's licence as the database has it. */
export interface LicenceRow {
  readonly name: string;
  readonly licence_class: Licence['class'];
  readonly may_store: boolean;
  readonly may_resell: boolean;
  readonly attribution: string;
  readonly expires_at: Date | null;
}

/** Puts a licence together. */
export function licenceOf(row: LicenceRow): Licence {
  const licence = {
    class: row.licence_class,
    mayStore: row.may_store,
    mayResell: row.may_resell,
    attribution: row.attribution,
  };
  return row.expires_at === null ? licence : { ...licence, expiresAt: row.expires_at };
}

/** The licences of all sources that were ever configured, by the source's name. */
export async function readLicencesByName(knex: Knex): Promise<ReadonlyMap<string, Licence>> {
  const rows = await knex<LicenceRow>('sources').select(
    'name',
    'licence_class',
    'may_store',
    'may_resell',
    'attribution',
    'expires_at',
  );
  return new Map(rows.map((row) => [row.name, licenceOf(row)]));
}

/** When rows of a source were last taken back: its licence ended or was narrowed, or it left the configuration. */
export async function readLastLicenceEnd(knex: Knex, now: Date): Promise<Date | undefined> {
  const { rows } = await knex.raw<{ rows: { ended: Date | null }[] }>(lastEnd, { now });
  return rows[0]?.ended ?? undefined;
}

const lastEnd = `
  select greatest(
    max(expires_at) filter (where expires_at <= :now),
    max(changed_at) filter (where not (configured and may_store and may_resell))) as ended
  from sources`;
