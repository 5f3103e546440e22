import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { findMetroByCounty, metros } from '../../../src/places/metros/metros.js';
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

  it('equal the figures they were copied from', function () {
    const shared = readSharedData('fmr_metros.csv');
    if (shared === undefined) return this.skip();
    const rows: Record<string, string>[] = parse(shared, { columns: true });
    const copied = metros.map((metro) => Object.values(metro));
    const names = ['metro', 'state', 'core_county', 'county_fips', 'hud_area_code_fy2026'];
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
