import { absent, isKnown, known, type AbsenceReason, type Maybe } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { AssumptionSet } from './assumption-set.js';
import { valueBasis } from './claim.js';
import { Exact, exactOf, publish, publishedExact, publishRatio, shareOf } from './decimal.js';
import { statedLines } from './expenses.js';
import { incomeOf, type HudIncome } from './hud-income.js';
import { mortgageConstant } from './mortgage.js';
import { rateFor } from './mortgage-rates.js';
import { doubtedBy, isCapImplausible, isComparable, type DataQualityFlag } from './plausibility.js';
import { breakEvenOccupancyPct, loanByLtv } from './ratios.js';
import { rateReliability } from './reliability.js';
import type { UnderwritingInputs } from './underwriting-inputs.js';
import { isChecked, type DscrStatus, type NoiSource, type Underwriting } from './underwriting.js';

/** Underwrites one listing. Pure and total. */
export type Underwrite = (inputs: UnderwritingInputs) => Underwriting;

/**
 * Prepares an assumption set and returns the rule that underwrites with it. `docs/underwriting.md` explains the rule.
 *
 * - Each figure is rounded once, half-up, to its published digits. A figure that builds on a published one uses it as
 *   published; loan, debt service and mortgage constant stay exact inside ratios.
 * - A figure without its input is absent: `no_hud_rent` without a rent, `not_applicable` without a loan, else
 *   `insufficient_inputs`. Prices and unit counts of zero or less count as missing.
 * - A value that is not plausible is used as stated. It counts as absent for the choice of the interest rate and the
 *   minimum DSCR, and for what `noiForValue` says.
 */
export function createUnderwrite(set: AssumptionSet): Underwrite {
  const terms = prepare(set);
  return (inputs) => {
    const price = positive(inputs.listPrice);
    const units = isKnown(inputs.units) && inputs.units.value > 0 ? inputs.units.value : undefined;
    const cap = isKnown(inputs.capRate) ? publishedExact(inputs.capRate.value) : undefined;
    const hud = units === undefined ? undefined : incomeOf(inputs, units, set);
    const claimed = {
      statedNoi: isKnown(inputs.noi) ? publishedExact(inputs.noi.value) : undefined,
      // A cap of zero or less implies no income.
      capNoi: price && cap?.gt(0) ? publishedExact(shareOf(price, cap)) : undefined,
    };
    const income = chooseNoi(claimed, hud);
    const capUnderwritten = hud && price && exactOf(publishRatio(hud.noi, price, 2, 100));
    const lacking: AbsenceReason = isKnown(inputs.rent) ? 'insufficient_inputs' : inputs.rent.absent;
    const ofHud = <T>(read: (income: HudIncome) => T): Maybe<T> => (hud ? known(read(hud)) : absent(lacking));
    const gap = cap && capUnderwritten && cap.minus(capUnderwritten);
    const gapReason = gap || cap === undefined ? 'insufficient_inputs' : lacking;
    const reliability = rateReliability(price, hud?.grossRent, terms.maxMultiple);
    const flags = [...inputs.flags, ...flag(inputs, cap, price, hud?.grossRent, terms)];
    const checked = isChecked({ reliability, doubted: doubtedBy(flags) });
    if (isCapImplausible(cap, capUnderwritten, checked)) flags.push('cap_implausible');
    const doubted = new Set(doubtedBy(flags));
    const ratePct = rateFor(inputs.rates, doubted.has('units') ? undefined : units);
    const debt = sizeDebt(price, inputs.cashOnlyAuction, terms.constantAt(ratePct), set, terms);
    const nonmetropolitan = inputs.nonmetropolitan || doubted.has('zip');
    const gpr = hud?.gpr.gt(0) ? hud.gpr : undefined;
    const breakEven = hud && gpr && debt.service && breakEvenOccupancyPct(hud.opex, debt.service, gpr);
    const coverage = coverDebt(income.noi, debt);
    const basis = valueBasis({
      statedNoi: claimed.statedNoi,
      capNoi: claimed.capNoi,
      hud,
      isChecked: checked,
      doubted,
      uncheckedSharePct: set.uncheckedNoiSharePct,
      lacking: reliability === 'proxy_out_of_range' ? reliability : lacking,
    });

    return {
      assumptionSet: set.version,
      rent: inputs.rent,
      rates: inputs.rates,
      nonmetropolitan,
      isZipElsewhere: inputs.isZipElsewhere,
      ratePct,
      minDscr: nonmetropolitan ? set.minDscrNonmetropolitan : set.minDscr,
      noi: figure(income.noi, lacking),
      noiSource: income.source === undefined ? absent(lacking) : known(income.source),
      noiUnderwritten: figure(hud?.noi, lacking),
      capRateUnderwritten: figure(capUnderwritten, lacking),
      capGapPct: figure(gap && isComparable(gap) ? gap : undefined, gapReason),
      dscr: coverage.dscr,
      dscrStatus: coverage.dscrStatus,
      dscrUnderwritten: ratio(hud?.noi, debt.service, hud ? debt.reason : lacking),
      reliability,
      doubted: [...doubted],
      noiForValue: basis.noiForValue,
      noiForValueBasis: basis.noiForValueBasis,
      noiForArv: basis.noiForArv,
      noiStabilized: figure(hud?.noiStabilized, lacking),
      unitMix: ofHud(({ mix }) => mix),
      unitMixBasis: ofHud(({ mixBasis }) => mixBasis),
      vacancyPct: ofHud(({ vacancyPct }) => publish(vacancyPct, 1)),
      grossPotentialRent: figure(hud?.gpr, lacking),
      effectiveGrossIncome: figure(hud?.egi, lacking),
      statedLines: statedLines(inputs),
      expenses: ofHud(({ expenses }) => expenses),
      operatingExpenses: figure(hud?.opex, lacking),
      operatingExpensesBasis: ofHud(({ opexBasis }) => opexBasis),
      loan: figure(debt.loan, debt.reason),
      annualDebtService: figure(debt.service, debt.reason),
      debtYieldPct: ratio(income.noi, debt.loan, income.noi ? debt.reason : lacking, 100),
      breakEvenOccupancyPct: breakEven ? known(breakEven) : absent(gpr ? debt.reason : lacking),
      pricePerUnit: ratio(price, units === undefined ? undefined : new Exact(units), 'insufficient_inputs'),
      grossRentMultiplier: ratio(price, gpr, lacking),
      dataQuality: flags,
    };
  };
}

interface Terms {
  /** Annual debt service per dollar at a rate, computed once for each. */
  readonly constantAt: (ratePct: DecimalText) => Exact;
  readonly minLoan: Exact;
  readonly maxMultiple: Exact;
  readonly suspectMultiple: Exact;
  readonly capNoiTolerance: Exact;
}

function prepare(set: AssumptionSet): Terms {
  const constants = new Map<DecimalText, Exact>();
  return {
    constantAt(ratePct) {
      const constant = constants.get(ratePct) ?? mortgageConstant({ ...set, ratePct });
      constants.set(ratePct, constant);
      return constant;
    },
    minLoan: new Exact(set.minLoan),
    maxMultiple: new Exact(set.maxRentMultiple),
    suspectMultiple: new Exact(set.suspectRentMultiple),
    capNoiTolerance: new Exact(set.capNoiTolerancePct).div(100),
  };
}

/** The row's NOI: stated, else from the advertised cap, else underwritten. */
function chooseNoi(
  { statedNoi, capNoi }: { readonly statedNoi: Exact | undefined; readonly capNoi: Exact | undefined },
  hud: HudIncome | undefined,
): { noi?: Exact; source?: NoiSource } {
  if (statedNoi) return { noi: statedNoi, source: 'stated' };
  if (capNoi) return { noi: capNoi, source: 'derived_from_advertised_cap' };
  return hud ? { noi: hud.noi, source: 'underwritten' } : {};
}

interface Debt {
  readonly loan?: Exact;
  /** Annual debt service, USD. */
  readonly service?: Exact;
  /** Why there is no loan, when there is none. */
  readonly reason: AbsenceReason;
}

function sizeDebt(
  price: Exact | undefined,
  cashOnlyAuction: boolean,
  constant: Exact,
  set: AssumptionSet,
  terms: Terms,
): Debt {
  if (price === undefined) return { reason: 'insufficient_inputs' };
  const loan = loanByLtv(price, set.ltvPct);
  if (cashOnlyAuction || loan.lt(terms.minLoan)) return { reason: 'not_applicable' };
  return { loan, service: loan.times(constant), reason: 'insufficient_inputs' };
}

/** A missing DSCR is always `insufficient_inputs`, whichever input is missing, to agree with its status. */
function coverDebt(noi: Exact | undefined, debt: Debt): { dscr: Maybe<DecimalText>; dscrStatus: DscrStatus } {
  const priceKnown = debt.service !== undefined || debt.reason === 'not_applicable';
  if (!priceKnown || !noi?.gt(0)) return { dscr: absent('insufficient_inputs'), dscrStatus: 'insufficient_data' };
  if (debt.service === undefined) return { dscr: absent('not_applicable'), dscrStatus: 'not_applicable' };
  return { dscr: known(publishRatio(noi, debt.service, 2)), dscrStatus: 'computed' };
}

function flag(
  { rent, noi }: UnderwritingInputs,
  cap: Exact | undefined,
  price: Exact | undefined,
  grossRent: Exact | undefined,
  terms: Terms,
): DataQualityFlag[] {
  const flags: DataQualityFlag[] = [];
  if (isKnown(rent) && rent.value.stale) flags.push('hud_rent_stale');
  if (grossRent && price?.lt(grossRent.times(terms.suspectMultiple))) flags.push('units_suspect');
  if (isKnown(noi) && price && cap?.gt(0)) {
    const claimed = shareOf(price, cap);
    if (claimed.minus(publishedExact(noi.value)).abs().gt(claimed.times(terms.capNoiTolerance)))
      flags.push('cap_noi_disagree');
  }
  return flags;
}

function positive(value: Maybe<DecimalText>): Exact | undefined {
  if (!isKnown(value)) return undefined;
  const exact = publishedExact(value.value);
  return exact.gt(0) ? exact : undefined;
}

function ratio(
  numerator: Exact | undefined,
  denominator: Exact | undefined,
  reason: AbsenceReason,
  factor?: 1 | 100,
): Maybe<DecimalText> {
  return numerator && denominator ? known(publishRatio(numerator, denominator, 2, factor)) : absent(reason);
}

function figure(value: Exact | undefined, reason: AbsenceReason): Maybe<DecimalText> {
  return value === undefined ? absent(reason) : known(publish(value, 2));
}
