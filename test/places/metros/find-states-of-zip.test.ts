import assert from 'node:assert/strict';
import { stateCodes } from '../../../src/places/addresses/tables/state-codes.js';
import { coreZips } from '../../../src/places/metros/core-zips.js';
import { findMetroByCounty } from '../../../src/places/metros/find-metro-by-county.js';
import { findStatesOfZip } from '../../../src/places/metros/find-states-of-zip.js';
import { zipPrefixes } from '../../../src/places/metros/zip-prefixes.js';
import { readSharedData } from '../../underwriting/read-shared-data.js';

describe('findStatesOfZip', () => {
  it('returns the state of the first three digits, both across a border, and none when unassigned', () => {
    assert.deepEqual(findStatesOfZip('44105'), ['OH']);
    assert.deepEqual(findStatesOfZip('00601'), ['PR']);
    assert.deepEqual(findStatesOfZip('06390'), ['CT', 'NY']);
    assert.deepEqual(findStatesOfZip('00001'), []);
    assert.deepEqual(findStatesOfZip(''), []);
  });

  it('covers every state and territory, and the ends of its ranges', () => {
    assert.deepEqual(Object.keys(zipPrefixes).sort(), [...new Set(stateCodes.values())].sort());
    assert.deepEqual(['34999', '35000', '35299', '35300', '36999', '37000'].map(findStatesOfZip), [
      ['FL'],
      ['AL'],
      ['AL'],
      [],
      ['AL'],
      ['TN'],
    ]);
  });

  it('returns the right state for each ZIP of a covered county', () => {
    for (const [countyFips, zips] of Object.entries(coreZips))
      for (const zip of zips) assert.deepEqual(findStatesOfZip(zip), [findMetroByCounty(countyFips)?.state], zip);
  });

  it('returns the state of each census ZIP', function () {
    const shared = readSharedData('zip_to_county_census2020.csv');
    if (shared === undefined) return this.skip();
    const rows = shared.split(/\r?\n/).filter((row) => /^\d{5},/.test(row));
    const stateOfCounty = new Map<string, string>();
    for (const [zip, fips = ''] of rows.map((row) => row.split(','))) {
      const states = findStatesOfZip(zip ?? '');
      const [state] = states;
      if (state !== undefined && states.length === 1) stateOfCounty.set(fips.slice(0, 2), state);
    }
    for (const [zip = '', fips = ''] of rows.map((row) => row.split(','))) {
      const state = stateOfCounty.get(fips.slice(0, 2));
      if (state !== undefined) assert.ok(findStatesOfZip(zip).includes(state), zip);
    }
    assert.ok(stateOfCounty.size >= 52);
  });
});
