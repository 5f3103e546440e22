import type { Knex } from 'knex';

/** How a source was configured when a run began: what one configuration left off at means nothing to another. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('source_runs', (table) => {
    table.text('configuration');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('source_runs', (table) => {
    table.dropColumn('configuration');
  });
}
