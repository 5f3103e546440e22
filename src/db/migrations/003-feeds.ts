import type { Knex } from 'knex';

/** Nothing yet. */
export async function up(_knex: Knex): Promise<void> {}

/** Nothing yet. */
export async function down(_knex: Knex): Promise<void> {}
