import assert from 'node:assert/strict';
import type { Sources } from '../../../generated/types.gen.js';
import { hudFigures } from '../../../src/underwriting/rents/hud-figures.js';
import { startTestApp, type TestApp } from '../../support/app.js';

describe("the demonstration's rents", () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false });
    await app.deliver(app.now());
  });
  after(() => app.stop());

  it("are read by the nightly job in the format of HUD's API, by county and by ZIP, and are HUD's own", async () => {
    const [report, ...others] = await app.pipeline.ingest(undefined, { delivers: ['rents'] });
    assert.deepEqual([report?.source, report?.status, report?.rejected, others], ['demo-oh-rents', 'completed', 0, []]);
    const { sources } = (await (await fetch(`${app.url}/api/sources`)).json()) as Sources;
    assert.deepEqual(sources.find(({ name }) => name === 'demo-oh-rents')?.records, report?.accepted);
    const rows = await app.database.knex<Record<string, unknown>>('hud_rents');
    assert.ok(rows.length >= 10 && rows.length === report?.accepted);
    const known = new Set(
      hudFigures.rents.map((area) => `${area.areaKind} ${area.areaCode} ${area.fiscalYear} ${area.rents}`),
    );
    for (const row of rows) {
      const rents = [row['rent_0br'], row['rent_1br'], row['rent_2br'], row['rent_3br'], row['rent_4br']];
      assert.ok(known.has(`${row['area_kind']} ${row['area_code']} ${row['fiscal_year']} ${rents}`));
    }
  });
});
