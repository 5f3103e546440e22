import type { Knex } from 'knex';

/** Licences name fields that must not be shown, and it is known when there became more of them. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('sources', (table) => {
    table.specificType('withheld_fields', 'text[]').notNullable().defaultTo('{}');
    table.timestamp('narrowed_at');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('sources', (table) => {
    table.dropColumns('withheld_fields', 'narrowed_at');
  });
}
