import type { Knex } from 'knex';

/** A sale that its source shows as another now is kept, so that publications learn that it went. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('auctions', (table) => {
    table.timestamp('replaced_at');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('auctions', (table) => {
    table.dropColumn('replaced_at');
  });
}
