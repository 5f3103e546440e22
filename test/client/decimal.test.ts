import assert from 'node:assert/strict';
import { absence, compareDecimals, decimal, sumDecimals } from '../../src/client/decimal.js';

describe('decimal strings of records', () => {
  it('are calculated exactly', () => {
    assert.equal(sumDecimals(['0.1', '0.2', null]).toString(), '0.3');
    assert.equal(decimal('212500.00')?.div(4).toString(), '53125');
  });

  it('are sorted by value, with absent ones last', () => {
    const sorted = ['10.5', null, '9.25', '-1.80', '9.3'].sort(compareDecimals);
    assert.deepEqual(sorted, ['-1.80', '9.25', '9.3', '10.5', null]);
  });

  it('are rejected when malformed', () => {
    assert.equal(decimal(null), undefined);
    for (const text of ['', '1e3', '0x10', 'NaN', '1,5', ' 1']) assert.throws(() => decimal(text), RangeError, text);
  });
});

describe('absence in a record', () => {
  it('returns the reason of an absent field, and undefined for a present one', () => {
    const record = {
      dscr: null,
      noi: '1.00',
      absent: { dscr: { reason: 'no_hud_rent' } } as { dscr?: { reason: string }; noi?: never },
    };
    assert.deepEqual([absence(record, 'dscr')?.reason, absence(record, 'noi')], ['no_hud_rent', undefined]);
  });
});
