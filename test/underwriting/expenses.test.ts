import assert from 'node:assert/strict';
import { absent, known, valueOf } from '../../src/absence.js';
import { assumptionSet } from '../../src/underwriting/assumption-set.js';
import { createUnderwrite } from '../../src/underwriting/underwrite.js';
import { underwritingInputs, type UnderwritingInputs } from '../../src/underwriting/underwriting-inputs.js';
import { buildListing, dated, buildInputs, buildRent } from './build-listing.js';

/** Six units in ZIP 44105 at its FY2025 SAFMR of $1,000. */
const cleveland = buildInputs({
  listPrice: known('420000'),
  units: known(6),
  capRate: known('9.2'),
  rent: buildRent('1000'),
});

describe('operating expenses', () => {
  const declared = createUnderwrite(assumptionSet);
  const lines = (inputs: Partial<UnderwritingInputs>) =>
    valueOf(declared({ ...cleveland, ...inputs }).expenses) ?? assert.fail();
  const items = (...stated: readonly (readonly [string, string])[]) => ({
    expenseItems: known(stated.map(([name, amount]) => ({ name, amount }))),
  });

  it('only rise by what the listing states, line by line', () => {
    assert.deepEqual(lines(items(['taxes', '9000'], ['insurance', '4199.99'])), {
      ...lines({}),
      taxes: { amount: '9000.00', basis: 'stated' },
    });
    assert.deepEqual(lines({ ...items(['taxes', '9000']), taxes: known('9500') }).taxes.amount, '9500.00');
    assert.deepEqual(lines({ ...items(['taxes', '9000']), taxes: known('100') }).taxes.amount, '9000.00');
  });

  it('put each label on its line, and sum a line', () => {
    const stated = lines(
      items(['Water & sewer', '4000'], ['TRASH', '3000'], ['Payroll tax', '9999'], ['Snow', '5000'], ['Capex', '8000']),
    );
    assert.deepEqual(
      [stated.utilities, stated.repairs, stated.other, stated.reserves].map(({ amount }) => amount),
      ['7000.00', '9999.00', '5000.00', '8000.00'],
    );
  });

  it('count a stated total above the sum of the lines only', () => {
    const above = declared({ ...cleveland, operatingExpenses: known('32985.95') });
    assert.deepEqual(above.operatingExpensesBasis, known('stated_total'));
    assert.deepEqual([above.operatingExpenses, above.noiUnderwritten], [known('32985.95'), known('25269.25')]);
    assert.deepEqual(declared({ ...cleveland, operatingExpenses: known('32985.94') }), declared(cleveland));
  });

  it('depend on state and year built, and an unknown place or year on the careful side', () => {
    const amounts = (inputs: Partial<UnderwritingInputs>) => {
      const { taxes, insurance, repairs } = lines(inputs);
      return [taxes.amount, insurance.amount, repairs.amount];
    };
    assert.deepEqual(amounts({ state: 'FL', yearBuilt: known(2000) }), ['3204.04', '6000.00', '5400.00']);
    assert.deepEqual(amounts({ state: 'NJ', yearBuilt: known(1999) }), ['8155.73', '4200.00', '7200.00']);
    assert.deepEqual(amounts({ state: 'PR', yearBuilt: known(1959) }), ['5825.52', '4200.00', '9000.00']);
  });

  it('have the utilities of all units where the owner pays them, whose rent is then gross', () => {
    const owner = declared({ ...cleveland, ownerPaysUtilities: true });
    assert.deepEqual(owner.grossPotentialRent, known('72000.00'));
    assert.equal(valueOf(owner.expenses)?.utilities.amount, '14760.00');
  });

  it('are those of an owner only where the source says so', () => {
    const payers = [known('owner' as const), known('tenant' as const), absent('not_stated_by_source')];
    const utilities = payers.map((utilitiesPaidBy) => {
      const listing = buildListing({ units: known(6), utilitiesPaidBy });
      return lines(underwritingInputs(listing, dated(buildRent('1000')))).utilities.amount;
    });
    assert.deepEqual(utilities, ['14760.00', '5400.00', '5400.00']);
  });
});
