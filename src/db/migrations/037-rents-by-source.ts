import type { Knex } from 'knex';

/**
 * Rents are kept by the source that brought them, so that they go with its licence; what the project carries is not kept at all.
 * Whose the rows are that stand here is certain where one source of rents alone was ever known. Of several nobody can tell: they
 * are let go, and their sources read anew, whatever they showed last, by the job of the rents, which is due again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE hud_rents ADD COLUMN source_name text, ADD COLUMN changed_at timestamptz');
  const known: string[] = await knex('sources').where({ delivers: 'rents' }).pluck('name');
  const [only, ...others] = known;
  if (others.length === 0)
    await knex('hud_rents')
      .where({ is_carried: false })
      .update({ source_name: only ?? null, changed_at: new Date(0) });
  else {
    await knex('source_runs').whereIn('source_name', known).update({ etag: null, next_cursor: null });
    await knex('job_runs').where({ job: 'rents' }).delete();
  }
  await knex('hud_rents').whereNull('source_name').delete();
  await knex.raw(`
    ALTER TABLE hud_rents DROP COLUMN is_carried, DROP CONSTRAINT hud_rents_pkey,
      ALTER COLUMN source_name SET NOT NULL, ALTER COLUMN changed_at SET NOT NULL,
      ADD PRIMARY KEY (area_kind, area_code, fiscal_year, source_name)`);
  await knex.raw('DROP TABLE zip_counties');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('CREATE TABLE zip_counties (zip text PRIMARY KEY, county_fips text NOT NULL)');
  await knex.raw(`
    DELETE FROM hud_rents AS r USING hud_rents AS later
    WHERE (later.area_kind, later.area_code, later.fiscal_year) = (r.area_kind, r.area_code, r.fiscal_year)
      AND (later.changed_at, later.source_name) > (r.changed_at, r.source_name)`);
  await knex.raw(`
    ALTER TABLE hud_rents ADD COLUMN is_carried boolean NOT NULL DEFAULT false, DROP CONSTRAINT hud_rents_pkey,
      DROP COLUMN source_name, DROP COLUMN changed_at, ADD PRIMARY KEY (area_kind, area_code, fiscal_year)`);
}
