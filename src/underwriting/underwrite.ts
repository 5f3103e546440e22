import { absent, isKnown, known, type AbsenceReason, type Maybe } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { AssumptionSet } from './assumption-set.js';
import { Exact, publish, publishedExact } from './decimal.js';
import { itemizeExpenses, rentUnitMix } from './income-basis.js';
import { effectiveGrossIncome, grossPotentialRent, sumExpenses } from './income.js';
import { mortgageConstant } from './mortgage.js';
import {
  breakEvenOccupancyPct,
  capRatePct,
  debtServiceCoverage,
  debtYieldPct,
  grossRentMultiplier,
  loanByLtv,
} from './ratios.js';
import type {
  DscrStatus,
  NoiSource,
  Underwriting,
  UnderwritingFlag,
  UnderwritingInputs,
  UnderwriteReliability,
} from './underwriting.js';

/** Underwrites one listing. Pure and total. */
export type Underwrite = (inputs: UnderwritingInputs) => Underwriting;

/**
 * Prepares an assumption set (computing its mortgage constant once) and returns the rule that underwrites with it.
 *
 * - Income uses HUD rent by unit mix, else the two-bedroom rent (`rentUnitMix`).
 * - Expenses use the declared operating ratio unless itemized (`itemizeExpenses`). A stated vacancy or total of
 *   expenses is the seller's claim and does not count.
 * - Each figure is rounded once, half-up, to two digits. Figures that build on a published figure (asking price, NOI,
 *   caps) use it as published.
 * - A figure without its input is absent: `no_hud_rent` without a rent, `not_applicable` without a loan, else
 *   `insufficient_inputs`. Prices and unit counts of zero or less count as missing.
 */
export function createUnderwrite(set: AssumptionSet): Underwrite {
  const terms = prepare(set);
  return (inputs) => {
    const price = positive(inputs.listPrice);
    const units = isKnown(inputs.units) && inputs.units.value > 0 ? inputs.units.value : undefined;
    const cap = isKnown(inputs.capRate) ? publishedExact(inputs.capRate.value) : undefined;
    const hud = underwriteRent(inputs, units, set);
    const income = chooseNoi(inputs.noi, cap, price, hud.noi);
    const debt = sizeDebt(price, inputs.cashOnlyAuction, set, terms);
    const multiple = price && hud.gpr ? grossRentMultiplier(price, hud.gpr) : undefined;
    const proxyMultiple = price && hud.gprByProxy ? grossRentMultiplier(price, hud.gprByProxy) : undefined;
    const capUnderwritten = hud.noi && price ? publishedExact(capRatePct(hud.noi, price)) : undefined;
    const lacking: AbsenceReason = isKnown(inputs.rent) ? 'insufficient_inputs' : inputs.rent.absent;
    const gapReason = cap === undefined ? 'insufficient_inputs' : lacking;
    const breakEven =
      hud.opex && hud.gpr && debt.service ? breakEvenOccupancyPct(hud.opex, debt.service, hud.gpr) : undefined;

    return {
      assumptionSet: set.version,
      rent: inputs.rent,
      noi: figure(income.noi, lacking),
      noiSource: income.source === undefined ? absent(lacking) : known(income.source),
      noiUnderwritten: figure(hud.noi, lacking),
      capRateUnderwritten: figure(capUnderwritten, lacking),
      capGapPct: figure(cap && capUnderwritten ? cap.minus(capUnderwritten) : undefined, gapReason),
      ...coverDebt(income.noi, debt),
      dscrUnderwritten: figure(ratioTo(hud.noi, debt.service, debtServiceCoverage), hud.noi ? debt.reason : lacking),
      reliability: rateReliability(proxyMultiple, terms),
      grossPotentialRent: figure(hud.gpr, lacking),
      effectiveGrossIncome: figure(hud.egi, lacking),
      operatingExpenses: figure(hud.opex, lacking),
      loan: figure(debt.loan, debt.reason),
      annualDebtService: figure(debt.service, debt.reason),
      debtYieldPct: figure(ratioTo(income.noi, debt.loan, debtYieldPct), income.noi ? debt.reason : lacking),
      breakEvenOccupancyPct: figure(breakEven, hud.gpr ? debt.reason : lacking),
      pricePerUnit: figure(price && units ? price.div(units) : undefined, 'insufficient_inputs'),
      grossRentMultiplier: figure(multiple, lacking),
      dataQuality: flag(inputs, cap, price, proxyMultiple, terms),
    };
  };
}

interface Terms {
  readonly constant: Exact;
  readonly minLoan: Exact;
  readonly maxMultiple: Exact;
  readonly suspectMultiple: Exact;
  readonly capNoiTolerance: Exact;
}

function prepare(set: AssumptionSet): Terms {
  return {
    constant: mortgageConstant(set),
    minLoan: new Exact(set.minLoan),
    maxMultiple: new Exact(set.maxRentMultiple),
    suspectMultiple: new Exact(set.suspectRentMultiple),
    capNoiTolerance: new Exact(set.capNoiTolerancePct).div(100),
  };
}

interface RentUnderwriting {
  readonly gpr?: Exact;
  /** With the two-bedroom rent for every unit: reliability judges this proxy, whatever the unit mix. */
  readonly gprByProxy?: Exact;
  readonly egi?: Exact;
  readonly opex?: Exact;
  /** As published: cents. */
  readonly noi?: Exact;
}

/** The declared vacancy includes collection loss and applies to all potential rent. */
function underwriteRent(inputs: UnderwritingInputs, units: number | undefined, set: AssumptionSet): RentUnderwriting {
  const { rent } = inputs;
  if (!isKnown(rent) || units === undefined) return {};
  const gprByProxy = grossPotentialRent([{ units, monthlyRent: rent.value.rent2br }]);
  if (!gprByProxy.gt(0)) return {};
  const [unitMix, expenses] = [rentUnitMix(inputs), itemizeExpenses(inputs)];
  const gpr = isKnown(unitMix) ? grossPotentialRent(unitMix.value) : gprByProxy;
  const otherIncome = new Exact(set.otherIncomePerUnit).times(units);
  const egi = effectiveGrossIncome(gpr, { vacancyPct: set.vacancyPct, otherIncome });
  const opex = isKnown(expenses)
    ? sumExpenses(expenses.value, egi, units)
    : Exact.max(
        sumExpenses([{ pctOfEgi: set.operatingRatioPct }], egi, units),
        sumExpenses([{ perUnit: set.operatingFloorPerUnit }], egi, units),
      );
  return { gpr, gprByProxy, egi, opex, noi: publishedExact(egi.minus(opex)) };
}

/** The row's NOI: stated, else from the advertised cap, else underwritten. A cap of zero or less implies no income. */
function chooseNoi(
  stated: Maybe<DecimalText>,
  cap: Exact | undefined,
  price: Exact | undefined,
  underwritten: Exact | undefined,
): { noi?: Exact; source?: NoiSource } {
  if (isKnown(stated)) return { noi: publishedExact(stated.value), source: 'stated' };
  if (price && cap?.gt(0)) {
    return { noi: publishedExact(price.times(cap).div(100)), source: 'derived_from_advertised_cap' };
  }
  return underwritten ? { noi: underwritten, source: 'underwritten' } : {};
}

interface Debt {
  readonly loan?: Exact;
  /** Annual debt service, USD. */
  readonly service?: Exact;
  /** Why there is no loan, when there is none. */
  readonly reason: AbsenceReason;
}

function sizeDebt(price: Exact | undefined, cashOnlyAuction: boolean, set: AssumptionSet, terms: Terms): Debt {
  if (price === undefined) return { reason: 'insufficient_inputs' };
  const loan = loanByLtv(price, set.ltvPct);
  if (cashOnlyAuction || loan.lt(terms.minLoan)) return { reason: 'not_applicable' };
  return { loan, service: loan.times(terms.constant), reason: 'insufficient_inputs' };
}

/** A missing DSCR is always `insufficient_inputs`, whichever input is missing, to agree with its status. */
function coverDebt(noi: Exact | undefined, debt: Debt): { dscr: Maybe<DecimalText>; dscrStatus: DscrStatus } {
  const priceKnown = debt.service !== undefined || debt.reason === 'not_applicable';
  if (!priceKnown || !noi?.gt(0)) return { dscr: absent('insufficient_inputs'), dscrStatus: 'insufficient_data' };
  if (debt.service === undefined) return { dscr: absent('not_applicable'), dscrStatus: 'not_applicable' };
  return { dscr: known(publish(debtServiceCoverage(noi, debt.service), 2)), dscrStatus: 'computed' };
}

function rateReliability(multiple: Exact | undefined, terms: Terms): UnderwriteReliability {
  if (multiple === undefined) return 'unknown';
  return multiple.gt(terms.maxMultiple) ? 'proxy_out_of_range' : 'ok';
}

function flag(
  { rent, noi }: UnderwritingInputs,
  cap: Exact | undefined,
  price: Exact | undefined,
  multiple: Exact | undefined,
  terms: Terms,
): UnderwritingFlag[] {
  const flags: UnderwritingFlag[] = [];
  if (isKnown(rent) && rent.value.stale) flags.push('hud_rent_stale');
  if (multiple?.lt(terms.suspectMultiple)) flags.push('units_suspect');
  if (isKnown(noi) && price && cap?.gt(0)) {
    const claimed = price.times(cap).div(100);
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

function ratioTo(
  noi: Exact | undefined,
  base: Exact | undefined,
  ratio: (noi: Exact, base: Exact) => Exact,
): Exact | undefined {
  return noi && base ? ratio(noi, base) : undefined;
}

function figure(value: Exact | undefined, reason: AbsenceReason): Maybe<DecimalText> {
  return value === undefined ? absent(reason) : known(publish(value, 2));
}
