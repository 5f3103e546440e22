import assert from 'node:assert/strict';
import { known } from '../../../../src/absence.js';
import { readSource } from '../../read-source.js';
import { type Property, property, resoAt, startReso } from './mock-reso.js';

describe('the street address of a RESO listing', () => {
  const observe = async (rest: Property) => {
    const mockServer = await startReso([property('a', 1, rest)]);
    const { taken, refused } = await readSource(resoAt(mockServer.url)).finally(() => mockServer.close());
    return taken[0] ?? assert.fail(JSON.stringify(refused));
  };

  for (const [what, parts, whole, address] of [
    ['a suffix', {}, '100 Example Ave, Cleveland, OH 44105', '100 Example Ave'],
    ['a directional', { StreetSuffix: 'Avenue' }, '100 N Example Ave, Cleveland, OH 44105', '100 N Example Ave'],
    ['a suffix before the unit', { UnitNumber: '2' }, '100 Example Ave #2, Cleveland, OH', '100 Example Ave #2'],
    ['a suffix, without a comma', {}, '100 Example Ave Cleveland, OH 44105', '100 Example Ave'],
    ['a suffix, without any comma', {}, '100 Example Ave CLEVELAND OH 44105-1234', '100 Example Ave'],
    ['the last of its numbers', {}, '100-104 Example Ave, Cleveland', '100-104 Example Ave'],
    ['a suffix, and the unit apart', { UnitNumber: '2' }, '100 Example Ave, Unit 2, Cleveland', '100 Example Ave # 2'],
  ] as const)
    it(`uses the street of the whole address when its parts lack ${what}`, async () => {
      const listing = await observe({ StreetSuffix: null, ...parts, UnparsedAddress: whole });
      assert.deepEqual(listing.address, known(address));
    });

  for (const whole of [
    ...[
      '102 Example Ave, Cleveland',
      '100 Sample Ave, Cleveland',
      '100 Example St, Cleveland',
      '100 Example, Cleveland',
    ],
    ...[
      '100 Example Avenue Cleveland OH 44105',
      '100 Example Ave Apt 3, Cleveland',
      'Example Apartments, 100 Example Ave',
    ],
  ])
    it(`keeps the parts of a street when "${whole}" contradicts them, or adds nothing`, async () => {
      const listing = await observe({ StreetDirSuffix: 'N', UnitNumber: '2', UnparsedAddress: whole });
      assert.deepEqual(listing.address, known('100 Example Avenue N # 2'));
    });

  it('uses the street of the whole address when its parts are missing', async () => {
    const bare = { StreetNumber: null, StreetName: null };
    assert.deepEqual((await observe(bare)).address, known('100 Example Ave'));
    for (const [whole, address] of [
      ['115 Example Ave Cleveland, OH 44105', '115 Example Ave'],
      ['115 Cleveland Ave Cleveland OH', '115 Cleveland Ave'],
      ['115 Cleveland, Cleveland, OH', '115 Cleveland'],
      ['115 Cleveland', '115 Cleveland'],
    ] as const)
      assert.deepEqual((await observe({ ...bare, UnparsedAddress: whole })).address, known(address), whole);
  });
});
