import assert from 'node:assert/strict';
import { stateCodes } from '../../../src/places/addresses/tables/cities.js';
import { findStatesOfZip } from '../../../src/places/metros/states.js';
import { readSharedData } from '../../underwriting/read-shared-data.js';

describe('findStatesOfZip', () => {
  it('tells the state by the first three digits, both where they cross a border, and none where they are of no state', () => {
    assert.deepEqual(findStatesOfZip('44105'), ['OH']);
    assert.deepEqual(findStatesOfZip('00601'), ['PR']);
    assert.deepEqual(findStatesOfZip('06390'), ['CT', 'NY']);
    assert.deepEqual(findStatesOfZip('00001'), []);
    assert.deepEqual(findStatesOfZip(''), []);
  });

  it('knows every state and territory, and the ends of its ranges', () => {
    const prefixes = Array.from({ length: 1000 }, (_, index) => String(index).padStart(3, '0'));
    assert.deepEqual([...new Set(prefixes.flatMap(findStatesOfZip))].sort(), [...new Set(stateCodes.values())].sort());
    assert.deepEqual(['34999', '35000', '35299', '35300', '36999', '37000'].map(findStatesOfZip), [
      ['FL'],
      ['AL'],
      ['AL'],
      [],
      ['AL'],
      ['TN'],
    ]);
  });

  it('has the state of each ZIP of the census', function () {
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
