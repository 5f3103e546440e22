import assert from 'node:assert/strict';
import { createHostBudget } from '../../../src/sources/upstream/host-budget.js';

describe('the request rate of a host', () => {
  const startMs = Date.parse('2026-11-25T12:00:00Z');
  const hourMs = 3_600_000;
  let nowMs = startMs;
  let waits: number[] = [];
  const open = () =>
    createHostBudget(
      () => new Date(nowMs),
      async (ms) => {
        waits.push(ms);
        nowMs += ms;
      },
    );
  beforeEach(() => {
    nowMs = startMs;
    waits = [];
  });

  it('is three at once, and then as its budget refills', async () => {
    const budget = open();
    for (let asked = 0; asked < 5; asked++) await budget.take('h', 60, 0);
    assert.deepEqual(waits, [1_000, 1_000]);
  });

  it('never rises when a clock is put back, and never waits for the clock to catch up', async () => {
    const budget = open();
    for (let asked = 0; asked < 4; asked++) await budget.take('h', 60, 0);
    nowMs -= hourMs;
    for (let asked = 0; asked < 2; asked++) await budget.take('h', 60, 0);
    // The clock hides the time that had passed when it was put back.
    assert.deepEqual(waits, [1_000, 2_000, 1_000]);
  });

  it('is zero for as long as the host asked, whatever the clock does', () => {
    const budget = open();
    budget.blockUntil('h', new Date(nowMs + 60_000));
    nowMs -= hourMs;
    assert.equal(budget.blockedMs('h'), 60_000);
    nowMs += 60_000;
    assert.equal(budget.blockedMs('h'), 0);
  });

  it('is separate for each host', async () => {
    const budget = open();
    for (let asked = 0; asked < 3; asked++) await budget.take('one', 60, 0);
    await budget.take('other', 60, 0);
    assert.deepEqual(waits, []);
  });
});
