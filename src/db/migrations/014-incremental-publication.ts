import type { Knex } from 'knex';

/** A publication of what changed asks for a few rows among all: by version, and by when they were computed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE INDEX deal_dossiers_version ON deal_dossiers (version)');
  await knex.raw('CREATE INDEX underwritings_computed_at ON underwritings (computed_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX deal_dossiers_version');
  await knex.raw('DROP INDEX underwritings_computed_at');
}
