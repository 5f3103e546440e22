import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.js';
import { down, up } from '../../src/db/migrations/037-rents-by-source.js';
import { saveLicence } from '../../src/sources/save-licence.js';
import { createScriptedDelivery } from '../sources/scripted-delivery.js';
import { openTestDatabase } from '../support/database.js';

const before = new Date('2026-11-20T00:00:00.000Z');

/** Two rents: one that the project carries, and one of whose origin nothing is written down. */
describe('a database of before rents were kept by source', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    await down(database.knex);
    const rents = { fiscal_year: 2027, rent_0br: 1, rent_1br: 2, rent_2br: 3, rent_3br: 4, rent_4br: 5 };
    await database.knex('hud_rents').insert([
      { area_kind: 'zip', area_code: '44105', is_carried: true, ...rents },
      { area_kind: 'zip', area_code: '44107', is_carried: false, ...rents },
    ]);
    await database.knex('job_runs').insert({
      ...{ job: 'rents', slot: before, lane: 'feed', state: 'succeeded', owner: 'elsewhere', attempts: 1 },
      ...{ lease_until: before, started_at: before },
    });
  });
  afterEach(() => database.close());

  async function know(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await saveLicence(database.knex, createScriptedDelivery('rents', { name }), { instance: 'here', now: before });
      const run = { source_name: name, started_at: before, status: 'completed', etag: 'the-same' };
      await database.knex('source_runs').insert(run);
    }
  }

  const read = async () => ({
    rents: await database.knex('hud_rents').select('area_code', 'source_name'),
    etags: await database.knex('source_runs').pluck('etag'),
    jobs: await database.knex('job_runs').pluck('job'),
  });

  it('keeps what the only source of rents has brought as its own', async () => {
    await know('hud');
    await up(database.knex);
    const rents = [{ area_code: '44107', source_name: 'hud' }];
    assert.deepEqual(await read(), { rents, etags: ['the-same'], jobs: ['rents'] });
  });

  it('lets go of what one of several has brought, and reads them anew as soon as the jobs run', async () => {
    await know('hud', 'agency');
    await up(database.knex);
    assert.deepEqual(await read(), { rents: [], etags: [null, null], jobs: [] });
  });

  it('keeps nothing where no source of rents was ever known: what the project carries it has itself', async () => {
    await up(database.knex);
    assert.deepEqual(await read(), { rents: [], etags: [], jobs: ['rents'] });
  });
});
