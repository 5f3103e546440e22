import type { Knex } from 'knex';

/** Keys of the service, encrypted under its secret. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE TABLE server_keys (name text PRIMARY KEY, wrapped bytea NOT NULL)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE server_keys');
}
