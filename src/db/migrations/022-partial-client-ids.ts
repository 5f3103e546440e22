import type { Knex } from 'knex';

/** Only payments with an id of their buyer are in this index, so that none is looked for there by its payer alone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX payments_client_id');
  await knex.raw(
    'CREATE UNIQUE INDEX payments_client_id ON payments (payer, client_id_hash) WHERE client_id_hash IS NOT NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX payments_client_id');
  await knex.raw('CREATE UNIQUE INDEX payments_client_id ON payments (payer, client_id_hash)');
}
