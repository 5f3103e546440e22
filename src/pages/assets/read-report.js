/** @import { Report } from '../../../generated/types.gen.js' */

/** What every report has. */
const sections = ['deal', 'underwriting', 'scoring', 'signals', 'auctions', 'price_history', 'market', 'provenance'];

/**
 * Reads the JSON text of a report. Its figures are those of whoever made the file: nothing here can tell whether they
 * were bought.
 *
 * @param {string} text
 * @returns {Report}
 * @throws {Error} saying what is wrong with the text
 */
export function readReport(text) {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(
      'This is JSON, but not a report: a report is one object, as GET /api/deals/{id}/report answers it.',
    );
  }
  if ('reason' in value && 'billed' in value) {
    throw new Error(`This is the answer to a request that failed (${String(value.reason)}), not a report.`);
  }
  const missing = sections.filter((section) => !(section in value));
  if (missing.length > 0) throw new Error(`This is JSON, but not a report: it has no ${missing.join(', ')}.`);
  return /** @type {Report} */ (value);
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('This is not JSON. Save the body of the answer as it came, and drop that file.');
  }
}
