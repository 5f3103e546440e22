import type { Decimal } from 'decimal.js';
import type { DecimalText } from '../decimal-text.js';
import { Exact, publishRatio, shareOf } from './decimal.js';

/** Cap rate in percent: NOI / price. */
export function capRatePct(noi: Decimal.Value, price: Decimal.Value): Exact {
  return new Exact(noi).div(price).times(100);
}

/** Value at a cap rate: NOI / cap, USD. */
export function valueAtCap(noi: Decimal.Value, capPct: Decimal.Value): Exact {
  return new Exact(noi).times(100).div(capPct);
}

/** The same as published, in cents. */
export function publishedValueAtCap(noi: Exact, capPct: Exact): Exact {
  return new Exact(publishRatio(noi, capPct, 2, 100));
}

/** Debt-service coverage ratio: NOI / annual debt service. */
export function debtServiceCoverage(noi: Decimal.Value, annualDebtService: Decimal.Value): Exact {
  return new Exact(noi).div(annualDebtService);
}

/** Debt yield in percent: NOI / loan. */
export function debtYieldPct(noi: Decimal.Value, loan: Decimal.Value): Exact {
  return new Exact(noi).div(loan).times(100);
}

/** Occupancy in percent at which rent pays expenses and debt, as published: (OPEX + ADS) / GPR. */
export function breakEvenOccupancyPct(
  operatingExpenses: Decimal.Value,
  annualDebtService: Decimal.Value,
  gpr: Decimal.Value,
): DecimalText {
  return publishRatio(new Exact(operatingExpenses).plus(annualDebtService), new Exact(gpr), 2, 100);
}

/** Cash on cash in percent: (NOI - ADS) / cash in. */
export function cashOnCashPct(
  noi: Decimal.Value,
  annualDebtService: Decimal.Value,
  cashInvested: Decimal.Value,
): Exact {
  return new Exact(noi).minus(annualDebtService).div(cashInvested).times(100);
}

/** The loan at a loan-to-value ratio: LTV x price, USD. */
export function loanByLtv(price: Decimal.Value, ltvPct: Decimal.Value): Exact {
  return shareOf(new Exact(price), ltvPct);
}

/** The largest loan at the minimum DSCR: NOI / (DSCR_min x K), USD; 0 without income. */
export function maxLoanByDscr(noi: Decimal.Value, minDscr: Decimal.Value, constant: Decimal.Value): Exact {
  return Exact.max(0, new Exact(noi).div(new Exact(minDscr).times(constant)));
}

/** The largest loan that passes both tests: min(LTV x price, NOI / (DSCR_min x K)), USD. */
export function maxLoan(
  price: Decimal.Value,
  ltvPct: Decimal.Value,
  noi: Decimal.Value,
  minDscr: Decimal.Value,
  constant: Decimal.Value,
): Exact {
  return Exact.min(loanByLtv(price, ltvPct), maxLoanByDscr(noi, minDscr, constant));
}
