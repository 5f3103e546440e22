import { absent, isKnown, known, type Maybe } from '../../absence.js';
import { Exact, exactOf, publish, publishedExact } from '../../underwriting/decimal.js';
import { collectThresholds, type RationaleInputs } from './judge.js';
import { dealScoreRules } from './rule-sets.js';
import type { DistressMatches, Score } from './score.js';
import { scoredDscr, scoredYield } from './scored-figures.js';

/** The inputs of the deal score. */
export interface DealScoreInputs {
  /** The rental path's inputs: caps, DSCRs and reliability, as published. */
  readonly rental: RationaleInputs;
  readonly motivationCount: number;
  readonly distress: DistressMatches;
  readonly listPrice: Maybe<string>;
}

/**
 * The deal score, an integer from 0 to 100: yield, debt coverage, motivation and distress, rounded once, half-up, from
 * the unrounded addends. Asking price and amount owed count as published, in cents. The parts are the addends with two
 * digits. An absent input adds nothing.
 */
export function scoreDeal(
  { rental, motivationCount, distress, listPrice }: DealScoreInputs,
  rules: typeof dealScoreRules = dealScoreRules,
): Pick<Score, 'dealScore' | 'dealScoreParts' | 'scoredYieldPct' | 'scoredDscr'> {
  const t = rules.thresholds;
  const [yieldPct, dscr] = [scoredYield(rental, collectThresholds(t).at), scoredDscr(rental)];
  const yieldPoints = ramp(yieldPct, t.yield_from_pct, t.yield_span_pct).times(exactOf(t.yield_points));
  const dscrPoints = ramp(dscr, t.dscr_from, t.dscr_span).times(exactOf(t.dscr_points));
  const motivationPoints = Exact.min(
    exactOf(t.motivation_points_max),
    exactOf(t.motivation_points_each).times(motivationCount),
  );
  const distressPoints = scoreDistress(distress, listPrice, t);
  const total = yieldPoints.plus(dscrPoints).plus(motivationPoints).plus(distressPoints);
  return {
    dealScore: total.toDecimalPlaces(0).toNumber(),
    dealScoreParts: {
      yield: publish(yieldPoints, 2),
      dscr: publish(dscrPoints, 2),
      motivation: publish(motivationPoints, 2),
      distress: publish(distressPoints, 2),
    },
    scoredYieldPct: asFigure(yieldPct),
    scoredDscr: asFigure(dscr),
  };
}

function asFigure(figure: Exact | undefined): Maybe<string> {
  return figure === undefined ? absent('insufficient_inputs') : known(publish(figure, 2));
}

/** Position of a figure between `from` and `from + span`, 0 to 1; 0 when absent. */
function ramp(figure: Exact | undefined, from: string, span: string): Exact {
  const above = figure?.minus(exactOf(from));
  if (above === undefined || above.lte(zero)) return zero;
  const whole = exactOf(span);
  return above.gte(whole) ? one : above.div(whole);
}

function clamp(share: Exact): Exact {
  return share.lt(zero) ? zero : share.gt(one) ? one : share;
}

const [zero, one] = [new Exact(0), new Exact(1)];

function scoreDistress(
  { taxDelinquency, sheriffSale }: DistressMatches,
  listPrice: Maybe<string>,
  t: (typeof dealScoreRules)['thresholds'],
): Exact {
  let points = zero;
  if (isKnown(taxDelinquency)) {
    const { amount, confidence } = taxDelinquency.value;
    const price = isKnown(listPrice) ? publishedExact(listPrice.value) : undefined;
    const large = price?.gt(0) && publishedExact(amount).times(100).gte(price.times(t.tax_amount_pct_of_price_min));
    const each = new Exact(t.tax_match_points).plus(large ? t.tax_amount_points : 0);
    points = points.plus(each.times(clamp(new Exact(confidence))));
  }
  if (isKnown(sheriffSale)) {
    points = points.plus(clamp(new Exact(sheriffSale.value.confidence)).times(t.sheriff_match_points));
  }
  return Exact.min(points, exactOf(t.distress_points_max));
}
