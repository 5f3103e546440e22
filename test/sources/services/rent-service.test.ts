import assert from 'node:assert/strict';
import type { Sources } from '../../../generated/types.gen.js';
import { carriedTables } from '../../../src/underwriting/rents/carried-tables.js';
import { fiscalYearInForce } from '../../../src/underwriting/rents/fiscal-year.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { type RunningServices, serveServices } from './serve-services.js';

describe('rents of a service, and those of the demonstration', () => {
  let app: TestApp;
  let services: RunningServices;
  before(async () => {
    services = await serveServices(() => new Date());
    app = await startTestApp({ withData: false, environment: services.environment });
    await app.deliver(app.now());
  });
  after(async () => {
    await app.stop();
    await services.close();
  });

  it("are read by the nightly job from HUD's API and yearly files, are HUD's own, and are of the year in force", async () => {
    const reports = await app.pipeline.ingest(undefined, { delivers: ['rents'] });
    assert.deepEqual(
      reports.map(({ source, status, rejected }) => [source, status, rejected]).sort(),
      ['demo-county-rents', 'demo-zip-rents', 'rent-service'].map((name) => [name, 'completed', 0]),
    );
    const { sources } = (await (await fetch(`${app.url}/api/sources`)).json()) as Sources;
    for (const { source, accepted } of reports)
      assert.equal(sources.find(({ name }) => name === source)?.records, accepted, source);
    const rows = await app.database.knex<Record<string, unknown>>('hud_rents');
    assert.ok(rows.length >= 200);
    const known = new Set(
      carriedTables().flatMap(({ list }) => [...list()].map(({ code, rents }) => `${code} ${rents}`)),
    );
    for (const row of rows) {
      const rents = [row['rent_0br'], row['rent_1br'], row['rent_2br'], row['rent_3br'], row['rent_4br']];
      assert.ok(known.has(`${row['area_code']} ${rents}`));
      assert.equal(row['fiscal_year'], fiscalYearInForce(app.now()));
    }
  });
});
