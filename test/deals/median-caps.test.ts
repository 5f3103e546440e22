import assert from 'node:assert/strict';
import { absent, known, type Maybe } from '../../src/absence.js';
import { createMedianCaps } from '../../src/deals/median-caps.js';

function medianOf(...caps: string[]): Maybe<string> {
  return createMedianCaps(new Map([['39035', caps]]))('39035');
}

describe('createMedianCaps', () => {
  it('returns the middle one by number, not by text', () => {
    assert.deepEqual(medianOf('7.40'), known('7.40'));
    assert.deepEqual(medianOf('9', '10', '8.5'), known('9.00'));
    assert.deepEqual(medianOf('100', '9', '6', '7', '8'), known('8.00'));
  });

  it('returns the mean of the two middle ones, rounded half up to two digits', () => {
    assert.deepEqual(medianOf('9', '10', '7', '8'), known('8.50'));
    assert.deepEqual(medianOf('7.00', '7.01'), known('7.01'));
    assert.deepEqual(medianOf('7.00', '7.03'), known('7.02'));
  });

  it('uses cap rates as published: 7.004 and 7.005 are 7.00 and 7.01', () => {
    assert.deepEqual(medianOf('7.004', '7.005'), known('7.01'));
    assert.deepEqual(medianOf('7.000', '7.009'), known('7.01'));
    assert.deepEqual(medianOf('7.004', '7.004'), known('7.00'));
  });

  it('is separate for each county, and absent when no listing of it has a cap rate', () => {
    const median = createMedianCaps(
      new Map([
        ['39035', ['7']],
        ['18097', ['9']],
        ['17031', []],
      ]),
    );
    assert.deepEqual([median('39035'), median('18097')], [known('7.00'), known('9.00')]);
    assert.deepEqual(median('17031'), absent('insufficient_inputs'));
    assert.deepEqual(median('99999'), absent('insufficient_inputs'));
  });
});
