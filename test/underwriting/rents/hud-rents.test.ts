import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { SourcedRents } from '../../../src/underwriting/rents/area-rents.js';
import { buildRentRows } from '../../../src/underwriting/rents/build-rent-rows.js';
import { createHudRents } from '../../../src/underwriting/rents/create-hud-rents.js';
import { fiscalYearInForce } from '../../../src/underwriting/rents/fiscal-year.js';
import type { HudRents, RentPlace } from '../../../src/underwriting/rents/rent-types.js';
import { readRentTable, type RentTable, writeRentTable } from '../../../src/underwriting/rents/rent-table.js';

const unstated = absent('not_stated_by_source');
const today = new Date('2026-11-21');

/** Invented rents that rise with the bedrooms, by two bedrooms. */
const rentsAt = (twoBedrooms: number) => [-20, -10, 0, 10, 20].map((step) => String(twoBedrooms + step));

/** A table of invented rents: lines of a code, an area and a two-bedroom rent. */
function tableOf(
  table: 'safmr' | 'fmr',
  fiscalYear: number,
  lines: readonly (readonly [code: string, area: string, rent: number, isMetropolitan?: boolean])[],
  published = `${fiscalYear - 1}-08-20`,
): RentTable {
  const { rows, faults } = buildRentRows(
    table === 'fmr' ? 'county' : 'zip',
    lines.map(([code, area, rent, isMetropolitan]) => ({
      ...{ place: code, code, area, rents: rentsAt(rent) },
      isMetropolitan: table === 'fmr' ? isMetropolitan === true : undefined,
    })),
  );
  assert.deepEqual(faults, []);
  const header = {
    table,
    fiscal_year: fiscalYear,
    file: 'x',
    effective: published,
    published,
    complete: true,
  } as const;
  return readRentTable(Buffer.from(writeRentTable(header, rows)));
}

function placeOf(text: string): RentPlace {
  const [zip = '', county = '', state = '', city = ''] = text.split('/');
  return { city, state, zip: zip === '' ? unstated : known(zip), county: county === '' ? unstated : known(county) };
}

/** The rent of a place, written `ZIP/county/state/city`: `1000 safmr_zip FY2027`, or why there is none. */
function findAt(rents: HudRents, text: string, on = today): string {
  const { rent } = rents.at(placeOf(text), on);
  if ('absent' in rent) return rent.absent;
  const { rent2br, basis, fiscalYear, stale, published = '', source = '' } = rent.value;
  return [rent2br, basis, `FY${fiscalYear}`, stale ? 'stale' : '', published, source].filter(Boolean).join(' ');
}

describe('fiscalYearInForce', () => {
  it('changes on 1 October, UTC', () => {
    assert.equal(fiscalYearInForce(new Date('2026-09-30T23:59:59.999Z')), 2026);
    assert.equal(fiscalYearInForce(new Date('2026-10-01T00:00:00.000Z')), 2027);
    assert.equal(fiscalYearInForce(new Date('2027-01-01T00:00:00.000Z')), 2027);
  });
});

describe('createHudRents', () => {
  const counties = tableOf('fmr', 2026, [
    ['39035', 'METRO-CLEVELAND', 1280, true],
    ['39153', 'METRO-AKRON', 1200, true],
    ['39003', 'NCNTY39003N39003', 900, false],
    ['24005', 'METRO-BALTIMORE', 1700, true],
    ['24510', 'METRO-BALTIMORE', 1600, true],
    ['25009', 'METRO-BOSTON', 2900, true],
    ['25009', 'METRO-LAWRENCE', 1900, true],
    ['60999', '', 700, false],
  ]);
  const zips = tableOf('safmr', 2027, [
    ['44105', 'METRO-CLEVELAND', 1070],
    ['44141', 'METRO-CLEVELAND', 1590],
    ['44141', 'METRO-AKRON', 1500],
    ['44147', 'METRO-CLEVELAND', 1400],
    ['44147', 'METRO-AKRON', 1400],
    ['01810', 'METRO-BOSTON', 3000],
    ['01810', 'METRO-LAWRENCE', 2000],
    ['01810', 'METRO-NASHUA', 1000],
  ]);
  const older = tableOf('safmr', 2025, [
    ['44105', '', 1000],
    ['44107', '', 1150],
  ]);
  const rents = createHudRents([older, zips, counties]);
  const at = (text: string, on?: Date) => findAt(rents, text, on);

  it("uses the ZIP's newest rent in force, before the county's", () => {
    assert.equal(at('44105/Cuyahoga/OH'), '1070 safmr_zip FY2027 2026-08-20');
    assert.equal(at('44107/Cuyahoga/OH'), '1150 safmr_zip FY2025 stale 2024-08-20');
    assert.equal(at('44105/Cuyahoga/OH', new Date('2026-09-30')), '1000 safmr_zip FY2025 stale 2024-08-20');
    assert.equal(at('44105/Cuyahoga/OH', new Date('2025-09-30')), '1000 safmr_zip FY2025 2024-08-20');
  });

  it('uses no rent of a ZIP that is more than two fiscal years old', () => {
    assert.equal(at('44107/Cuyahoga/OH', new Date('2027-09-30')), '1150 safmr_zip FY2025 stale 2024-08-20');
    assert.equal(at('44107/Cuyahoga/OH', new Date('2027-10-01')), '1280 fmr_county FY2026 stale 2025-08-20');
  });

  it("uses, of a ZIP in several areas, the rent in the stated county's area, else the lowest", () => {
    assert.equal(at('44141/Cuyahoga/OH'), '1590 safmr_zip FY2027 2026-08-20');
    assert.equal(at('44141/Summit County/OH'), '1500 safmr_zip FY2027 2026-08-20');
    for (const county of ['', 'Nowhere', 'Wood'])
      assert.equal(at(`44141/${county}/OH`), '1500 safmr_zip_lowest FY2027 2026-08-20');
    assert.equal(at('44147//OH'), '1400 safmr_zip FY2027 2026-08-20', 'equal rents are one');
    assert.equal(
      at('01810/Essex/MA'),
      '2000 safmr_zip_lowest FY2027 2026-08-20',
      'the lowest in the areas of the county',
    );
  });

  it("falls back to the county's rent: as stated, else by the ZIP", () => {
    assert.equal(at('44999/Cuyahoga/OH'), '1280 fmr_county FY2026 stale 2025-08-20');
    assert.equal(at('/39035/OH'), '1280 fmr_county FY2026 stale 2025-08-20');
    assert.equal(at('44114//OH'), '1280 fmr_county FY2026 stale 2025-08-20');
    assert.equal(at('/Cuyahoga/OH', new Date('2025-10-01')), '1280 fmr_county FY2026 2025-08-20');
    assert.equal(at('/Cuyahoga/OH/Cleveland', new Date('2025-09-30')), 'not_collected');
  });

  it('uses the lowest of a county with several rents, and of a county and a city of one name', () => {
    assert.equal(at('/Essex/MA'), '1900 fmr_county_lowest FY2026 stale 2025-08-20');
    assert.equal(at('/Baltimore/MD'), '1600 fmr_county_lowest FY2026 stale 2025-08-20');
    assert.equal(at('/Baltimore County/MD'), '1700 fmr_county FY2026 stale 2025-08-20');
    assert.equal(at('/BALTIMORE CITY/MD'), '1600 fmr_county FY2026 stale 2025-08-20');
  });

  it('finds the one rent of a territory for each of its counties', () => {
    assert.equal(at('96799//AS'), '700 fmr_county FY2026 stale 2025-08-20');
  });

  it('tells truthfully why there is none', () => {
    assert.equal(at('///'), 'insufficient_inputs');
    assert.equal(at('//OH/Cleveland'), 'not_collected');
    assert.equal(at('06103//CT'), 'not_collected');
    assert.equal(at('/Hartford/CT'), 'not_collected');
    assert.equal(at('90210//CA'), 'not_collected');
    assert.equal(at('09012//OH'), 'no_hud_rent');
  });

  it('uses, of two tables of one year, the one published later, in any order', () => {
    const revised = tableOf('safmr', 2027, [['44105', '', 1100]], '2027-04-01');
    for (const tables of [
      [zips, revised],
      [revised, zips],
    ]) {
      const both = createHudRents(tables);
      assert.equal(findAt(both, '44105//OH'), '1100 safmr_zip FY2027 2027-04-01');
      assert.equal(findAt(both, '44147//OH'), '1400 safmr_zip FY2027 2026-08-20');
    }
  });

  it("uses a source's rents before those of tables of the same year", () => {
    const area = { areaKind: 'zip', areaCode: '44105', source: 'hud' } as const;
    const delivered: readonly SourcedRents[] = [
      { ...area, fiscalYear: 2027, area: '39035', rents: [700, 800, 1300, 1400, 1500] },
      { ...area, fiscalYear: 2027, area: '39153', rents: [700, 800, 1200, 1400, 1500] },
      { ...area, fiscalYear: 2027, area: '39153', rents: [700, 800, 900, 1400, 1500], source: 'other' },
      { ...area, fiscalYear: 2026, areaCode: '44147', area: '39035', rents: [700, 800, 900, 1400, 1500] },
    ];
    const both = createHudRents([zips], delivered);
    assert.equal(findAt(both, '44105/Cuyahoga/OH'), '1300 safmr_zip FY2027 hud');
    assert.equal(findAt(both, '44105//OH'), '1200 safmr_zip_lowest FY2027 hud');
    assert.equal(findAt(both, '44147/Cuyahoga/OH'), '1400 safmr_zip FY2027 2026-08-20');
  });

  it('gives the rents of all bedroom counts', () => {
    const { rent } = rents.at(placeOf('44105//OH'), today);
    assert.deepEqual('value' in rent && rent.value.byBedrooms, ['1050', '1060', '1070', '1080', '1090']);
  });

  it('takes a place for nonmetropolitan where HUD counts the county so, or the county is unknown', () => {
    for (const text of ['44105//OH', '/Cuyahoga/OH', '44105/Summit/OH', '/Baltimore/MD'])
      assert.equal(rents.at(placeOf(text), today).nonmetropolitan, false, text);
    for (const text of ['44105/Allen/OH', '45801//OH', '06103//CT', '//OH/Cleveland', '/Wood/OH'])
      assert.equal(rents.at(placeOf(text), today).nonmetropolitan, true, text);
  });
});
