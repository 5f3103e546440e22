import type { Knex } from 'knex';

/** Where listings come from (licences, runs, raw rows, refused rows) and what was observed (listings, prices). */
export async function up(knex: Knex): Promise<void> {
  await createSourceTables(knex);
  await createListingTables(knex);
}

/** Drops the seven tables. */
export async function down(knex: Knex): Promise<void> {
  const tables = ['listing_prices', 'listing_sources', 'listings', 'rejects', 'raw_records', 'source_runs', 'sources'];
  for (const name of tables) await knex.schema.dropTable(name);
}

async function createSourceTables(knex: Knex): Promise<void> {
  await knex.schema.createTable('sources', (table) => {
    table.text('name').primary();
    table.text('kind').notNullable();
    table.text('licence_class').notNullable();
    table.boolean('may_store').notNullable();
    table.boolean('may_resell').notNullable();
    table.text('attribution').notNullable();
    table.timestamp('expires_at', { useTz: true });
    table.boolean('configured').notNullable();
    table.timestamp('changed_at', { useTz: true }).notNullable();
    table.check("licence_class in ('owned', 'licensed', 'public_record', 'demonstration')");
  });
  await knex.schema.createTable('source_runs', (table) => {
    table.increments('id');
    table.text('source_name').notNullable();
    table.timestamp('started_at', { useTz: true }).notNullable();
    table.timestamp('finished_at', { useTz: true });
    table.text('status').notNullable();
    table.text('etag');
    table.integer('rows_accepted').notNullable().defaultTo(0);
    table.integer('rows_rejected').notNullable().defaultTo(0);
    table.integer('listings_created').notNullable().defaultTo(0);
    table.integer('listings_retired').notNullable().defaultTo(0);
    table.text('problem');
    table.index(['source_name', 'id']);
    table.check("status in ('running', 'abandoned', 'failed', 'unchanged', 'quarantined', 'completed')");
  });
  await knex.schema.createTable('raw_records', (table) => {
    table.text('source_name').notNullable();
    table.text('hash').notNullable();
    table.text('row_key').notNullable();
    table.text('payload').notNullable();
    table.timestamp('first_seen_at', { useTz: true }).notNullable();
    table.timestamp('last_seen_at', { useTz: true }).notNullable().index();
    table.primary(['source_name', 'hash']);
  });
  await knex.schema.createTable('rejects', (table) => {
    table.text('source_name').notNullable();
    table.text('row_key').notNullable();
    table.text('reason').notNullable();
    table.text('detail').notNullable();
    table.integer('run_id').notNullable();
    table.timestamp('first_seen_at', { useTz: true }).notNullable();
    table.timestamp('last_seen_at', { useTz: true }).notNullable();
    table.primary(['source_name', 'row_key', 'reason']);
  });
}

async function createListingTables(knex: Knex): Promise<void> {
  await knex.schema.createTable('listings', (table) => {
    table.uuid('id').primary();
    table.text('identity').notNullable().unique();
    table.timestamp('first_seen_at', { useTz: true }).notNullable();
    table.timestamp('updated_at', { useTz: true }).notNullable().index();
  });
  await knex.schema.createTable('listing_sources', (table) => {
    table.uuid('listing_id').notNullable();
    table.text('source_name').notNullable();
    table.text('source_key').notNullable();
    table.jsonb('content').notNullable();
    table.text('content_hash').notNullable();
    table.boolean('complete').notNullable();
    table.boolean('address_parsed').notNullable();
    table.text('county_fips');
    table.timestamp('first_seen_at', { useTz: true }).notNullable();
    table.timestamp('last_seen_at', { useTz: true }).notNullable();
    table.timestamp('changed_at', { useTz: true }).notNullable();
    table.boolean('active').notNullable();
    table.boolean('relisted').notNullable();
    table.timestamp('retired_at', { useTz: true });
    table.integer('last_run_id').notNullable();
    table.primary(['listing_id', 'source_name']);
    table.index(['source_name', 'source_key']);
  });
  await knex.schema.createTable('listing_prices', (table) => {
    table.uuid('listing_id').notNullable();
    table.text('source_name').notNullable();
    table.timestamp('observed_at', { useTz: true }).notNullable();
    table.specificType('price', 'numeric').notNullable();
    table.timestamp('confirmed_at', { useTz: true }).notNullable();
    table.primary(['listing_id', 'source_name', 'observed_at']);
  });
}
