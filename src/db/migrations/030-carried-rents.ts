import type { Knex } from 'knex';

/** A figure that the project carries is put right by a later one that it carries; what stands here already is kept. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE hud_rents ADD COLUMN is_carried boolean NOT NULL DEFAULT false');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE hud_rents DROP COLUMN is_carried');
}
