import type { Knex } from 'knex';
import type { Licence } from './source.js';

/** A source's licence as the database has it. */
export interface LicenceRow {
  readonly name: string;
  readonly licence_class: Licence['class'];
  readonly may_store: boolean;
  readonly may_resell: boolean;
  readonly attribution: string;
  readonly undisplayed_fields: readonly string[];
  readonly expires_at: Date | null;
}

/** Puts a licence together. */
export function licenceOf(row: LicenceRow): Licence {
  const licence = {
    class: row.licence_class,
    mayStore: row.may_store,
    mayResell: row.may_resell,
    attribution: row.attribution,
    undisplayedFields: row.undisplayed_fields,
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
    'undisplayed_fields',
    'expires_at',
  );
  return new Map(rows.map((row) => [row.name, licenceOf(row)]));
}
