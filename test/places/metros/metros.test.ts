import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { coreZips } from '../../../src/places/metros/core-zips.js';
import { findCountyOfZip } from '../../../src/places/metros/find-county-of-zip.js';
import { findMetroByCounty } from '../../../src/places/metros/find-metro-by-county.js';
import { metros } from '../../../src/places/metros/metros.js';
import { readSharedData } from '../../underwriting/read-shared-data.js';

describe('metros', () => {
  it('are 29, each with a core county and a HUD area of its own', () => {
    assert.equal(metros.length, 29);
    assert.equal(new Set(metros.map(({ countyFips }) => countyFips)).size, 29);
    assert.equal(new Set(metros.map(({ hudAreaCode }) => hudAreaCode)).size, 29);
    for (const metro of metros) {
      assert.match(metro.countyFips, /^\d{5}$/);
      assert.match(metro.state, /^[A-Z]{2}$/);
    }
  });

  it('equal the figures of their source', function () {
    const shared = readSharedData('fmr_metros.csv');
    if (shared === undefined) return this.skip();
    const rows: Record<string, string>[] = parse(shared, { columns: true });
    const copied = metros.map((metro) => Object.values(metro));
    const names = ['metro', 'state', 'core_county', 'county_fips', 'hud_area_code_fy2026', 'hud_area_name_fy2026'];
    assert.deepEqual(
      copied,
      rows.map((row) => names.map((name) => row[name]?.replace(/ +/g, ' '))),
    );
  });
});

describe('findMetroByCounty', () => {
  it('finds a metro by its core county, with a leading zero too, and none elsewhere', () => {
    assert.equal(findMetroByCounty('39035')?.name, 'Cleveland');
    assert.equal(findMetroByCounty('01073')?.name, 'Birmingham');
    assert.equal(findMetroByCounty('39085'), undefined);
    assert.equal(findMetroByCounty('constructor'), undefined);
  });
});

describe('findCountyOfZip', () => {
  it('finds the county of an included ZIP and of no other', () => {
    assert.equal(findCountyOfZip('44105'), '39035');
    assert.equal(findCountyOfZip('46218'), '18097');
    assert.equal(findCountyOfZip('90210'), undefined);
  });

  it('includes at least six ZIPs of each metro, each in one county only', () => {
    assert.deepEqual(Object.keys(coreZips).sort(), metros.map(({ countyFips }) => countyFips).sort());
    const zips = Object.values(coreZips).flat();
    for (const [county, own] of Object.entries(coreZips)) assert.ok(own.length >= 6, county);
    assert.equal(new Set(zips).size, zips.length);
  });

  it('agrees with its Census table', function () {
    const shared = readSharedData('zip_to_county_census2020.csv');
    if (shared === undefined) return this.skip();
    const rows: Record<string, string>[] = parse(shared, { columns: true });
    const counties = new Map(rows.map(({ zcta5, county_fips }) => [zcta5, county_fips]));
    for (const zip of Object.values(coreZips).flat()) assert.equal(findCountyOfZip(zip), counties.get(zip), zip);
  });
});
