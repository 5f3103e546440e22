import type { Knex } from 'knex';

/**
 * The keys of a record's place have a column of their own, so that the index alone tells which records share one. It keeps
 * no list of entries to come, which every look-up would read to its end while a publication is on its way.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX published_records_places');
  await knex.raw('ALTER TABLE published_records ADD COLUMN place_keys text[]');
  await knex.raw(`
    UPDATE published_records SET columns = columns - 'placeKeys',
      place_keys = nullif(ARRAY(SELECT jsonb_array_elements_text(columns -> 'placeKeys')), '{}')
    WHERE columns -> 'placeKeys' IS NOT NULL`);
  await knex.raw(
    'CREATE INDEX published_records_places ON published_records USING gin (place_keys) WITH (fastupdate = off)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX published_records_places');
  await knex.raw(`
    UPDATE published_records SET columns = columns || jsonb_build_object('placeKeys', place_keys)
    WHERE place_keys IS NOT NULL`);
  await knex.raw('ALTER TABLE published_records DROP COLUMN place_keys');
  await knex.raw("CREATE INDEX published_records_places ON published_records USING gin ((columns -> 'placeKeys'))");
}
