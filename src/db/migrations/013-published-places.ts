import type { Knex } from 'knex';

/** Published records are found by their building and parcel: the keys stand among their columns. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("CREATE INDEX published_records_places ON published_records USING gin ((columns -> 'placeKeys'))");
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX published_records_places');
}
