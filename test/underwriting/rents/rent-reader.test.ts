import assert from 'node:assert/strict';
import { known } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import { mergeRents } from '../../../src/underwriting/rents/merge-rents.js';
import { createRentReader } from '../../../src/underwriting/rents/rent-reader.js';
import { saveLicence } from '../../../src/sources/save-licence.js';
import type { Licence } from '../../../src/sources/source.js';
import { createScriptedDelivery } from '../../sources/ingest/scripted-delivery.js';
import { licence } from '../../sources/ingest/scripted-source.js';
import { openTestDatabase } from '../../support/database.js';

const place = { city: 'Cleveland', state: 'OH', zip: known('44105'), county: known('Cuyahoga') };
const today = new Date('2026-11-21T00:00:00.000Z');
const hours = (count: number) => new Date(today.getTime() + count * 3_600_000);

/** The project carries 1070 for the ZIP in FY2027. */
describe('createRentReader', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  async function configure(name: string, changes: Partial<Licence> = {}, at = today): Promise<void> {
    const source = createScriptedDelivery('rents', { name, licence: { ...licence, ...changes } });
    await saveLicence(database.knex, source, { instance: 'here', now: at });
  }

  /** One invented rent of the ZIP. */
  async function bring(sourceName: string, rent2br: number, fiscalYear = 2027, observedAt = today): Promise<void> {
    const rents = [rent2br - 2, rent2br - 1, rent2br, rent2br + 1, rent2br + 2] as const;
    const area = { areaKind: 'zip', areaCode: '44105', fiscalYear, area: '', rents } as const;
    await mergeRents(database.knex, { sourceName, observedAt, rents: [area] });
  }

  async function findHere(at = today): Promise<string> {
    const rent = (await createRentReader(database.knex).loadRents(at)).at(place, today).rent;
    if (!('value' in rent)) return rent.absent;
    const { basis, fiscalYear, rent2br, source = 'carried' } = rent.value;
    return `${basis} FY${fiscalYear} ${rent2br} ${source}`;
  }

  it('returns the carried rent when no source delivers any', async () => {
    assert.equal(await findHere(), 'safmr_zip FY2027 1070 carried');
  });

  it('uses the newest fiscal year, in any order of delivery', async () => {
    await configure('hud');
    await bring('hud', 1270, 2027);
    await bring('hud', 990, 2026);
    assert.equal(await findHere(), 'safmr_zip FY2027 1270 hud');
  });

  it('replaces a figure that its source revised within its year', async () => {
    await configure('hud');
    await bring('hud', 1010);
    await bring('hud', 1040);
    assert.equal(await findHere(), 'safmr_zip FY2027 1040 hud');
  });

  it('prefers a source to the carried figure of the same area and year', async () => {
    await configure('hud');
    await bring('hud', 1040);
    assert.equal(await findHere(), 'safmr_zip FY2027 1040 hud');
  });

  it('uses, of several sources, the one with the latest change; an equal figure is no change', async () => {
    await configure('one');
    await configure('other');
    await bring('one', 1040, 2027, hours(1));
    await bring('other', 1050, 2027, hours(2));
    await bring('one', 1040, 2027, hours(3));
    assert.equal(await findHere(), 'safmr_zip FY2027 1050 other');
    await bring('one', 1060, 2027, hours(4));
    assert.equal(await findHere(), 'safmr_zip FY2027 1060 one');
  });

  it("ignores a source from the end of its licence; then the next source's figures count", async () => {
    await configure('one', { expiresAt: hours(2) });
    await configure('other', { expiresAt: hours(3) });
    await bring('other', 1050, 2027, hours(0));
    await bring('one', 1060, 2027, hours(1));
    assert.equal(await findHere(hours(1.9)), 'safmr_zip FY2027 1060 one');
    assert.equal(await findHere(hours(2)), 'safmr_zip FY2027 1050 other');
    assert.equal(await findHere(hours(3)), 'safmr_zip FY2027 1070 carried');
  });

  it('ignores a source that may not store or sell its figures, or that is not configured', async () => {
    await configure('unsold', { mayResell: false });
    await configure('unkept', { mayStore: false });
    for (const name of ['unsold', 'unkept', 'unknown']) await bring(name, 1040);
    assert.equal(await findHere(), 'safmr_zip FY2027 1070 carried');
  });

  it('answers from memory until it is loaded again', async () => {
    await configure('hud');
    const rents = await createRentReader(database.knex).loadRents(today);
    await bring('hud', 1040);
    const { rent } = rents.at(place, today);
    assert.equal('value' in rent && rent.value.rent2br, '1070');
  });

  it('reports only licences of rents that started, changed or ended since', async () => {
    const reader = createRentReader(database.knex);
    const listings = createScriptedDelivery('listings', { name: 'broker' });
    await saveLicence(database.knex, listings, { instance: 'here', now: hours(5) });
    assert.equal(await reader.changedSince(hours(0), hours(6)), false);
    await configure('hud', { expiresAt: hours(4) }, hours(1));
    assert.equal(await reader.changedSince(hours(1), hours(1)), true);
    assert.equal(await reader.changedSince(hours(2), hours(3)), false);
    assert.equal(await reader.changedSince(hours(2), hours(4)), true);
    assert.equal(await reader.changedSince(hours(4.5), hours(6)), false);
  });
});
