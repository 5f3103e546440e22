import type { Decimal } from 'decimal.js';
import { Exact } from './decimal.js';

/** A fully amortizing loan with monthly payments in arrears. */
export interface MortgageTerms {
  /** Nominal rate in percent a year. */
  readonly ratePct: Decimal.Value;
  readonly amortizationYears: number;
}

/** Annual debt service per dollar of loan (K = ADS / L); unrounded. */
export function mortgageConstant(terms: MortgageTerms): Exact {
  return monthlyPayment(1, terms).times(12);
}

/** The level payment PMT = L i / (1 - (1+i)^-n), USD a month; unrounded. */
export function monthlyPayment(loan: Decimal.Value, terms: MortgageTerms): Exact {
  const months = terms.amortizationYears * 12;
  const rate = monthlyRate(terms);
  if (rate.isZero()) return new Exact(loan).div(months);
  return rate.times(loan).div(new Exact(1).minus(rate.plus(1).pow(-months)));
}

/**
 * The balance after a number of monthly payments: L(1+i)^k - PMT((1+i)^k - 1)/i. Nothing is repaid during the first
 * `interestOnlyMonths`; amortization over the full term starts after them.
 */
export function balanceAfter(
  loan: Decimal.Value,
  terms: MortgageTerms,
  payments: number,
  interestOnlyMonths = 0,
): Exact {
  const amortizing = Math.max(0, payments - interestOnlyMonths);
  const payment = monthlyPayment(loan, terms);
  const rate = monthlyRate(terms);
  if (rate.isZero()) return new Exact(loan).minus(payment.times(amortizing));
  const growth = rate.plus(1).pow(amortizing);
  return growth.times(loan).minus(payment.times(growth.minus(1)).div(rate));
}

function monthlyRate({ ratePct }: MortgageTerms): Exact {
  return new Exact(ratePct).div(1200);
}
