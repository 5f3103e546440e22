import assert from 'node:assert/strict';
import { faultOf, parsed } from './parsed.js';

describe('the city of an address', () => {
  it('is not a county', () => {
    const whole = parsed('123 Main St, Cleveland, OH 44105');
    assert.deepEqual(parsed('123 Main St, Cleveland, Cuyahoga County, OH 44105'), whole);
    assert.equal(parsed('123 Main St, Cleveland, Cuyahoga County, OH').keyWithoutZip, whole.keyWithoutZip);
    for (const address of [
      '123 Main St, Cuyahoga County, OH 44105',
      { street: '123 Main St', city: 'Cuyahoga County', state: 'OH', zip: '44105' },
    ]) {
      const inCounty = parsed(address);
      assert.deepEqual([inCounty.key, inCounty.city], [whole.key, '']);
    }
    assert.equal(faultOf('123 Main St, Cuyahoga County, OH'), 'no_city');
    assert.equal(faultOf('123 Main St Smallville Cuyahoga County OH 44105'), 'no_city');
    assert.equal(parsed('123 County Rd, Parish, NY').city, 'PARISH');
  });

  it('is not a unit', () => {
    for (const city of ['Up', 'Upstairs', 'Rear', 'Unit A']) {
      const parts = { street: '100 Elm St', city, state: 'OH' };
      assert.deepEqual([faultOf(parts), parsed({ ...parts, zip: '44105' }).city], ['no_city', ''], city);
    }
    assert.equal(faultOf('100 Parish S, - Suite IV, NY 11355'), 'no_city');
  });

  it('is not a title of a name', () => {
    for (const city of ['II', 'Jr.', 'III', 'Sr Akron']) {
      const parts = { street: '100 Elm', city, state: 'OH' };
      assert.deepEqual([faultOf(parts), parsed({ ...parts, zip: '44105' }).city], ['no_city', ''], city);
    }
  });
});
