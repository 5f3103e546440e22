/** @import { OfferRange, Report } from '../../../generated/types.gen.js' */
import { h } from '../assets/dom.js';
import { markedLine, roundMarks } from './charts.js';
import { earlierFacts, earlierOffer } from './earlier-report.js';
import { axisUsd, figure, percent, terms, times, usd, words } from './figures.js';

/**
 * The prices: opening, walk-away and asking, on a line with the highest prices at the target cap and at the least
 * coverage.
 * @param {Report} report
 */
export function drawPrices({ offer_range: offer, deal }) {
  const earlier = earlierOffer(offer);
  if (offer === null) return lead([['Asking', figure(deal.list_price, usd, deal.absent, 'list_price')]]);
  if (earlier) return earlierFacts(earlier);
  return h(
    'div',
    { class: 'prices' },
    lead([
      ['Opening offer', usd(offer.low)],
      ['Walk away above', usd(offer.walk_away_price)],
      ['Asking', figure(deal.list_price, usd, deal.absent, 'list_price')],
    ]),
    priceLine(offer, deal.list_price),
  );
}

/** @param {readonly (readonly [string, import('../assets/dom.js').Child])[]} prices */
const lead = (prices) =>
  h(
    'dl',
    { class: 'figures lead-prices' },
    ...prices.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );

/**
 * @param {OfferRange} offer
 * @param {string | null} asked
 */
function priceLine({ low, walk_away_price: walkAway, ...offer }, asked) {
  const { max_price_at_target_cap: atCap, max_price_at_min_dscr: atDscr, target_cap_pct: cap, min_dscr: dscr } = offer;
  const isCap = Number(atCap) <= Number(atDscr);
  const marks = [
    { at: low, name: 'Opening', kind: 'mark opening' },
    { at: walkAway, name: `Walk-away, at ${isCap ? percent(cap) : times(dscr)}`, kind: 'mark walk-away' },
    ...(asked === null ? [] : [{ at: asked, name: 'Asking', kind: 'mark asking' }]),
    isCap
      ? { at: atDscr, name: `Debt at ${times(dscr)} bears`, kind: 'mark limit' }
      : { at: atCap, name: `At ${percent(cap)}`, kind: 'mark limit' },
  ].map(({ at, ...mark }) => ({ ...mark, at: Number(at), value: usd(at) }));
  const prices = marks.map(({ at }) => at);
  const narrow = document.documentElement.clientWidth < 560;
  return markedLine(marks, {
    axis: roundMarks(Math.min(...prices), Math.max(...prices), narrow ? 5 : 6),
    show: narrow ? axisUsd : (price) => usd(String(price)),
    told: marks.map(({ name, value }) => `${name} ${value}`).join(', '),
    range: [Number(low), Math.max(Number(low), Number(walkAway))],
  });
}

/**
 * What the prices rest on.
 * @param {Report} report
 */
export function priceTerms({ offer_range: offer }) {
  if (offer === null || earlierOffer(offer)) return undefined;
  return terms([
    ['Opening offer', `${usd(offer.low)}, ${offer.opening_discount_pct}% under the most, an assumption`],
    ['Middle of the range', usd(offer.mid)],
    ['Most to offer', `${usd(offer.high)}, limited by ${words(offer.binding_constraint)}`],
    ['Walk away above', usd(offer.walk_away_price)],
    ['Highest price at the target cap', usd(offer.max_price_at_target_cap)],
    ['Highest price that carries its debt', usd(offer.max_price_at_min_dscr)],
    ['Room over the asking price', figure(offer.headroom_pct, percent, offer.absent, 'headroom_pct')],
    ['Target cap', percent(offer.target_cap_pct)],
    ['Least debt coverage', times(offer.min_dscr)],
    ['Based on an income of', `${usd(offer.noi_for_value)}, ${words(offer.basis)}`],
    [
      'Middle under the asking price',
      figure(offer.discount_to_list_pct, percent, offer.absent, 'discount_to_list_pct'),
    ],
    [
      'Asking price meets the target',
      figure(offer.target_met_at_list, (met) => (met ? 'yes' : 'no'), offer.absent, 'target_met_at_list'),
    ],
    ['Rule', offer.rule_version],
  ]);
}
