import assert from 'node:assert/strict';
import { carriedRates } from '../../src/underwriting/mortgage-rates.js';
import { judgeUnderwriting } from '../../src/underwriting/underwriting-health.js';

const made = new Date('2026-11-16T05:30:00.000Z');
const after = (hours: number, ms = 0) => new Date(made.getTime() + hours * 3_600_000 + ms);

const rates = { ...carriedRates, asOf: '2026-11-16' };

function tell(oldestAt: Date | undefined, at: Date) {
  const { status, oldestAt: told } = judgeUnderwriting(oldestAt, rates, at);
  return { status, oldestAt: told };
}

describe('the health of the underwriting', () => {
  it('is fresh for two days plus the two hours of a run, and late afterwards', () => {
    assert.deepEqual(tell(made, after(50)), { status: 'fresh', oldestAt: made });
    assert.deepEqual(tell(made, after(50, 1)), { status: 'late', oldestAt: made });
  });

  it('is fresh when nothing is offered', () => {
    assert.deepEqual(tell(undefined, made), { status: 'fresh', oldestAt: undefined });
  });

  it('tells rates of more than 45 days as late, and of more than 180 days as stale', () => {
    const ages = [0, 45, 46, 180, 181].map(
      (days) => judgeUnderwriting(undefined, rates, new Date(Date.parse(rates.asOf) + days * 86_400_000)).rateAge,
    );
    assert.deepEqual(ages, ['current', 'current', 'late', 'late', 'stale']);
  });
});
