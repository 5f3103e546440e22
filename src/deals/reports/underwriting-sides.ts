import { absent, isKnown, known, type Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';
import type { AssumptionSet } from '../../underwriting/assumption-set.js';
import { Exact, publish } from '../../underwriting/decimal.js';
import { isComparable } from '../../underwriting/plausibility.js';
import { cashOnCashPct, debtYieldPct, maxLoan, maxLoanByDscr } from '../../underwriting/ratios.js';
import type { Underwriting } from '../../underwriting/underwriting.js';
import type { UnderwritingInputs } from '../../underwriting/underwriting-inputs.js';
import { sizeLoan, type Loan } from './size-loan.js';

export const sideFigures = [
  'noi',
  'capRate',
  'dscr',
  'debtYieldPct',
  'cashOnCashPct',
  'maxLoanByDscr',
  'maxLoan',
] as const;

const inPercent: ReadonlySet<string> = new Set(['capRate', 'debtYieldPct', 'cashOnCashPct']);

/** The same figures for either side. */
export type UnderwritingSide = Readonly<Record<(typeof sideFigures)[number], Maybe<DecimalText>>>;

export interface UnderwritingSides {
  /** From the NOI that the listing states or its advertised cap implies. */
  readonly claimed: UnderwritingSide;
  /** From HUD rent and the declared assumptions. */
  readonly hud: UnderwritingSide;
  /** Claimed minus HUD, from the figures as published; absent beyond 100 percentage points. */
  readonly gap: UnderwritingSide;
}

/**
 * Sets the listing's claims beside what HUD rent supports. Without a claimed NOI, the claimed side is absent for the
 * reason for which the listing states none; an advertised cap still shows.
 */
export function compareSides(
  underwriting: Underwriting,
  inputs: UnderwritingInputs,
  set: AssumptionSet,
): UnderwritingSides {
  const { noi, noiSource, noiUnderwritten, capRateUnderwritten, dscrUnderwritten } = underwriting;
  const loan = sizeLoan(underwriting, inputs, set);
  const isClaimed = isKnown(noiSource) && noiSource.value !== 'underwritten';
  const unclaimed = isKnown(inputs.noi) ? absent('insufficient_inputs') : inputs.noi;
  const claimed: UnderwritingSide = {
    noi: isClaimed ? noi : unclaimed,
    capRate: isKnown(inputs.capRate) ? known(publish(new Exact(inputs.capRate.value), 2)) : inputs.capRate,
    dscr: isClaimed ? underwriting.dscr : unclaimed,
    debtYieldPct: isClaimed ? underwriting.debtYieldPct : unclaimed,
    cashOnCashPct: isClaimed ? cashOnCash(noi, loan) : unclaimed,
    ...limitLoan(isClaimed ? noi : unclaimed, loan, set, underwriting),
  };
  const hud: UnderwritingSide = {
    noi: noiUnderwritten,
    capRate: capRateUnderwritten,
    dscr: dscrUnderwritten,
    debtYieldPct: onLoan(noiUnderwritten, loan, (value, { amount }) => debtYieldPct(value, amount)),
    cashOnCashPct: cashOnCash(noiUnderwritten, loan),
    ...limitLoan(noiUnderwritten, loan, set, underwriting),
  };
  const gap = Object.fromEntries(
    sideFigures.map((name) => {
      const gap = difference(claimed[name], hud[name]);
      const isTooWide = inPercent.has(name) && isKnown(gap) && !isComparable(new Exact(gap.value));
      return [name, isTooWide ? absent('insufficient_inputs') : gap];
    }),
  );
  return { claimed, hud, gap: gap as UnderwritingSide };
}

function cashOnCash(noi: Maybe<DecimalText>, loan: Maybe<Loan>): Maybe<DecimalText> {
  return onLoan(noi, loan, (value, { service, cashIn }) => cashOnCashPct(value, service, cashIn));
}

/** Loan limits from an NOI. The other limit, LTV x price, is the loan itself. */
function limitLoan(
  noi: Maybe<DecimalText>,
  loan: Maybe<Loan>,
  { ltvPct }: AssumptionSet,
  { minDscr }: Underwriting,
): Pick<UnderwritingSide, 'maxLoanByDscr' | 'maxLoan'> {
  return {
    maxLoanByDscr: onLoan(noi, loan, (value, { constant }) => maxLoanByDscr(value, minDscr, constant)),
    maxLoan: onLoan(noi, loan, (value, { price, constant }) => maxLoan(price, ltvPct, value, minDscr, constant)),
  };
}

function onLoan(
  noi: Maybe<DecimalText>,
  loan: Maybe<Loan>,
  figure: (noi: DecimalText, loan: Loan) => Exact,
): Maybe<DecimalText> {
  if (!isKnown(noi)) return noi;
  return isKnown(loan) ? known(publish(figure(noi.value, loan.value), 2)) : loan;
}

function difference(claimed: Maybe<DecimalText>, hud: Maybe<DecimalText>): Maybe<DecimalText> {
  if (isKnown(claimed) && isKnown(hud)) return known(publish(new Exact(claimed.value).minus(hud.value), 2));
  // Without a loan the figure does not apply, whatever else is missing.
  if ([claimed, hud].some((side) => !isKnown(side) && side.absent === 'not_applicable'))
    return absent('not_applicable');
  return isKnown(hud) || !isKnown(claimed) ? absent('insufficient_inputs') : hud;
}
