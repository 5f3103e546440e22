import { isKnown, known, type Maybe } from '../../absence.js';
import type { AssumptionSet } from '../../underwriting/assumption-set.js';
import { Exact } from '../../underwriting/decimal.js';
import { mortgageConstant } from '../../underwriting/mortgage.js';
import { loanByLtv } from '../../underwriting/ratios.js';
import type { Underwriting } from '../../underwriting/underwriting.js';
import type { UnderwritingInputs } from '../../underwriting/underwriting-inputs.js';

/** A loan and its figures, unrounded: USD, or USD a year. */
export interface Loan {
  /** The asking price as published. */
  readonly price: Exact;
  readonly amount: Exact;
  /** Annual debt service per dollar, K. */
  readonly constant: Exact;
  /** Annual debt service. */
  readonly service: Exact;
  /** Asking price and closing costs less loan. */
  readonly cashIn: Exact;
}

/** The loan of an underwriting before rounding; absent for the same reason as that loan. */
export function sizeLoan(underwriting: Underwriting, inputs: UnderwritingInputs, set: AssumptionSet): Maybe<Loan> {
  const { listPrice } = inputs;
  if (!isKnown(underwriting.loan)) return underwriting.loan;
  if (!isKnown(listPrice)) return listPrice;
  const price = new Exact(listPrice.value).toDecimalPlaces(2);
  const amount = loanByLtv(price, set.ltvPct);
  const constant = mortgageConstant({ ...set, ratePct: underwriting.ratePct });
  const closing = price.times(set.closingCostsPct).div(100);
  return known({
    ...{ price, amount, constant },
    service: amount.times(constant),
    cashIn: price.plus(closing).minus(amount),
  });
}
