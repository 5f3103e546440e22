import assert from 'node:assert/strict';
import { carriedRates, createRatesAt, rateFor, readRates } from '../../src/underwriting/mortgage-rates.js';

const json = (changes: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    as_of: '2026-11-01',
    source: 'quotes of three banks',
    one_to_four_units_pct: '7.125',
    five_plus_units_pct: '6.75',
    ...changes,
  });
const stated = {
  asOf: '2026-11-01',
  source: 'quotes of three banks',
  oneToFourUnitsPct: '7.125',
  fivePlusUnitsPct: '6.75',
};

describe('interest rates', () => {
  it('are read from the JSON of the setting', () => {
    assert.deepEqual(readRates(json()), stated);
  });

  it('are refused unless every value is there and a rate is from 1 to 20 percent', () => {
    const changes: readonly Readonly<Record<string, unknown>>[] = [
      { as_of: '2026-02-30' },
      { as_of: 'today' },
      { source: ' ' },
      { source: undefined },
      { one_to_four_units_pct: '0.99' },
      { one_to_four_units_pct: 7 },
      { five_plus_units_pct: '20.01' },
      { five_plus_units_pct: undefined },
      { five_units_pct: '7' },
    ];
    for (const change of changes) assert.equal(readRates(json(change)), undefined, JSON.stringify(change));
    for (const text of ['', 'null', '[]', '"7"', '{']) assert.equal(readRates(text), undefined, text);
  });

  it('are those of residential loans up to four units, and the higher one where the units are not known', () => {
    assert.deepEqual(
      [1, 4, 5, 60, undefined].map((units) => rateFor(stated, units)),
      ['7.125', '7.125', '6.75', '6.75', '7.125'],
    );
    assert.equal(rateFor({ ...stated, fivePlusUnitsPct: '10.5' }, undefined), '10.5');
  });

  it('are the stated ones, else the carried ones, which the demonstration declares as of the first of the month', () => {
    const at = new Date('2027-02-17T00:00:00.000Z');
    assert.equal(createRatesAt(stated, true)(at), stated);
    assert.equal(createRatesAt(undefined, false)(at), carriedRates);
    assert.deepEqual(createRatesAt(undefined, true)(at), { ...carriedRates, asOf: '2027-02-01' });
  });
});
