import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { absent, known, valueOf } from '../../../src/absence.js';
import { countyNames } from '../../../src/places/metros/counties.js';
import { countyLabel } from '../../../src/places/metros/county-label.js';
import { findProjectFile } from '../../../src/project-file.js';
import { createDraw } from '../../../src/demo/data/seeded-draw.js';
import { carriedTables } from '../../../src/underwriting/rents/carried-tables.js';
import { parseState } from '../../../src/sources/values/places.js';
import { createHudRents } from '../../../src/underwriting/rents/create-hud-rents.js';
import { readRentTable, writeRentTable, type RentRow } from '../../../src/underwriting/rents/rent-table.js';
import { readSharedData } from '../read-shared-data.js';
import type { Weighed } from './weigh-tables.js';

const unstated = absent('not_stated_by_source');
const folder = findProjectFile('src/underwriting/rents/tables');
const today = new Date('2026-11-21');
const rents = createHudRents(carriedTables());

function rentAt(place: { zip?: string; county?: string; state: string; city?: string }, on = today) {
  const { zip, county, state, city = 'Anywhere' } = place;
  return rents.at(
    {
      state,
      city,
      zip: zip === undefined ? unstated : known(zip),
      county: county === undefined ? unstated : known(county),
    },
    on,
  ).rent;
}

function rowsOf(shared: string): Readonly<Record<string, string>>[] {
  return parse(shared, { columns: true });
}

const figuresOf = (row: Readonly<Record<string, string>>, of: (bedrooms: number) => string) =>
  [0, 1, 2, 3, 4].map((bedrooms) => Number(row[of(bedrooms)]));

describe('the carried tables', () => {
  for (const name of readdirSync(folder)) {
    it(`${name}: have the rows and the hash that their header states, by code`, () => {
      const [first = '', ...lines] = readFileSync(join(folder, name), 'utf8').split('\n');
      const { rows, sha256, table, fiscal_year: year } = JSON.parse(first) as Record<string, unknown>;
      assert.equal(name, `${String(table)}-${String(year)}.txt`);
      assert.equal(lines.pop(), '');
      assert.equal(lines.length, rows);
      assert.deepEqual(lines, [...lines].sort());
      const body = lines.map((line) => `${line}\n`).join('');
      assert.equal(createHash('sha256').update(body).digest('hex'), sha256);
    });

    it(`${name}: are byte for byte what an operator's command writes`, () => {
      const text = readFileSync(join(folder, name));
      const { header, list } = readRentTable(text);
      assert.equal(writeRentTable(header, [...list()]), text.toString('latin1'));
    });
  }

  it('are read in 0.4 of the CPU of the reference work and held in 6 MB, in a process that begins with them', async () => {
    const program = fileURLToPath(new URL(`./weigh-tables${extname(import.meta.url)}`, import.meta.url));
    const weighed: Weighed[] = [];
    for (let run = 0; run < 4; run += 1) {
      const child = fork(program, { execArgv: [...process.execArgv, '--expose-gc'] });
      const [told] = (await once(child, 'message')) as [Weighed];
      weighed.push(told);
    }
    const least = (read: (each: Weighed) => number) => Math.min(...weighed.map(read));
    assert.ok(least(({ cpu }) => cpu) <= 0.4, JSON.stringify(weighed));
    assert.ok(least(({ bytes }) => bytes) <= 6_000_000, JSON.stringify(weighed));
  });

  it('have rents that do not fall with the bedrooms, and of ZIPs multiples of 10', () => {
    for (const { header, list } of carriedTables())
      for (const { code, rents } of list()) {
        assert.deepEqual(
          [...rents],
          [...rents].sort((one, other) => one - other),
          code,
        );
        if (header.table === 'safmr')
          assert.ok(
            rents.every((rent) => rent % 10 === 0),
            code,
          );
      }
  });

  it('tell a ZIP that lies far from the stated county, and none of its borders, of its own area or of an unknown county', () => {
    const isElsewhere = (zip: string, county: string, state: string) =>
      rents.at({ state, city: 'Anywhere', zip: known(zip), county: county === '' ? unstated : known(county) }, today)
        .isZipElsewhere;
    assert.equal(isElsewhere('44105', 'Franklin', 'OH'), true);
    assert.equal(isElsewhere('75201', 'Harris', 'TX'), true);
    for (const [zip, county, state] of [
      ['44105', 'Cuyahoga', 'OH'],
      ['44067', 'Cuyahoga', 'OH'],
      ['60601', 'DuPage', 'IL'],
      ['06103', 'Hartford', 'CT'],
      ['44105', '', 'OH'],
      ['44105', 'Nowhere', 'OH'],
      ['00000', 'Franklin', 'OH'],
    ] as const)
      assert.equal(isElsewhere(zip, county, state), false, `${zip} ${county}`);
  });

  it("equal HUD's figures of every ZIP", function () {
    for (const [year, ...files] of [
      [2025, 'safmr_fy2025_all_zips.csv'],
      [2027, 'safmr_fy2027_carried_zips.csv', 'safmr_fy2027_core_other_zips.csv'],
    ] as const) {
      const shared = files.map(readSharedData);
      const table = carriedTables().find(({ header }) => header.table === 'safmr' && header.fiscal_year === year);
      if (shared.includes(undefined) || table === undefined) return this.skip();
      const published = new Map(
        shared.flatMap((text) => rowsOf(text ?? '')).map((row) => [row['zip'], figuresOf(row, (n) => `safmr_${n}br`)]),
      );
      assert.equal(table.header.rows, published.size);
      for (const { code, rents } of table.list()) assert.deepEqual([...rents], published.get(code), code);
    }
  });

  it("have one of HUD's rows of every county, the lowest where it has several", function () {
    const shared = readSharedData('hud_fmr_county_fy2026.csv');
    const table = carriedTables().find(({ header }) => header.table === 'fmr');
    if (shared === undefined || table === undefined) return this.skip();
    const published = new Map<string, number[][]>();
    for (const row of rowsOf(shared)) {
      const fips = row['county_town_name']?.includes(' part of ') ? '29055' : (row['fips'] ?? '').slice(0, 5);
      published.set(fips, [...(published.get(fips) ?? []), figuresOf(row, (n) => `fmr_${n}`)]);
    }
    const carried = new Map<string, RentRow>([...table.list()].map((row) => [row.code, row]));
    assert.deepEqual([...carried.keys()], [...published.keys()].sort());
    for (const [fips, rows] of published) {
      const { rents = [], areas = [] } = carried.get(fips) ?? {};
      assert.ok(
        rows.some((row) => row.join() === rents.join()),
        fips,
      );
      assert.ok(
        rows.every((row) => (row[2] ?? 0) >= (rents[2] ?? 0)),
        fips,
      );
      assert.equal(areas.length > 1, new Set(rows.map(String)).size > 1, fips);
    }
  });

  it('name counties that the project knows, so that each has its rent by name', () => {
    const table = carriedTables().find(({ header }) => header.table === 'fmr');
    assert.ok(table);
    for (const { code, rents } of table.list()) {
      const { name, state } = countyNames.find(({ countyFips }) => countyFips === code) ?? assert.fail(code);
      const label = countyLabel(code, state).replace(/, ..$/, '');
      for (const county of [
        label,
        label.toUpperCase(),
        label.normalize('NFD').replace(/[\u0300-\u036f.]/g, ''),
        code,
      ]) {
        const rent = rentAt({ county, state });
        assert.ok('value' in rent, `${county}, ${state}`);
        assert.equal(rent.value.rent2br, String(rents[2]), `${county}, ${state}`);
        assert.match(rent.value.basis, /^fmr_county/, name);
      }
    }
  });

  it("give 200 seeded places over all states and territories HUD's own rents", function () {
    const older = readSharedData('safmr_fy2025_all_zips.csv');
    const newer = ['safmr_fy2027_carried_zips.csv', 'safmr_fy2027_core_other_zips.csv'].map(readSharedData);
    const placed = readSharedData('zip_to_county_census2020.csv');
    const counties = readSharedData('hud_fmr_county_fy2026.csv');
    if (older === undefined || newer.includes(undefined) || placed === undefined || counties === undefined)
      return this.skip();
    const byZip = new Map(
      [older, ...newer].flatMap((text) => rowsOf(text ?? '')).map((row) => [row['zip'] ?? '', row['safmr_2br']]),
    );
    // The first county of each state; HUD has no figures by ZIP in two territories.
    const states = [...new Map(rowsOf(counties).map((row) => [row['stusps'], row])).values()];
    assert.equal(states.length, 56);
    const places = rowsOf(placed).filter(({ zcta5 = '' }) => byZip.has(zcta5));
    const draw = createDraw(1, 20_261_001);
    for (let index = 0; index < 200; index++) {
      const { stusps = '', fips = '', countyname: county = '', fmr_2: countyRent } = states[index % 56] ?? {};
      const state = valueOf(parseState(stusps)) ?? assert.fail(`a listing in ${stusps} is refused`);
      const zips = places.filter(({ county_fips: its = '' }) => its.startsWith(fips.slice(0, 2)));
      const zip = zips.length === 0 ? undefined : draw.pick(zips)['zcta5'];
      const rent = rentAt(zip === undefined ? { county, state } : { zip, state });
      const expected = zip === undefined ? countyRent : byZip.get(zip);
      assert.equal('value' in rent && rent.value.rent2br, expected, `${state} ${zip}`);
    }
  });

  it('have a rent for every ZIP with land outside Connecticut, and for none no_hud_rent', function () {
    const placed = readSharedData('zip_to_county_census2020.csv');
    if (placed === undefined) return this.skip();
    for (const { zcta5: zip = '', county_fips: fips = '' } of rowsOf(placed)) {
      const rent = rentAt({ zip, state: 'OH' });
      assert.ok('value' in rent || (fips.startsWith('09') && rent.absent === 'not_collected'), zip);
    }
  });

  for (const [place, expected] of [
    [{ city: 'Parma', state: 'OH', zip: '44129' }, /^safmr_zip FY2027/],
    [{ city: 'Boston', state: 'MA', zip: '02118' }, /^safmr_zip FY2025/],
    [{ city: 'Bristol', state: 'CT', zip: '06010' }, /^safmr_zip FY2025/],
    [{ city: 'Hartford', state: 'CT', zip: '06103' }, /^safmr_zip FY2025/],
    [{ city: 'New York', state: 'NY', zip: '10027' }, /^safmr_zip FY2025/],
    [{ city: 'New York', state: 'NY', county: 'New York' }, /^fmr_county FY2026/],
    [{ city: 'Covington', state: 'KY', zip: '41011' }, /^safmr_zip FY2025/],
    [{ city: 'Absarokee', state: 'MT', county: 'Stillwater County' }, /^fmr_county FY2026/],
  ] as const)
    it(`have a rent for ${place.city}, ${place.state}`, () => {
      const rent = rentAt(place);
      assert.ok('value' in rent);
      assert.match(`${rent.value.basis} FY${rent.value.fiscalYear} ${rent.value.rent2br}`, expected);
    });
});
