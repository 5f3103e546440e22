import { isKnown, known, type Maybe } from '../../../absence.js';
import type { Listing, ListingTerm } from '../../../listings/listing.js';
import { Exact, exactOf, publish, publishRatio, shareOf } from '../../../underwriting/decimal.js';
import { publishedValueAtCap } from '../../../underwriting/ratios.js';
import { collectInputs, type InputCollector } from '../collect-inputs.js';
import {
  check,
  collectThresholds,
  failed,
  made,
  passed,
  readCode,
  readDecimal,
  type MaybeCheck,
  type RationaleInputs,
  type Thresholds,
  type Verdict,
} from '../judge.js';
import { addLimits, limitHot, summarizeLimit } from '../hot-limits.js';
import type { PathStatus, Rationale } from '../rationale.js';
import { creativeRules, type RuleSet } from '../rule-sets.js';
import type { ScoreFacts } from '../score-facts.js';
import { stateNotices } from '../state-notices.js';

/** Terms under which the seller holds the debt, firmest first. */
const carryTerms = ['owner_will_carry', 'owner_may_carry', 'land_contract', 'all_inclusive_trust_deed'] as const;
/** Other terms that exclude a bank; shown in the rationale, without effect on the status. */
const otherTerms = ['lease_option', 'assumable'] as const;

const dueOnSaleNotice =
  'Federal: a lender may call an existing loan due when the property is transferred (12 U.S.C. 1701j-3).';

/**
 * Judges the creative-finance path: the income that value stands on, against a loan carried by the seller. A cash-only
 * auction is never carried. What is unchecked or doubted is never Hot (`limitHot`).
 * - Hot: an explicit carry term (a listing term, or an offer in the remarks) and enough coverage.
 * - Warm: coverage with motivation or equity.
 * - Pass: otherwise, including absent inputs.
 * - Taking over an existing loan affects no status. It shows, with its `due_on_sale_risk`, only when balance and rate
 *   are known and the rate is well under the market.
 */
export function assessCreative(facts: ScoreFacts, rules: RuleSet = creativeRules): Rationale {
  const collector = collectInputs();
  addStated(collector, facts);
  const { inputs, missing } = collector;
  const { at, read: thresholds } = collectThresholds(rules.thresholds);
  const figures = computeCarry(inputs, at);
  const verdict = judge(inputs, figures, at);
  addComputed(collector, figures, verdict, at, facts);
  const notices = stateNotices('creative', facts.listing.state);
  return {
    path: 'creative',
    ruleVersion: rules.version,
    status: verdict.status,
    checks: verdict.checks,
    reasons: verdict.reasons,
    summary: summarize(verdict),
    inputs,
    thresholds,
    missing,
    stateNotices: figures.subjectTo ? [...notices, dueOnSaleNotice] : notices,
  };
}

/**
 * Recomputes the status from a rationale's inputs and thresholds alone.
 *
 * @throws RangeError when a threshold is missing
 */
export function replayCreativeStatus({ inputs, thresholds }: Pick<Rationale, 'inputs' | 'thresholds'>): PathStatus {
  const { at } = collectThresholds(thresholds);
  return judge(inputs, computeCarry(inputs, at), at).status;
}

function addStated(collector: InputCollector, facts: ScoreFacts): void {
  const { add } = collector;
  const { listing, underwriting, values, hudYear, statedOn, today } = facts;
  add('list_price', values.listPrice, 'usd', 'stated_by_source', statedOn);
  add('noi_for_value', underwriting.noiForValue, 'usd', 'computed', hudYear);
  add('metro_median_cap_rate', facts.metroMedianCapPct, 'percent', 'computed', today);
  if (listing.saleCondition === 'auction' && listing.terms.includes('cash_only'))
    add('cash_only_auction', known('true'), 'flag', 'stated_by_source', statedOn);
  add('carry_term', carryTermOf(facts), 'code', 'stated_by_source', statedOn);
  const other = firstTerm(listing, otherTerms);
  if (other !== undefined) add('other_term', known(other), 'code', 'stated_by_source', statedOn);
  add('loan_balance', listing.loanBalance, 'usd', 'stated_by_source', statedOn);
  add('loan_rate_pct', listing.loanRatePct, 'percent', 'stated_by_source', statedOn);
  // What it is compared with.
  if (isKnown(listing.loanRatePct))
    add('market_rate_pct', known(underwriting.ratePct), 'percent', 'assumed', underwriting.rates.asOf);
  add('motivation_score', known(String(facts.motivationCount)), 'count', 'computed', today);
  addLimits(collector, facts);
}

function carryTermOf({ listing, remarks }: ScoreFacts): Maybe<string> {
  const term = firstTerm(listing, carryTerms) ?? (remarks.has('seller_finance') ? 'remarks_seller_finance' : undefined);
  return term === undefined ? { absent: 'not_stated_by_source' } : known(term);
}

function firstTerm(listing: Listing, wanted: readonly ListingTerm[]): ListingTerm | undefined {
  return wanted.find((term) => listing.terms.includes(term));
}

interface CarryFigures {
  readonly carryLoan: Exact | undefined;
  /** As published: two digits. */
  readonly carryDscr: Exact | undefined;
  /** At the exit cap, USD with cents. */
  readonly value: Exact | undefined;
  /** Of the lower of asking price and value. */
  readonly equityPct: Exact | undefined;
  readonly subjectTo: boolean;
}

/** Percent. */
const all = new Exact(100);

function computeCarry(inputs: RationaleInputs, at: Thresholds): CarryFigures {
  const limit = (name: string): Exact => exactOf(at(name));
  const stated = readDecimal(inputs, 'list_price');
  const price = stated?.gt(0) ? stated : undefined;
  const carried = readCode(inputs, 'cash_only_auction') === 'true' ? undefined : price;
  const carryLoan = carried && shareOf(carried, all.minus(limit('carry_down_pct')));
  const noi = readDecimal(inputs, 'noi_for_value');
  const service = carryLoan?.times(limit('carry_loan_constant'));
  const balance = readDecimal(inputs, 'loan_balance');
  const [rate, marketRate] = [readDecimal(inputs, 'loan_rate_pct'), readDecimal(inputs, 'market_rate_pct')];
  const exitCapPct = Exact.max(limit('exit_cap_rate_min'), readDecimal(inputs, 'metro_median_cap_rate') ?? 0);
  const value = noi?.gt(0) ? publishedValueAtCap(noi, exitCapPct) : undefined;
  const worth = price && value && Exact.min(price, value);
  return {
    carryLoan,
    carryDscr: noi?.gt(0) && service ? exactOf(publishRatio(noi, service, 2)) : undefined,
    value,
    equityPct: worth && balance ? worth.minus(balance).div(worth).times(100).toDecimalPlaces(2) : undefined,
    subjectTo:
      balance !== undefined &&
      rate !== undefined &&
      marketRate?.minus(rate).gte(limit('subject_to_spread_min')) === true,
  };
}

/** The loan and its balloons are told where the seller may carry it. */
function addComputed(
  { add }: InputCollector,
  figures: CarryFigures,
  { status }: Verdict,
  at: Thresholds,
  { statedOn }: ScoreFacts,
): void {
  add('carry_dscr', asFigure(figures.carryDscr), 'ratio', 'computed', statedOn);
  if (status !== 'Pass') {
    add('carry_loan', asFigure(figures.carryLoan), 'usd', 'computed', statedOn);
    for (const year of [5, 7]) {
      const owed = figures.carryLoan?.times(at(`carry_balloon_share_year_${year}`));
      add(`carry_balloon_year_${year}`, asFigure(owed), 'usd', 'computed', statedOn);
    }
  }
  add('value', asFigure(figures.value), 'usd', 'computed', statedOn);
  add('equity_pct', asFigure(figures.equityPct), 'percent', 'computed', statedOn);
}

function judge(inputs: RationaleInputs, figures: CarryFigures, at: Thresholds): Verdict {
  return limitHot(judgeCarry(inputs, figures, at), inputs);
}

function judgeCarry(inputs: RationaleInputs, figures: CarryFigures, at: Thresholds): Verdict {
  const { carryDscr } = figures;
  const hotDscr = check('hot_carry_dscr', carryDscr, '>=', at('hot_carry_dscr_min'));
  const warmDscr = check('warm_carry_dscr', carryDscr, '>=', at('warm_carry_dscr_min'));
  const motivation = readDecimal(inputs, 'motivation_score');
  const motivated = check('warm_motivation', motivation, '>=', at('warm_motivation_min'));
  const equity = check('warm_equity', figures.equityPct, '>=', at('warm_equity_pct_min'));
  const checks = made(hotDscr, warmDscr, motivated, equity);
  const takeOver = figures.subjectTo ? ['subject_to_possible', 'due_on_sale_risk'] : [];
  const carries = readCode(inputs, 'carry_term') !== undefined;

  if (carries && passed(hotDscr)) return { status: 'Hot', checks, reasons: ['carry_term_and_coverage', ...takeOver] };
  if (passed(warmDscr) && (passed(motivated) || passed(equity))) {
    return {
      status: 'Warm',
      checks,
      reasons: [passed(motivated) ? 'coverage_and_motivation' : 'coverage_and_equity', ...takeOver],
    };
  }
  return { status: 'Pass', checks, reasons: [whyPass(warmDscr, carries), ...takeOver] };
}

function whyPass(warmDscr: MaybeCheck, carries: boolean): string {
  if (warmDscr === undefined) return 'inputs_missing';
  if (failed(warmDscr)) return 'carry_dscr_below_warm';
  return carries ? 'carry_dscr_below_hot' : 'no_opening';
}

const summaries: Readonly<Record<string, string>> = {
  carry_term_and_coverage: 'The seller offers to carry the loan, and the income covers it.',
  coverage_and_motivation: 'The income would cover a loan carried by the seller, and the sale shows motivation.',
  coverage_and_equity: 'The income would cover a loan carried by the seller, and the equity leaves room for one.',
  carry_dscr_below_warm: 'The income would not cover a loan carried by the seller.',
  carry_dscr_below_hot: 'The seller offers to carry the loan, but the income covers it only narrowly.',
  no_opening: 'The income would cover a loan carried by the seller, but nothing suggests that one is on offer.',
};

function summarize({ reasons }: Verdict): string {
  return (
    summarizeLimit(reasons) ??
    summaries[reasons[0] ?? ''] ??
    'Coverage of a loan carried by the seller cannot be told from what is known.'
  );
}

function asFigure(value: Exact | undefined): Maybe<string> {
  return value === undefined ? { absent: 'insufficient_inputs' } : known(publish(value, 2));
}
