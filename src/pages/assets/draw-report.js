/** @import { Report } from '../../../generated/types.gen.js' */
import { drawEvidence } from './draw-evidence.js';
import { drawMarket } from './draw-market.js';
import { drawOffer } from './draw-offer.js';
import { drawScores } from './draw-scores.js';
import { drawSensitivity } from './draw-sensitivity.js';
import { drawSummary } from './draw-summary.js';
import { drawUnderwriting } from './draw-underwriting.js';

/**
 * A report as sections of a page, in the order of a buying decision.
 * @param {Report} report
 * @returns {readonly HTMLElement[]}
 */
export function drawReport(report) {
  return [drawSummary, drawUnderwriting, drawSensitivity, drawOffer, drawScores, drawMarket, drawEvidence].map((draw) =>
    draw(report),
  );
}
