import assert from 'node:assert/strict';
import { judgeUnderwriting } from '../../src/underwriting/underwriting-health.js';

const made = new Date('2026-11-16T05:30:00.000Z');
const after = (hours: number, ms = 0) => new Date(made.getTime() + hours * 3_600_000 + ms);

describe('the health of the underwriting', () => {
  it('is fresh for two days plus the two hours of a run, and late afterwards', () => {
    assert.deepEqual(judgeUnderwriting(made, after(50)), { status: 'fresh', oldestAt: made });
    assert.deepEqual(judgeUnderwriting(made, after(50, 1)), { status: 'late', oldestAt: made });
  });

  it('is fresh when nothing is offered', () => {
    assert.deepEqual(judgeUnderwriting(undefined, made), { status: 'fresh', oldestAt: undefined });
  });
});
