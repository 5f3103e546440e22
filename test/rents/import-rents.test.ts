import assert from 'node:assert/strict';
import { known } from '../../src/absence.js';
import type { Database } from '../../src/db/database.js';
import type { HudFigures } from '../../src/rents/area-rents.js';
import { hudFigures } from '../../src/rents/hud-figures.js';
import { importRents } from '../../src/rents/import-rents.js';
import { createRentReader } from '../../src/rents/rent-reader.js';
import { openTestDatabase } from '../support/database.js';

const place = { zip: known('44105'), countyFips: known('39035') };
const today = new Date('2026-11-21');

/** One invented rent of ZIP 44105. */
function oneRent(fiscalYear: number, rent2br: number): HudFigures {
  const rents = [rent2br - 2, rent2br - 1, rent2br, rent2br + 1, rent2br + 2] as const;
  return { rents: [{ areaKind: 'zip', areaCode: '44105', fiscalYear, rents }], zipCounties: [] };
}

describe('importRents', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  async function findHere(): Promise<string | undefined> {
    const rent = (await createRentReader(database.knex).loadFindRent())(place, today);
    return 'value' in rent ? `${rent.value.basis} FY${rent.value.fiscalYear} ${rent.value.rent2br}` : rent.absent;
  }

  it('brings the carried figures in, and the same ones again without a change', async () => {
    const count = async (): Promise<unknown> => {
      const [rents, zips] = await Promise.all([
        database.knex('hud_rents').count({ rows: '*' }).first(),
        database.knex('zip_counties').count({ rows: '*' }).first(),
      ]);
      return [Number(rents?.rows), Number(zips?.rows)];
    };
    const carried = [hudFigures.rents.length, hudFigures.zipCounties.length];
    await importRents(database.knex, hudFigures, 'carried');
    assert.deepEqual(await count(), carried);
    assert.equal(await findHere(), 'safmr_zip FY2025 1000');
    await importRents(database.knex, hudFigures, 'carried');
    assert.deepEqual(await count(), carried);
  });

  it('lets the newest fiscal year win, in whatever order the years come', async () => {
    await importRents(database.knex, oneRent(2027, 1270), 'source');
    await importRents(database.knex, oneRent(2025, 1000), 'source');
    assert.equal(await findHere(), 'safmr_zip FY2027 1270');
  });

  it('replaces a figure that HUD revised within its year', async () => {
    await importRents(database.knex, oneRent(2025, 1000), 'source');
    await importRents(database.knex, oneRent(2025, 1040), 'source');
    assert.equal(await findHere(), 'safmr_zip FY2025 1040');
  });

  it('keeps what a source has brought where the project carries another figure of the same area and year', async () => {
    await importRents(database.knex, oneRent(2025, 1040), 'source');
    await importRents(database.knex, hudFigures, 'carried');
    assert.equal(await findHere(), 'safmr_zip FY2025 1040');
  });

  it('puts right what an earlier version of the project has carried, until a source brings it', async () => {
    await importRents(database.knex, oneRent(2025, 990), 'carried');
    await importRents(database.knex, hudFigures, 'carried');
    assert.equal(await findHere(), 'safmr_zip FY2025 1000');
    await importRents(database.knex, oneRent(2025, 1040), 'source');
    await importRents(database.knex, oneRent(2025, 990), 'carried');
    assert.equal(await findHere(), 'safmr_zip FY2025 1040');
  });

  it('finds nothing where nothing was imported', async () => {
    assert.equal(await findHere(), 'no_hud_rent');
  });

  it('answers from memory until it is loaded again', async () => {
    const findRent = await createRentReader(database.knex).loadFindRent();
    await importRents(database.knex, hudFigures, 'carried');
    assert.deepEqual(findRent(place, today), { absent: 'no_hud_rent' });
  });
});
