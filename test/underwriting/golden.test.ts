import assert from 'node:assert/strict';
import { maximumAllowableOffer } from '../../src/deals/scoring/paths/offer-limit.js';
import { Exact, publishRatio } from '../../src/underwriting/decimal.js';
import { balanceAfter, monthlyPayment, mortgageConstant } from '../../src/underwriting/mortgage.js';
import {
  breakEvenOccupancyPct,
  capRatePct,
  cashOnCashPct,
  debtServiceCoverage,
  debtYieldPct,
  maxLoanByDscr,
  valueAtCap,
} from '../../src/underwriting/ratios.js';
import { golden, near } from './golden.js';
import { goldenCases } from './golden-cases.js';
import { readSharedData } from './read-shared-data.js';

describe('published worked examples', () => {
  it('are unchanged copies', function () {
    const shared = readSharedData('golden_underwriting.json');
    if (shared === undefined) return this.skip();
    assert.deepEqual(JSON.parse(JSON.stringify(goldenCases)), JSON.parse(shared).cases);
  });

  it('G01: the constant of 6% over 30 years is not rounded before its use', () => {
    const { in: given, published, exact, tol } = golden('G01');
    const terms = { ratePct: given.rate_pct, amortizationYears: given.amort_years };
    near(mortgageConstant(terms).times(100), published.constant_pct, tol.constant_pct);
    near(mortgageConstant(terms).times(100), exact.constant_pct, 5e-8);
    near(monthlyPayment(given.loan, terms), published.monthly, tol.monthly);
    near(monthlyPayment(given.loan, terms), exact.monthly, 0.005);
  });

  it('G02, G03: monthly payments and total interest', () => {
    const first = golden('G02');
    const sixPercent = { ratePct: first.in.rate_pct, amortizationYears: first.in.amort_years };
    near(monthlyPayment(first.in.loan, sixPercent), first.published.monthly, first.tol.monthly);

    const { in: given, published, exact, tol } = golden('G03');
    const payment = monthlyPayment(given.loan, { ratePct: given.rate_pct, amortizationYears: given.amort_years });
    const interest = payment.times(given.amort_years * 12).minus(given.loan);
    near(payment, published.monthly, tol.monthly);
    near(payment, exact.monthly, 0.005);
    near(interest, published.total_interest, tol.total_interest);
    near(interest, exact.total_interest, 0.005);
  });

  it('G04, P01: the largest loan for a minimum DSCR', () => {
    const { in: given, published, tol } = golden('G04');
    const constant = mortgageConstant({ ratePct: given.rate_pct, amortizationYears: given.amort_years });
    near(constant, published.constant, 1e-15);
    near(new Exact(given.noi).div(given.min_dscr), published.max_ads, 0);
    near(maxLoanByDscr(given.noi, given.min_dscr, constant), published.max_loan, tol.max_loan);

    const textbook = golden('P01');
    const terms = { ratePct: textbook.in.rate_pct, amortizationYears: textbook.in.amort_years };
    const loan = maxLoanByDscr(textbook.in.noi, textbook.in.min_dscr, mortgageConstant(terms));
    near(loan, textbook.exact.max_loan, 0.005);
  });

  it('G05: the ratios of a full underwriting, and a balance after interest-only months', () => {
    const { in: given, published, exact, tol } = golden('G05');
    const noi = new Exact(published.noi);
    const terms = { ratePct: given.rate_pct, amortizationYears: given.amort_years };
    const ads = mortgageConstant(terms).times(given.loan);

    near(capRatePct(noi, given.price), published.cap_rate_pct, 0.005);
    near(capRatePct(noi, given.price), exact.cap_rate_pct, 0.00005);
    near(new Exact(given.price).div(given.units), published.price_per_unit, 0);
    near(ads, published.ads, tol.ads);
    near(ads, exact.ads, 0.005);
    near(debtServiceCoverage(noi, ads), published.dscr, tol.dscr);
    near(debtServiceCoverage(noi, ads), exact.dscr, 0.00001);
    near(debtYieldPct(noi, given.loan), published.debt_yield * 100, 0.005);
    near(noi.div(given.units), published.noi_per_unit, 0.5);
    near(new Exact(given.loan).div(given.price), published.ltv, 0.0005);
    const balloon = balanceAfter(given.loan, terms, 60, given.io_months);
    near(balloon, published.balloon_5y_after_12m_io, tol.balloon_5y_after_12m_io);
    near(balloon, exact.balloon_5y_after_12m_io, 0.005);
  });

  it('G07: the balance at the end of each year, to the dollar', () => {
    const { in: given, published, tol } = golden('G07');
    const terms = { ratePct: given.rate_pct, amortizationYears: given.amort_years };
    const noi = new Exact(published.noi);
    const ads = mortgageConstant(terms).times(given.loan);
    near(ads, published.ads, tol.any);
    near(noi.minus(ads), published.cash_flow, tol.any);
    near(debtServiceCoverage(noi, ads), published.dscr, tol.dscr);
    published.balances_year_end.forEach((balance, index) => {
      near(balanceAfter(given.loan, terms, (index + 1) * 12), balance, tol.any);
    });
  });

  it('G09: the ratios of one sheet', () => {
    const { in: given, published, tol } = golden('G09');
    const noi = new Exact(published.noi);
    near(capRatePct(noi, given.price), published.cap_rate_pct, tol.cap_rate_pct);
    near(publishRatio(new Exact(given.price), new Exact(given.gpr), 2), published.grm, tol.grm);
    near(debtServiceCoverage(noi, given.ads), published.dscr, tol.dscr);
    near(noi.minus(given.ads), published.cash_flow, 0);
    near(cashOnCashPct(noi, given.ads, given.equity), published.coc_pct, tol.coc_pct);
  });

  it('G11: the value at a cap rate', () => {
    const { in: given, published } = golden('G11');
    near(valueAtCap(published.noi, given.cap_rate_pct), published.value, 0);
  });

  it('G12, G14, G16: debt yield, break-even occupancy and DSCR', () => {
    const yieldCase = golden('G12');
    near(debtYieldPct(yieldCase.in.noi, yieldCase.in.loan), yieldCase.published.debt_yield_pct, 0);
    const { in: even, published } = golden('G14');
    near(breakEvenOccupancyPct(even.opex, even.ads, even.gpr), published.break_even_pct, 0);
    const cover = golden('G16');
    near(debtServiceCoverage(cover.in.noi, cover.in.ads), cover.published.dscr, cover.tol.dscr);
  });

  it('G18, G19, G21, G22, G24: maximum allowable offers', () => {
    for (const { in: given, published } of [golden('G18'), golden('G24')]) {
      near(maximumAllowableOffer(given.arv, given.factor, [given.repairs]), published.mao, 0);
    }
    for (const { in: given, published } of [golden('G21'), golden('G22')]) {
      near(maximumAllowableOffer(given.arv, given.factor, [given.repairs, given.assignment_fee]), published.mao, 0);
    }
    const { in: given, published } = golden('G19');
    near(new Exact(given.arv).times(given.profit_pct).div(100), published.target_profit, 0);
    const factor = new Exact(100).minus(given.profit_pct).div(100);
    const costs = [given.rehab, given.closing, given.holding, given.assignment_fee];
    near(maximumAllowableOffer(given.arv, factor, costs), published.mao, 0);
  });

  it('G26: gross yield and cap rate on a HUD rent', () => {
    const { in: given, published, tol } = golden('G26');
    const gpr = given.fmr_2br * 12;
    near(capRatePct(gpr, given.price), published.gross_yield_pct, tol.gross_yield_pct);
    near(capRatePct(given.noi, given.price), published.cap_rate_pct, tol.cap_rate_pct);
  });
});

describe('mortgage', () => {
  it('has the published constants, to seven digits', () => {
    const constants = [
      ['6.00', 30, '0.0719461'],
      ['6.50', 30, '0.0758482'],
      ['6.75', 30, '0.0778318'],
      ['7.00', 30, '0.0798363'],
      ['8.5', 25, '0.0966273'],
    ] as const;
    for (const [ratePct, amortizationYears, expected] of constants) {
      assert.equal(mortgageConstant({ ratePct, amortizationYears }).toFixed(7), expected);
    }
  });

  it('owes the whole loan at first and nothing at the end', () => {
    const terms = { ratePct: '6.75', amortizationYears: 30 };
    near(balanceAfter(315_000, terms, 0), 315_000, 0);
    near(balanceAfter(315_000, terms, 360), 0, 1e-20);
  });

  it('repays in equal parts without interest', () => {
    const terms = { ratePct: 0, amortizationYears: 10 };
    near(monthlyPayment(120_000, terms), 1000, 0);
    near(balanceAfter(120_000, terms, 30), 90_000, 0);
  });
});
