import assert from 'node:assert/strict';
import { known } from '../../src/absence.js';
import { createUnderwrite } from '../../src/underwriting/underwrite.js';
import { buildInputs, buildRent, plainSet } from './build-listing.js';

/** Six units at a rent of $1,000. */
const six = buildInputs({
  listPrice: known('420000'),
  units: known(6),
  capRate: known('9.2'),
  rent: buildRent('1000'),
});

describe('createUnderwrite uses figures as published', () => {
  // Without a minimum loan, figures are small enough to show a cent.
  const small = createUnderwrite({ ...plainSet, minLoan: '0' });
  const bare = buildInputs({ listPrice: known('1') });

  it('for the asking price: 1.004 is 1.00, and 0.004 is none', () => {
    assert.deepEqual(small({ ...six, listPrice: known('1.004') }), small({ ...six, listPrice: known('1.00') }));
    assert.equal(small({ ...six, listPrice: known('0.004') }).dscrStatus, 'insufficient_data');
  });

  it('for the NOI: 0.0955 of the advertised cap, or 0.095 as stated, is 0.10', () => {
    // A loan of 0.75 at the mortgage constant costs 0.0598772 a year: 0.10 covers it 1.67 times, 0.0955 1.59 times.
    const derived = small({ ...bare, capRate: known('9.55') });
    assert.deepEqual([derived.noi, derived.dscr, derived.debtYieldPct], [known('0.10'), known('1.67'), known('13.33')]);
    const stated = small({ ...bare, noi: known('0.095') });
    assert.deepEqual([stated.noi, stated.dscr], [known('0.10'), known('1.67')]);
  });

  it('for the underwritten NOI and cap: 36,864.828 is 36,864.83, and a cap of 8.525% is 8.53%', () => {
    const odd = small({ ...six, rent: buildRent('1001'), listPrice: known('1') });
    assert.deepEqual(odd.capRateUnderwritten, known('3686483.00'));
    const half = createUnderwrite(plainSet)({ ...six, listPrice: known('432000'), capRate: known('9.00') });
    assert.deepEqual([half.capRateUnderwritten, half.capGapPct], [known('8.53'), known('0.47')]);
  });
});
