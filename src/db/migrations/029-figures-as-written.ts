import type { Knex } from 'knex';

/** Figures are kept as they were written: whoever publishes what was just underwritten must write the same bytes later. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE underwritings ALTER COLUMN figures TYPE json USING figures::json');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE underwritings ALTER COLUMN figures TYPE jsonb USING figures::jsonb');
}
