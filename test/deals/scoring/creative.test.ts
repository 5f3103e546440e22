import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { Listing } from '../../../src/listings/listing.js';
import type { Rationale } from '../../../src/deals/scoring/rationale.js';
import { creativeRules } from '../../../src/deals/scoring/rule-sets.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import { buildScoreInputs } from './build-score-inputs.js';

function creative(listing: Partial<Listing>): Rationale {
  return scoreListing(buildScoreInputs(listing)).rationales.creative;
}

/**
 * The carried loan is 90% of the price at K(6%, 30) = 0.0719460630. With the underwritten NOI of 36,828.00 the price at
 * which coverage is 1.15 is 494,577; at 1.10, 517,057; published with two digits, half up.
 */
const carry: Partial<Listing> = { terms: ['owner_may_carry'] };
const noClaim = { capRate: absent('not_stated_by_source') };

describe('assessCreative', () => {
  it('has the constants of its declared rate and term, to ten digits', () => {
    const t = creativeRules.thresholds;
    assert.deepEqual([t.carry_rate_pct, t.carry_years, t.carry_loan_constant], ['6.00', '30', '0.0719460630']);
    assert.deepEqual([t.carry_balloon_share_year_5, t.carry_balloon_share_year_7], ['0.9305435682', '0.8963938589']);
  });

  it('covers the carried loan with the income that value stands on, the lower of claim and HUD', () => {
    const { inputs } = creative(carry);
    assert.equal(inputs.noi_for_value?.value, '36828.00');
    assert.equal(inputs.carry_loan?.value, '378000.00');
    assert.equal(inputs.carry_dscr?.value, '1.35');
    assert.equal(inputs.carry_balloon_year_5?.value, '351745.47');
    assert.equal(inputs.carry_balloon_year_7?.value, '338836.88');
  });

  it('covers it with a lower claim, and with 90% of one that HUD rents cannot check, which is Warm at best', () => {
    // 33,600.00 and 27,195.61 a year: 1.2355.
    assert.equal(creative({ ...carry, capRate: known('8.0') }).inputs.carry_dscr?.value, '1.24');
    const { inputs, status, reasons, summary } = creative({ ...carry, listPrice: known('1100000') });
    assert.deepEqual([inputs.noi_for_value?.value, inputs.carry_dscr?.value], ['91080.00', '1.28']);
    assert.deepEqual([status, reasons], ['Warm', ['unchecked']]);
    assert.match(summary, /cannot check the claim/);
  });

  it('carries nothing without a positive price, and covers nothing without a positive NOI', () => {
    const free = creative({ ...carry, listPrice: known('0') });
    const loss = creative({ ...carry, noi: known('-5') });
    for (const { status, reasons, missing } of [free, loss]) {
      assert.deepEqual([status, reasons[0]], ['Pass', 'inputs_missing']);
      assert.ok(missing.includes('carry_dscr'));
    }
  });

  it('uses equity as published: 49.995% is half the price, and 49.994% is not', () => {
    const owed = (loanBalance: string) =>
      creative({ ...noClaim, listPrice: known('200000'), loanBalance: known(loanBalance) });
    const half = owed('100010');
    assert.deepEqual([half.inputs.equity_pct?.value, half.status], ['50.00', 'Warm']);
    assert.deepEqual(half.reasons, ['coverage_and_equity']);
    assert.deepEqual([owed('100012').inputs.equity_pct?.value, owed('100012').status], ['49.99', 'Pass']);
  });

  it('names motivation before equity when both qualify', () => {
    const both = { relisted: true, saleCondition: 'auction', loanBalance: known('1000') } as const;
    assert.deepEqual(creative(both).reasons, ['coverage_and_motivation']);
  });

  it('cites the statute in a state that regulates installment sales, and the risk of a loan taken over only then', () => {
    assert.match(creative({}).stateNotices.join(), /Revised Code chapter 5313/);
    assert.doesNotMatch(creative({}).stateNotices.join(), /1701j-3/);
  });

  it('is Hot with an explicit carry term at a carry DSCR of exactly 1.15, and not below it', () => {
    const hot = creative({ ...carry, ...noClaim, listPrice: known('494577') });
    assert.deepEqual([hot.inputs.carry_dscr?.value, hot.status], ['1.15', 'Hot']);
    const under = creative({ ...carry, ...noClaim, listPrice: known('498000') });
    assert.deepEqual([under.inputs.carry_dscr?.value, under.status], ['1.14', 'Pass']);
    assert.deepEqual(under.reasons, ['carry_dscr_below_hot']);
  });

  it('treats each carry term, and an offer in the remarks, as explicit; an assumable loan or lease option not', () => {
    for (const term of ['owner_will_carry', 'land_contract', 'all_inclusive_trust_deed'] as const) {
      assert.equal(creative({ terms: [term] }).status, 'Hot', term);
    }
    const offered = creative({ remarks: known('Seller financing available with 10% down.') });
    assert.deepEqual([offered.status, offered.inputs.carry_term?.value], ['Hot', 'remarks_seller_finance']);
    const lease = creative({ terms: ['lease_option', 'assumable'] });
    assert.deepEqual([lease.status, lease.inputs.other_term?.value], ['Pass', 'lease_option']);
    assert.equal(creative({ remarks: known('No seller financing.') }).status, 'Pass');
  });

  it('is Warm at a carry DSCR of exactly 1.10 with two motivation codes or half the price in equity', () => {
    const at = { ...noClaim, listPrice: known('517057') };
    const twoCodes = { relisted: true, saleCondition: 'auction' } as const;
    assert.equal(creative({ ...at, ...twoCodes }).inputs.carry_dscr?.value, '1.10');
    assert.equal(creative({ ...at, ...twoCodes }).status, 'Warm');
    assert.equal(creative({ ...at, relisted: true }).status, 'Pass');
    // At the exit cap of 7.40% the building is worth 497,675.68.
    assert.equal(creative({ ...at, loanBalance: known('248837.84') }).status, 'Warm');
    assert.equal(creative({ ...at, loanBalance: known('248900') }).status, 'Pass');
    assert.equal(creative({ ...at, ...twoCodes, listPrice: known('522000') }).status, 'Pass');
  });

  it('shows taking over a loan at 1.5 points below the market or more, with its risk, and does not score it', () => {
    const loan = { loanBalance: known('400000') };
    const worthwhile = creative({ ...loan, loanRatePct: known('5.25') });
    assert.deepEqual(worthwhile.reasons, ['no_opening', 'subject_to_possible', 'due_on_sale_risk']);
    assert.equal(worthwhile.status, 'Pass');
    assert.match(worthwhile.stateNotices.join(), /1701j-3/);
    assert.deepEqual(creative({ ...loan, loanRatePct: known('5.26') }).reasons, ['no_opening']);
    assert.deepEqual(creative({ loanRatePct: known('3.00') }).reasons, ['no_opening']);
  });

  it('never carries a cash-only auction', () => {
    const { status, inputs, missing } = creative({ saleCondition: 'auction', terms: ['cash_only'], relisted: true });
    assert.equal(status, 'Pass');
    assert.equal(inputs.cash_only_auction?.value, 'true');
    assert.ok(missing.includes('carry_dscr'));
  });
});
