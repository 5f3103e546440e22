/** @import { Report } from '../../../generated/types.gen.js' */
import { asPresent } from './earlier-report.js';

/** The sections of every report. */
const sections = ['deal', 'underwriting', 'scoring', 'signals', 'auctions', 'price_history', 'market', 'provenance'];

/**
 * Parses the JSON text of a report, of any version. It cannot verify that the figures were bought: any file in this
 * format is accepted.
 * @param {string} text
 * @returns {Report}
 * @throws {Error} saying what is wrong with the text
 */
export function readReport(text) {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(
      'This is JSON, but not a report: a report is one object, as GET /api/deals/{id}/report returns it.',
    );
  }
  if ('reason' in value && 'billed' in value) {
    throw new Error(`This is the reply of a request that failed (${String(value.reason)}), not a report.`);
  }
  const missing = sections.filter((section) => !(section in value));
  if (missing.length > 0) throw new Error(`This is JSON, but not a report: it has no ${missing.join(', ')}.`);
  return asPresent(/** @type {Report} */ (value));
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('This is not JSON. Save the unchanged body of the reply, and drop that file.');
  }
}
