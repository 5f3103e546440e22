import assert from 'node:assert/strict';
import { findStatePolicy, suppressedSignalStates } from '../../src/policy/state-policies.js';

describe('findStatePolicy', () => {
  it('suppresses the signals of Kansas and the defendants of its auctions, by state or by county', () => {
    for (const place of [
      { state: 'KS', countyFips: '20091' },
      { state: 'MO', countyFips: '20091' },
      { state: 'KS', countyFips: '29095' },
    ]) {
      const policy = findStatePolicy(place);
      assert.deepEqual([policy?.suppressesSignals, policy?.suppressesDefendants], [true, true]);
      assert.match(policy?.basis ?? '', /K\.S\.A\. 45-230/);
    }
    assert.deepEqual(suppressedSignalStates, ['20']);
  });

  it('has no policy for other states', () => {
    assert.equal(findStatePolicy({ state: 'OH', countyFips: '39035' }), undefined);
    assert.equal(findStatePolicy({ state: 'MO', countyFips: '29095' }), undefined);
  });
});
