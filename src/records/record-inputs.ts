import type * as Wire from '../../generated/types.gen.js';
import { absent, isKnown, known, type Maybe } from '../absence.js';
import type { Deal } from '../deals/deal.js';
import { confidenceInputs } from '../deals/scoring/score.js';
import { expenseLines } from '../underwriting/expense-lines.js';
import type { Underwriting } from '../underwriting/underwriting.js';
import { createAbsence } from './absence.js';
import { twoDigits } from './decimal-text.js';

/** The steps of an underwriting in the contract's form; absent for the reason for which there is no HUD side. */
export function underwritingInputsToWire(underwriting: Underwriting): Maybe<Wire.UnderwritingInputs> {
  const { rent, unitMix, unitMixBasis, vacancyPct, expenses, operatingExpenses } = underwriting;
  const { grossPotentialRent: potential, effectiveGrossIncome: effective } = underwriting;
  if (!isKnown(expenses)) return expenses;
  if (!isKnown(rent) || !isKnown(unitMix) || !isKnown(unitMixBasis) || !isKnown(vacancyPct))
    return absent('insufficient_inputs');
  if (!isKnown(potential) || !isKnown(effective) || !isKnown(operatingExpenses)) return absent('insufficient_inputs');
  const { absentFields, take } = createAbsence<Wire.UnderwritingInputs['absent']>();
  return known({
    assumption_set: underwriting.assumptionSet,
    rate_as_of: underwriting.rates.asOf,
    rate_pct: underwriting.ratePct,
    rent_basis: rent.value.basis,
    hud_fiscal_year: rent.value.fiscalYear,
    unit_mix: unitMix.value.map(({ bedrooms, units, grossRent, utilityAllowance }) => ({
      ...{ bedrooms, units },
      gross_rent: grossRent,
      utility_allowance: utilityAllowance,
    })),
    unit_mix_basis: unitMixBasis.value,
    vacancy_pct: vacancyPct.value,
    gross_potential_rent: potential.value,
    effective_gross_income: effective.value,
    expenses: Object.fromEntries(
      expenseLines.map((line) => [line, expenses.value[line].amount]),
    ) as Wire.UnderwritingInputs['expenses'],
    stated_lines: [...underwriting.statedLines],
    operating_expenses: operatingExpenses.value,
    loan: take('loan', underwriting.loan),
    annual_debt_service: take('annual_debt_service', underwriting.annualDebtService),
    noi_for_value: take('noi_for_value', underwriting.noiForValue),
    absent: absentFields,
  });
}

/** What the scores of a deal follow from, in the contract's form. */
export function scoreInputsToWire({ score, distress, underwriting }: Deal): Wire.ScoreInputs {
  const { absentFields, take } = createAbsence<Wire.ScoreInputs['absent']>();
  const { absentFields: unmatched, take: takeMatch } = createAbsence<Wire.ScoreInputs['distress_matches']['absent']>();
  const { taxDelinquency: tax, sheriffSale: sale } = distress;
  const { yield: yieldPoints, dscr, motivation, distress: distressPoints } = score.dealScoreParts;
  return {
    yield: take('yield', score.scoredYieldPct),
    scored_dscr: take('scored_dscr', score.scoredDscr),
    points: {
      yield: oneDigit(yieldPoints),
      dscr: oneDigit(dscr),
      motivation: oneDigit(motivation),
      distress: oneDigit(distressPoints),
    },
    // Each is "1", "0.5" or "0"; the contract's proof checks it.
    confidence: confidenceInputs.map((name) => Number(score.confidenceInputs[name]) as 0 | 0.5 | 1),
    distress_matches: {
      tax_confidence: takeMatch(
        'tax_confidence',
        ofMatch(tax, ({ confidence }) => confidence),
      ),
      tax_amount: takeMatch(
        'tax_amount',
        ofMatch(tax, ({ amount }) => amount),
      ),
      sale_confidence: takeMatch(
        'sale_confidence',
        ofMatch(sale, ({ confidence }) => confidence),
      ),
      absent: unmatched,
    },
    nonmetropolitan: underwriting.nonmetropolitan,
    absent: absentFields,
  };
}

function oneDigit(points: string): number {
  return Math.round(Number(points) * 10) / 10;
}

/** An unmatched record has two causes: none are collected, or none is of this deal. */
function ofMatch<T>(match: Maybe<T>, read: (match: T) => string): Maybe<string> {
  if (isKnown(match)) return known(twoDigits(read(match.value)));
  return absent(match.absent === 'not_collected' ? 'not_collected' : 'not_applicable');
}
