import assert from 'node:assert/strict';
import { findClockFault } from '../../../src/payments/settlement/heartbeat.js';

describe('the fault of a clock', () => {
  it('is not read from a database that was slow to answer', () => {
    const at = (seconds: number) => new Date(1_750_000_000_000 + seconds * 1000);
    assert.equal(findClockFault(at(0), at(0), at(20)), undefined);
    assert.equal(findClockFault(at(20), at(0), at(20)), undefined);
    assert.equal(findClockFault(at(-4), at(0), at(20)), undefined);
    assert.match(findClockFault(at(-5), at(0), at(20))?.sentence ?? '', /5 seconds ahead of/);
    assert.match(findClockFault(at(50), at(0), at(20))?.sentence ?? '', /30 seconds behind/);
  });
});
