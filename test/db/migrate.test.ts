import assert from 'node:assert/strict';
import { openTestDatabase } from '../support/database.js';

describe('migrate', () => {
  it('gives each test a database of its own with the schema in place', async () => {
    const [one, two] = await Promise.all([openTestDatabase(), openTestDatabase()]);
    await one.knex('hud_rents').select();
    await one.knex.schema.createTable('only_here', (table) => table.integer('id'));
    assert.equal(await two.knex.schema.hasTable('only_here'), false);
    assert.equal(await two.knex.schema.hasTable('job_runs'), true);
    await Promise.all([one.close(), two.close()]);
  });
});
