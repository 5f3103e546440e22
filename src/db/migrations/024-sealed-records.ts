import type { Knex } from 'knex';

/** What was proven before it was stored is known by its seal; texts are compressed by the faster method, where there is it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE published_records ADD COLUMN seal bytea');
  await knex.raw(`
    DO $$ BEGIN
      ALTER TABLE published_records ALTER COLUMN full_json SET COMPRESSION lz4;
    EXCEPTION WHEN feature_not_supported THEN NULL;
    END $$`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE published_records DROP COLUMN seal');
  await knex.raw('ALTER TABLE published_records ALTER COLUMN full_json SET COMPRESSION default');
}
