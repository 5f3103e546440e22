import { absent, isKnown, known, type Maybe } from '../../absence.js';
import { assumptionSet, type AssumptionSet } from '../../underwriting/assumption-set.js';
import { Exact, publishedExact } from '../../underwriting/decimal.js';
import { valueAtCap } from '../../underwriting/ratios.js';
import { isChecked } from '../../underwriting/underwriting.js';
import { leadRules } from './lead-rules.js';
import { composeLeadScore, rateEquityGap, type LeadPart, type LeadScore } from './lead-score.js';
import type { Score, ScoreInputs } from './score.js';

/**
 * Scores a motivated-listing lead by three parts. Undefined without a distress match at confidence 0.85 or more, since
 * it is then no lead.
 * - A base.
 * - The gap between the value at the target cap and the asking price, only with a reliable underwriting.
 * - The number of motivation codes.
 */
export function scoreMotivatedLead(
  { listing, underwriting, distress }: Pick<ScoreInputs, 'listing' | 'underwriting' | 'distress'>,
  score: Pick<Score, 'motivation'>,
  assumptions: AssumptionSet = assumptionSet,
): LeadScore | undefined {
  const rules = leadRules.motivatedListing;
  const confident = (match: Maybe<{ confidence: string }>): boolean =>
    isKnown(match) && new Exact(match.value.confidence).gte(rules.matchConfidenceMin);
  const [sale, tax] = [confident(distress.sheriffSale), confident(distress.taxDelinquency)];
  if (!sale && !tax) return undefined;

  const noi = underwriting.noiForValue;
  const value =
    isChecked(underwriting) && isKnown(noi) && new Exact(noi.value).gt(0)
      ? known(valueAtCap(noi.value, assumptions.targetCapPct).toFixed(0))
      : absent('no_arv_basis');
  // No underwriting is reliable without a price, so report the missing price instead.
  const isPriced = isKnown(listing.listPrice) && publishedExact(listing.listPrice.value).gt(0);
  const gap = isPriced
    ? rateEquityGap(
        {
          valueName: `value at the ${assumptions.targetCapPct}% target cap`,
          value,
          claimName: 'asking price',
          claim: listing.listPrice,
        },
        rules.equityGap,
      )
    : { points: 0, fact: 'asking price is not known' };
  const base = {
    points: rules.base,
    fact: `active listing matched to a ${sale ? 'sheriff sale' : 'tax-delinquency record'}`,
  };
  return composeLeadScore(base, gap, rateMotivation(score.motivation.length));
}

function rateMotivation(count: number): LeadPart {
  const { motivationPointsEach, motivationPointsMax } = leadRules.motivatedListing;
  return {
    points: Math.min(motivationPointsMax, motivationPointsEach * count),
    fact: `${count} motivation signal${count === 1 ? '' : 's'}`,
  };
}
