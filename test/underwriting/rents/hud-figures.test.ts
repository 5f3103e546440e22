import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { coreZips } from '../../../src/places/metros/core-zips.js';
import { metros } from '../../../src/places/metros/metros.js';
import type { AreaRents } from '../../../src/underwriting/rents/area-rents.js';
import { hudFigures } from '../../../src/underwriting/rents/hud-figures.js';
import { readSharedData } from '../read-shared-data.js';

const { rents, zipCounties } = hudFigures;

function select(kind: AreaRents['areaKind'], year: number): AreaRents[] {
  return rents.filter(({ areaKind, fiscalYear }) => areaKind === kind && fiscalYear === year);
}

describe('hudFigures', () => {
  it('cover the 29 core counties in both years and every included ZIP', () => {
    const counties = metros.map(({ countyFips }) => countyFips).sort();
    for (const year of [2025, 2026]) {
      assert.deepEqual(
        select('county', year)
          .map(({ areaCode }) => areaCode)
          .sort(),
        counties,
      );
    }
    const zips = coreZips.map(({ zip }) => zip).sort();
    const withRent = select('zip', 2025).map(({ areaCode }) => areaCode);
    assert.deepEqual(withRent.sort(), zips);
    assert.deepEqual(zipCounties.map(({ zip }) => zip).sort(), zips);
  });

  it('state each area once a year, in whole dollars that rise with the bedrooms', () => {
    const keys = rents.map(({ areaKind, areaCode, fiscalYear }) => `${areaKind} ${areaCode} ${fiscalYear}`);
    assert.equal(new Set(keys).size, keys.length);
    for (const { areaCode, rents: byBedrooms } of rents) {
      assert.ok(byBedrooms.every(Number.isInteger), areaCode);
      assert.deepEqual(
        [...byBedrooms].sort((a, b) => a - b),
        [...byBedrooms],
        areaCode,
      );
    }
  });

  it("equal HUD's county figures", function () {
    for (const [year, file] of [
      [2025, 'hud_fmr_county_fy2025_revised.csv'],
      [2026, 'hud_fmr_county_fy2026.csv'],
    ] as const) {
      const shared = readSharedData(file);
      if (shared === undefined) return this.skip();
      const rows: Record<string, string>[] = parse(shared, { columns: true });
      const published = new Map(
        rows.map((row) => [row.fips?.slice(0, 5), [0, 1, 2, 3, 4].map((n) => row[`fmr_${n}`])]),
      );
      for (const { areaCode, rents: carried } of select('county', year)) {
        assert.deepEqual(carried.map(String), published.get(areaCode), areaCode);
      }
    }
  });

  it("equal HUD's ZIP figures and span each county from its cheapest to its most expensive", function () {
    const shared = readSharedData('safmr_fy2025_core_counties.csv');
    if (shared === undefined) return this.skip();
    const rows: Record<string, string>[] = parse(shared, { columns: true });
    const rentsOf = (row: Record<string, string>): number[] => [0, 1, 2, 3, 4].map((n) => Number(row[`safmr_${n}br`]));
    const published = new Map(rows.map((row) => [row.zip, rentsOf(row)]));
    const carried = new Map(select('zip', 2025).map(({ areaCode, rents: own }) => [areaCode, own]));
    for (const [zip, own] of carried) assert.deepEqual([...own], published.get(zip), zip);

    for (const { countyFips: county } of metros) {
      const all = rows.filter((row) => row.county_fips === county).map((row) => Number(row.safmr_2br));
      const zips = coreZips.filter(({ countyFips }) => countyFips === county);
      const own = zips.map(({ zip }) => carried.get(zip)?.[2] ?? 0);
      assert.deepEqual([Math.min(...own), Math.max(...own)], [Math.min(...all), Math.max(...all)], county);
    }
  });
});
