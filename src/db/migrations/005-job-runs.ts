import type { Knex } from 'knex';

/** One row per job and slot: lock, lease, retry and history of the timetable's work. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('job_runs', (table) => {
    table.text('job').notNullable();
    table.timestamp('slot', { useTz: true }).notNullable();
    table.text('lane').notNullable();
    table.text('state').notNullable();
    table.text('owner').notNullable();
    table.integer('attempts').notNullable();
    table.timestamp('lease_until', { useTz: true }).notNullable();
    table.timestamp('started_at', { useTz: true }).notNullable();
    table.timestamp('finished_at', { useTz: true });
    table.text('error');
    table.jsonb('progress');
    table.jsonb('summary');
    table.primary(['job', 'slot']);
    table.check("state in ('running', 'succeeded', 'failed')", {}, 'job_runs_state_check');
    table.check('attempts >= 0', {}, 'job_runs_attempts_check');
  });
  // Two jobs of one lane, and two slots of one job, never run at the same time, whichever instances they run on.
  await knex.raw("create unique index job_runs_one_running on job_runs (lane) where state = 'running'");
}

/** Drops the table and its history. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('job_runs');
}
