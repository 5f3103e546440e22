/** @import { Report } from '../../../generated/types.gen.js' */
import { figure, percent, terms, usd, words } from './figures.js';

/**
 * The parts of a report of `uw-1` that are others today.
 * @typedef {object} EarlierUnderwriting
 * @property {{ version: string, min_dscr: string }} assumption_set
 * @property {readonly { name: string, amount: string }[] | null} expense_items
 * @property {{ expense_items?: { reason: string } }} absent
 */

/**
 * The offer of a report of `uw-1`: without a walk-away price, under the asking price.
 * @typedef {object} EarlierOffer
 * @property {string} low
 * @property {string} mid
 * @property {string} high
 * @property {string} target_cap_pct
 * @property {string} base_noi
 * @property {'noi_underwritten' | 'noi_discounted'} basis
 * @property {string} dscr_max_price
 * @property {'target_cap' | 'dscr' | 'list_price'} binding_constraint
 * @property {string | null} discount_to_list_pct
 * @property {boolean | null} target_met_at_list
 * @property {object} absent
 */

/**
 * The report with the fields of a present one; one of `uw-1` keeps its own offer.
 * @param {Report} report
 * @returns {Report}
 */
export function asPresent(report) {
  const earlier = /** @type {EarlierUnderwriting} */ (/** @type {unknown} */ (report.underwriting));
  const { assumption_set: set, expense_items: items, absent } = earlier;
  if (!set?.version?.startsWith('uw-1.')) return report;
  const underwriting = {
    ...report.underwriting,
    min_dscr: set.min_dscr,
    hud_published: null,
    expenses: items && items.map(({ name, amount }) => ({ line: name, amount, basis: 'stated' })),
    absent: { ...absent, hud_published: { reason: 'not_applicable' }, expenses: absent.expense_items },
  };
  return /** @type {Report} */ (/** @type {unknown} */ ({ ...report, underwriting }));
}

/**
 * The offer of a report of `uw-1`; undefined for a present one.
 * @param {Report['offer_range']} offer
 */
export function earlierOffer(offer) {
  return offer !== null && 'base_noi' in offer
    ? /** @type {EarlierOffer} */ (/** @type {unknown} */ (offer))
    : undefined;
}

const limits = {
  target_cap: (/** @type {string} */ target) => `above it the income misses your ${percent(target)} target cap`,
  dscr: () => 'above it the income does not carry its debt at the least coverage',
  list_price: () => 'no more is asked',
};

/** @param {EarlierOffer} offer */
export function earlierVerdict({ low, high, binding_constraint: limit, target_cap_pct: target }) {
  return `Offer ${usd(low)} to ${usd(high)}: ${limits[limit](target)}.`;
}

/** @param {EarlierOffer} offer */
export function earlierFacts(offer) {
  return terms([
    ['Offer', `${usd(offer.low)} to ${usd(offer.high)}, middle ${usd(offer.mid)}`],
    ['Target cap', percent(offer.target_cap_pct)],
    ['Based on an NOI of', `${usd(offer.base_noi)}, ${words(offer.basis)}`],
    ['Highest price that debt service supports', usd(offer.dscr_max_price)],
    ['Limit of the high end', words(offer.binding_constraint)],
    [
      'Middle under the asking price',
      figure(offer.discount_to_list_pct, percent, offer.absent, 'discount_to_list_pct'),
    ],
    [
      'Asking price meets the target',
      figure(offer.target_met_at_list, (met) => (met ? 'yes' : 'no'), offer.absent, 'target_met_at_list'),
    ],
  ]);
}
