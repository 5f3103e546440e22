import assert from 'node:assert/strict';
import { Decimal } from 'decimal.js';
import type { Rationale, Report } from '../../../generated/types.gen.js';
import { creativeRules } from '../../../src/deals/scoring/rule-sets.js';
import { replayCreativeStatus } from '../../../src/deals/scoring/paths/creative.js';
import { replayRentalStatus } from '../../../src/deals/scoring/paths/rental.js';
import { replayWholesaleStatus } from '../../../src/deals/scoring/paths/wholesale.js';
import { firstDoubt, scoredDscrOf, scoredReliability } from './doubts.js';
import { loanConstant, plain, round, scoredAgain, statedYield, valueAgain } from './recompute.js';

type Figure = Decimal | null;
/** The compared values of a check, by its code: the actual value and the threshold. */
type Comparisons = Readonly<Record<string, readonly [actual: Figure, threshold: Figure]>>;

interface Recomputed {
  /** Computed inputs, as published. */
  readonly inputs: Readonly<Record<string, string | null>>;
  readonly comparisons: Comparisons;
}

/**
 * Asserts the three rationales of a report: their inputs equal its figures, computations and comparisons are repeated,
 * and the status follows from inputs and thresholds alone.
 */
export function holdRationales(report: Report): void {
  const { rental, wholesale, creative } = report.scoring.rationales;
  hold(report, rental, rentalAgain(report, rental), replayRentalStatus);
  hold(report, wholesale, wholesaleAgain(wholesale), replayWholesaleStatus);
  hold(report, creative, creativeAgain(creative), replayCreativeStatus);
  holdCarryTerms();
}

function hold(
  report: Report,
  rationale: Rationale,
  { inputs, comparisons }: Recomputed,
  replay: (rationale: never) => string,
): void {
  const stated = statedIn(report);
  for (const [name, { value }] of Object.entries(rationale.inputs))
    if (name in stated) assert.ok(isSame(value, stated[name]), `${rationale.path}: ${name}`);
  for (const [name, value] of Object.entries(inputs))
    assert.equal(rationale.inputs[name]?.value ?? null, value, `${rationale.path}: ${name}`);
  holdLimits(report, rationale);
  const possible = Object.entries(comparisons).filter(([, [actual, threshold]]) => actual && threshold);
  const checks = rationale.checks.filter(({ op }) => op !== '==');
  assert.deepEqual(checks.map(({ code }) => code).sort(), possible.map(([code]) => code).sort());
  for (const { code, actual, threshold, op, passed } of checks) {
    const [expected, limit] = comparisons[code] ?? [null, null];
    assert.ok(expected !== null && limit !== null && expected.eq(actual) && limit.eq(threshold), code);
    const order = expected.cmp(limit);
    assert.equal(passed, op === '>=' ? order >= 0 : op === '<=' ? order <= 0 : order < 0, code);
  }
  assert.equal(replay(rationale as never), rationale.status);
}

/** What is unchecked or doubted, or rests on an old interest rate, is Hot on no path and says why. */
function holdLimits(report: Report, { inputs, checks, reasons, status }: Rationale): void {
  const { deal, underwriting } = report;
  const rateDays = (Date.parse(scoredOn(report)) - Date.parse(underwriting.rate_as_of)) / 86_400_000;
  const state = scoredReliability(deal) !== 'ok' ? 'unchecked' : rateDays > 180 ? 'rate_stale' : undefined;
  const limits = { hot_checked: state, hot_plausible: firstDoubt(deal) };
  for (const [code, limit] of Object.entries(limits)) {
    assert.equal(inputs[code]?.value, limit, code);
    const found = checks.filter((check) => check.code === code).map(({ actual, passed }) => [actual, passed]);
    assert.deepEqual(found, limit === undefined ? [] : [[limit, false]], code);
    if (limit === undefined) continue;
    assert.notEqual(status, 'Hot');
    assert.ok(reasons.includes(limit), limit);
  }
}

/** The yearly cost of a carried loan and its balance after some years follow from its rate and term. */
function holdCarryTerms(): void {
  const { thresholds } = creativeRules;
  const [rate, years] = [thresholds.carry_rate_pct, Number(thresholds.carry_years)];
  assert.equal(thresholds.carry_loan_constant, round(loanConstant(rate, years), 10));
  for (const after of [5, 7] as const)
    assert.equal(thresholds[`carry_balloon_share_year_${after}`], round(shareLeft(rate, years, after), 10));
}

/** The remaining share of a loan after some years, month by month: each payment less its interest. */
function shareLeft(ratePct: string, years: number, afterYears: number): Decimal {
  const rate = plain(ratePct).div(1200);
  const payment = loanConstant(ratePct, years).div(12);
  let left = plain('1');
  for (let month = 0; month < afterYears * 12; month++) left = left.plus(left.times(rate)).minus(payment);
  return left;
}

/** The figures of a report that reappear in its rationales, by their names there. */
function statedIn(report: Report): Readonly<Record<string, unknown>> {
  const { deal, underwriting } = report;
  const { list_price, units, cap_rate, cap_rate_underwritten, cap_gap_pct } = deal;
  const { market_rent_2br, motivation_score, year_built } = deal;
  return {
    ...{ list_price, units, cap_rate, cap_rate_underwritten, cap_gap_pct },
    ...{ market_rent_2br, motivation_score, year_built, underwrite_reliability: scoredReliability(deal) },
    ...{ stated_yield: statedYield(deal), dscr: scoredDscrOf(deal, underwriting.hud.dscr) },
    ...{ dscr_underwritten: underwriting.hud.dscr, noi_for_value: underwriting.noi_for_value },
    ...{ market_rate_pct: underwriting.rate_pct, noi_for_arv: valueAgain(report).arv },
  };
}

function scoredOn({ provenance }: Report): string {
  return provenance.find(({ fields }) => fields.includes('deal_score'))?.as_of ?? '';
}

function isSame(value: string, stated: unknown): boolean {
  return typeof stated === 'number' || /\d/.test(String(stated)) ? plain(value).eq(String(stated)) : value === stated;
}

function rentalAgain(report: Report, { inputs, thresholds }: Rationale): Recomputed {
  const { scored_yield_pct: scoredYield, scored_dscr: scoredDscr } = scoredAgain(report);
  const dscr = decimal(scoredDscr);
  const isReliable = inputs['underwrite_reliability']?.value === 'ok';
  return {
    inputs: {},
    comparisons: {
      hot_cap_rate: [decimal(inputs['cap_rate']?.value), decimal(thresholds['hot_cap_rate_min'])],
      hot_scored_dscr: [dscr, decimal(thresholds['hot_dscr_min'])],
      hot_cap_gap: [
        isReliable ? decimal(inputs['cap_gap_pct']?.value) : null,
        decimal(thresholds['hot_cap_gap_below']),
      ],
      warm_scored_yield: [decimal(scoredYield), decimal(thresholds['warm_yield_min'])],
      warm_scored_dscr: [dscr, decimal(thresholds['warm_dscr_min'])],
    },
  };
}

function wholesaleAgain({ inputs, thresholds }: Rationale): Recomputed {
  const read = (name: string): Figure => decimal(inputs[name]?.value);
  const limit = (name: string): Decimal => decimal(thresholds[name]) ?? assert.fail(name);
  const exitCap = Decimal.max(limit('exit_cap_rate_min'), read('metro_median_cap_rate') ?? 0);
  const repairs = read('units')?.times(limit(`rehab_${inputs['rehab_level']?.value}_per_unit`)) ?? null;
  const noi = read('noi_for_arv');
  const arv = decimal(noi?.gt(0) ? round(noi.div(exitCap).times(100)) : null);
  const mao =
    arv && repairs && decimal(round(arv.times(limit('arv_factor')).minus(repairs).minus(limit('assignment_fee'))));
  const [price, motivation] = [read('list_price'), read('motivation_score')];
  return {
    inputs: { repairs: round(repairs), arv: round(arv), mao: round(mao) },
    comparisons: {
      list_price_at_mao: [price, mao],
      list_price_near_mao: [price, mao && mao.times(limit('warm_mao_factor'))],
      list_price_far_mao: [price, mao && mao.times(limit('warm_motivated_mao_factor'))],
      hot_motivation: [motivation, limit('hot_motivation_min')],
      warm_motivation: [motivation, limit('warm_motivation_min')],
    },
  };
}

function creativeAgain({ inputs, thresholds, status }: Rationale): Recomputed {
  const read = (name: string): Figure => decimal(inputs[name]?.value);
  const limit = (name: string): Decimal => decimal(thresholds[name]) ?? assert.fail(name);
  const price = read('list_price');
  const carried = inputs['cash_only_auction']?.value === 'true' ? null : price;
  const loan = carried && carried.times(new Decimal(100).minus(limit('carry_down_pct'))).div(100);
  const noi = read('noi_for_value');
  const dscr = noi?.gt(0) && loan ? decimal(round(noi.div(loan.times(limit('carry_loan_constant'))))) : null;
  const told = status === 'Pass' ? null : loan;
  const balance = read('loan_balance');
  const exitCap = Decimal.max(limit('exit_cap_rate_min'), read('metro_median_cap_rate') ?? 0);
  const value = decimal(noi?.gt(0) ? round(noi.div(exitCap).times(100)) : null);
  const worth = price && value && Decimal.min(price, value);
  const equity = worth && balance && decimal(round(worth.minus(balance).div(worth).times(100)));
  return {
    inputs: {
      carry_loan: round(told),
      carry_dscr: round(dscr),
      carry_balloon_year_5: round(told && told.times(limit('carry_balloon_share_year_5'))),
      carry_balloon_year_7: round(told && told.times(limit('carry_balloon_share_year_7'))),
      value: round(value),
      equity_pct: round(equity),
    },
    comparisons: {
      hot_carry_dscr: [dscr, limit('hot_carry_dscr_min')],
      warm_carry_dscr: [dscr, limit('warm_carry_dscr_min')],
      warm_motivation: [read('motivation_score'), limit('warm_motivation_min')],
      warm_equity: [equity, limit('warm_equity_pct_min')],
    },
  };
}

function decimal(text: string | null | undefined): Figure {
  return text === null || text === undefined ? null : plain(text);
}
