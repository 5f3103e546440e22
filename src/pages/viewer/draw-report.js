/** @import { Report } from '../../../generated/types.gen.js' */
import { drawComputed } from './draw-computed.js';
import { drawDoubts } from './draw-doubts.js';
import { drawEvidence } from './draw-evidence.js';
import { drawMarket } from './draw-market.js';
import { drawNumbers } from './draw-numbers.js';
import { drawPaths } from './draw-paths.js';
import { drawSensitivity } from './draw-sensitivity.js';
import { drawSummary } from './draw-summary.js';
import { drawUnderwriting } from './draw-underwriting.js';

const sections = [
  ...[drawSummary, drawUnderwriting, drawNumbers, drawDoubts, drawSensitivity],
  ...[drawPaths, drawEvidence, drawMarket, drawComputed],
];

/**
 * A report as sections of a page: the answer, the figures, the reasons, the sources.
 * @param {Report} report
 * @returns {readonly HTMLElement[]}
 */
export function drawReport(report) {
  return sections.map((draw) => draw(report));
}
