import type { Knex } from 'knex';

/** HUD rents by area and year, the county of each ZIP, and the latest underwriting of each listing. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('hud_rents', (table) => {
    table.text('area_kind').notNullable();
    table.text('area_code').notNullable();
    table.integer('fiscal_year').notNullable();
    for (const bedrooms of [0, 1, 2, 3, 4]) table.integer(`rent_${bedrooms}br`).notNullable();
    table.primary(['area_kind', 'area_code', 'fiscal_year']);
    table.check("area_kind in ('zip', 'county')");
  });
  await knex.schema.createTable('zip_counties', (table) => {
    table.text('zip').primary();
    table.text('county_fips').notNullable();
  });
  await knex.schema.createTable('underwritings', (table) => {
    table.uuid('listing_id').primary();
    table.text('assumption_set').notNullable();
    table.text('inputs_hash').notNullable();
    table.jsonb('figures').notNullable();
    table.timestamp('computed_at', { useTz: true }).notNullable();
  });
}

/** Drops the three tables. */
export async function down(knex: Knex): Promise<void> {
  for (const name of ['underwritings', 'zip_counties', 'hud_rents']) await knex.schema.dropTable(name);
}
