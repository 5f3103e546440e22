import assert from 'node:assert/strict';
import { coversSchema } from '../../src/sources/stated-coverage.js';

describe('what a source of listings covers', () => {
  it('is each county of a state, a county by its code, or the core county of a metro, each once', () => {
    assert.equal(coversSchema.parse(['OH', '39035']).length, 88);
    assert.deepEqual(coversSchema.parse(['kansas-city', '18097']), ['18097', '29095']);
  });

  it('is refused where it is no place, or none is named', () => {
    for (const stated of [['Ohio'], ['00000'], ['atlantis'], ['oh'], [], ['OH', '']])
      assert.equal(coversSchema.safeParse(stated).success, false, stated.join());
  });
});
