import type { Knex } from 'knex';

/** The records of one version stand in the order of their ids: a load asks for some of them at a time. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX published_records_version');
  await knex.raw('CREATE INDEX published_records_version ON published_records (feed, version, id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX published_records_version');
  await knex.raw('CREATE INDEX published_records_version ON published_records (feed, version)');
}
