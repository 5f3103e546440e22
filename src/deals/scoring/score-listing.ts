import { isKnown } from '../../absence.js';
import { rateConfidence } from './confidence.js';
import { assessCreative } from './paths/creative.js';
import { scoreDeal } from './deal-score.js';
import { writeHeadline } from './headline.js';
import { findMotivation } from './motivation.js';
import { readPrices } from './price-reduction.js';
import { assessRental } from './paths/rental.js';
import { gatherFacts, remarksOf } from './score-facts.js';
import { scoredValues } from './scored-values.js';
import type { Score, ScoreInputs } from './score.js';
import { assessWholesale } from './paths/wholesale.js';

/**
 * Scores one listing on its three paths, with motivation, deal score, confidence and headline. Pure and total: the same
 * inputs give the same score, whichever are absent. Day counts change at 00:00 UTC; the confidence's 48 hours run to
 * the minute.
 */
export function scoreListing(inputs: ScoreInputs): Score {
  const { listing, underwriting, distress, now } = inputs;
  const remarks = remarksOf(listing);
  const days = daysOnFeed(listing.firstSeenAt, now);
  const prices = readPrices(listing);
  const values = scoredValues(listing, underwriting);
  const motivation = findMotivation({
    listing,
    values,
    remarks,
    distress,
    daysOnFeed: days,
    prices,
  });
  const facts = gatherFacts(inputs, values, remarks, motivation.length);
  const rental = assessRental(facts);
  const wholesale = assessWholesale(facts);
  const creative = assessCreative(facts);
  const scored = scoreDeal({
    rental: rental.inputs,
    motivationCount: motivation.length,
    distress,
    listPrice: values.listPrice,
  });
  const { confidenceScore, confidenceInputs } = rateConfidence(listing, underwriting, values, now);
  return {
    dealScore: scored.dealScore,
    dealScoreParts: scored.dealScoreParts,
    scoredYieldPct: scored.scoredYieldPct,
    scoredDscr: isKnown(underwriting.dscr) ? scored.scoredDscr : underwriting.dscr,
    confidenceScore,
    confidenceInputs,
    values,
    motivation,
    rentalStatus: rental.status,
    wholesaleStatus: wholesale.status,
    creativeStatus: creative.status,
    rationales: { rental, wholesale, creative },
    headline: writeHeadline({
      rental,
      listing,
      underwriting,
      motivation,
      prices,
    }),
    daysOnFeed: days,
    prices,
  };
}

const dayMs = 86_400_000;

/** Whole UTC calendar days since the service first sourced a listing; changes at 00:00 UTC, never negative. */
function daysOnFeed(firstSeenAt: Date, now: Date): number {
  return Math.max(0, Math.floor(now.getTime() / dayMs) - Math.floor(firstSeenAt.getTime() / dayMs));
}
