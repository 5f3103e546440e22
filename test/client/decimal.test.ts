import assert from 'node:assert/strict';
import { absence } from '../../src/client/absence.js';
import { compareDecimals, decimal, sumDecimals } from '../../src/client/decimal.js';

describe('decimal strings of records', () => {
  it('are calculated with exactly', () => {
    assert.equal(sumDecimals(['0.1', '0.2', null]).toString(), '0.3');
    assert.equal(decimal('212500.00')?.div(4).toString(), '53125');
  });

  it('are sorted by their numbers, those that are absent last', () => {
    const sorted = ['10.5', null, '9.25', '-1.80', '9.3'].sort(compareDecimals);
    assert.deepEqual(sorted, ['-1.80', '9.25', '9.3', '10.5', null]);
  });

  it('are not guessed at', () => {
    assert.equal(decimal(null), undefined);
    for (const text of ['', '1e3', '0x10', 'NaN', '1,5', ' 1']) assert.throws(() => decimal(text), RangeError, text);
  });
});

describe('what is absent from a record', () => {
  it('has its reason, and what is there has none', () => {
    const record = {
      dscr: null,
      noi: '1.00',
      absent: { dscr: { reason: 'no_hud_rent' } } as { dscr?: { reason: string }; noi?: never },
    };
    assert.deepEqual([absence(record, 'dscr')?.reason, absence(record, 'noi')], ['no_hud_rent', undefined]);
  });
});
