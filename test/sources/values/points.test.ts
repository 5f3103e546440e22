import assert from 'node:assert/strict';
import { listingMapping, toListingColumns } from '../../../src/sources/formats/reso/listing-columns.js';
import { parseListingRow } from '../../../src/sources/formats/parse-listing-row.js';
import { parsePoint } from '../../../src/sources/values/places.js';

describe('a point of the map', () => {
  const place = { latitude: 41.65, longitude: -83.54 };

  it('is read from two columns, and from a point of GeoJSON, Socrata or ArcGIS', () => {
    assert.deepEqual(parsePoint(undefined, ['41.65', ' -83.54 ']), place);
    for (const location of [
      { type: 'Point', coordinates: [-83.54, 41.65] },
      { latitude: '41.65', longitude: '-83.54', human_address: '{}' },
      { x: -83.54, y: 41.65 },
    ])
      assert.deepEqual(parsePoint(location, [undefined, undefined]), place);
  });

  it('is where a listing of the Data Dictionary lies', () => {
    const property = { ListingKey: 'k', City: 'Toledo', StateOrProvince: 'OH', Latitude: 41.65, Longitude: -83.54 };
    const using = { marketplace: 'm', mapping: listingMapping, values: undefined };
    const read = parseListingRow(toListingColumns(property), 'k', using, 2026);
    assert.deepEqual('location' in read && read.location, place);
  });

  it('is none where it is not two numbers on the globe', () => {
    for (const [north, east] of [
      [undefined, undefined],
      ['', ''],
      ['41.65', null],
      ['41,65', '-83.54'],
      ['91', '0'],
      ['0', '181'],
      [NaN, 0],
    ])
      assert.equal(parsePoint(undefined, [north, east]), undefined, `${north} ${east}`);
    for (const location of [{}, [], { coordinates: [[1, 2]] }, { rings: [] }])
      assert.equal(parsePoint(location, [undefined, undefined]), undefined, JSON.stringify(location));
  });
});
