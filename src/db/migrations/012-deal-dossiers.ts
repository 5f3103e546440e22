import type { Knex } from 'knex';

/**
 * What reports rest on beside the published records, under the version of the deals feed that it belongs to; without a
 * dossier the deal is retired from that version on.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE deal_dossiers (
      deal_id uuid NOT NULL,
      version bigint NOT NULL,
      county_fips text,
      dossier text,
      PRIMARY KEY (deal_id, version)
    )`);
  await knex.raw('CREATE INDEX deal_dossiers_county ON deal_dossiers (county_fips)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE deal_dossiers');
}
