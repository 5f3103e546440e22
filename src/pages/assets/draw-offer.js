/** @import { OfferRange, Report } from '../../../generated/types.gen.js' */
import { h, svg } from './dom.js';
import { earlierFacts, earlierOffer, earlierVerdict } from './earlier-report.js';
import { figure, percent, terms, times, usd, words } from './figures.js';

/**
 * The offer range, on a line with the asking price and the highest prices at the target cap and the least coverage.
 * @param {Report} report
 */
export function drawOffer({ offer_range: offer, absent, deal }) {
  const earlier = earlierOffer(offer);
  return h(
    'section',
    { 'aria-labelledby': 'offer' },
    h('h2', { id: 'offer' }, 'Offer range'),
    offer === null
      ? h('p', {}, 'No offer: ', figure(/** @type {null} */ (null), String, absent, 'offer_range'), '.')
      : earlier
        ? earlierFacts(earlier)
        : [priceLine(offer, deal.list_price), facts(offer)],
  );
}

/**
 * What the report comes to, in one sentence or up to three: the price, the claim, and what to check first.
 * @param {Report} report
 */
export function verdictOf({ offer_range: offer, absent, deal }) {
  const { cap_gap_pct: gap, data_quality: flags } = deal;
  const points = Number(gap ?? 0);
  const by = Math.abs(points).toFixed(2);
  const [flag] = flags;
  const earlier = earlierOffer(offer);
  return [
    offer === null
      ? `No price can be suggested: ${reasons[absent.offer_range?.reason ?? ''] ?? 'it is not told why'}.`
      : earlier
        ? earlierVerdict(earlier)
        : priceVerdict(offer, deal),
    ...(points >= 1 ? [`The seller claims ${by} points more than HUD rents support.`] : []),
    ...(points <= -1 ? [`HUD rents support ${by} points more than the seller claims.`] : []),
    ...(flag === undefined ? [] : [`Check first: ${doubts[flag] ?? words(flag)}.`]),
  ].join(' ');
}

/** @type {Readonly<Record<string, string>>} */
const reasons = {
  insufficient_inputs: 'the income that a price could stand on is not known, or too low for one',
};

/**
 * Each code of `data_quality` as the end of a sentence.
 * @type {Readonly<Record<string, string>>}
 */
const doubts = {
  cap_implausible: 'the advertised cap rate is not plausible for this building',
  price_placeholder: 'the asking price is not that of a building',
  units_type_disagree: 'the number of units does not fit the type of the building',
  units_suspect: 'the price per unit is too low for this number of units',
  zip_state_disagree: 'the ZIP does not lie in the stated state',
  zip_county_disagree: 'the ZIP does not lie in the stated county',
  stated_noi_unreadable: 'an income is stated that could not be read',
  expenses_incomplete: 'the stated expenses lack taxes, insurance, repairs or management',
  cap_noi_disagree: 'the advertised cap rate and the stated income disagree',
  hud_rent_stale: 'the HUD rent is of an earlier year than the one in force',
  address_not_parsed: 'the address could not be read',
  sources_disagree: 'sources state different prices or units',
};

/**
 * @param {OfferRange} offer
 * @param {Report['deal']} deal
 */
function priceVerdict(offer, { list_price: asked, underwrite_reliability: reliability }) {
  const { walk_away_price: most, low, target_cap_pct: target } = offer;
  if (asked === null) return `No asking price is stated; 90% of the stated income bears at most ${usd(most)}.`;
  if (reliability !== 'ok')
    return `HUD rents cannot check this claim; on 90% of the seller's income it is worth at most ${usd(most)}.`;
  const room = Number(most) - Number(asked);
  if (room >= 0)
    return `At ${usd(asked)} it earns your ${percent(target)} and carries its debt with ${usd(room.toFixed(2))} of room: start at ${usd(low)}.`;
  const under = ((-100 * room) / Number(asked)).toFixed(1);
  const isCap = Number(offer.max_price_at_target_cap) <= Number(offer.max_price_at_min_dscr);
  const fault = isCap ? `misses your ${percent(target)}` : 'does not carry its debt';
  return `Pay at most ${usd(most)}, ${under}% under the ${usd(asked)} asked: above it the lower of claimed and HUD income ${fault}. Start at ${usd(low)}.`;
}

/**
 * @param {OfferRange} offer
 * @param {string | null} listPrice
 */
function priceLine({ low, mid, high, max_price_at_target_cap: capMax, max_price_at_min_dscr: dscrMax }, listPrice) {
  const prices = [low, high, capMax, dscrMax, ...(listPrice === null ? [] : [listPrice])].map(Number);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const span = Math.max(most - least, most * 0.05);
  const share = (/** @type {string} */ price) => 6 + ((Number(price) - least) / span) * 88;
  const at = (/** @type {string} */ price) => `${share(price).toFixed(2)}%`;
  const tick = (/** @type {string} */ price, /** @type {string} */ kind) =>
    svg('line', { class: kind, x1: at(price), x2: at(price), y1: '6', y2: '42' });
  const told = `Offer ${usd(low)} to ${usd(high)}${listPrice === null ? '' : `, asking price ${usd(listPrice)}`}`;
  return h(
    'figure',
    {},
    svg(
      'svg',
      { class: 'plot', width: '100%', height: '48', role: 'img', 'aria-label': told },
      svg('line', { class: 'axis', x1: '0', x2: '100%', y1: '24', y2: '24' }),
      svg('rect', {
        class: 'range',
        x: at(low),
        width: `${Math.max(0.8, share(high) - share(low)).toFixed(2)}%`,
        y: '14',
        height: '20',
        rx: '4',
      }),
      tick(mid, 'mid'),
      tick(capMax, 'cap-max'),
      tick(dscrMax, 'dscr-max'),
      listPrice === null ? undefined : tick(listPrice, 'list-price'),
    ),
    h(
      'figcaption',
      { class: 'legend' },
      h('span', {}, h('span', { class: 'key range' }), ` offer ${usd(low)} to ${usd(high)}`),
      h('span', {}, h('span', { class: 'key mid' }), ` middle ${usd(mid)}`),
      listPrice === null
        ? undefined
        : h('span', {}, h('span', { class: 'key list-price' }), ` asking ${usd(listPrice)}`),
      h('span', {}, h('span', { class: 'key cap-max' }), ` highest price at the target cap ${usd(capMax)}`),
      h('span', {}, h('span', { class: 'key dscr-max' }), ` highest price that debt service supports ${usd(dscrMax)}`),
    ),
  );
}

/** @param {OfferRange} offer */
function facts(offer) {
  return terms([
    ['Opening offer', `${usd(offer.low)}, ${offer.opening_discount_pct}% under the most, an assumption`],
    ['Walk away above', usd(offer.walk_away_price)],
    ['Room over the asking price', figure(offer.headroom_pct, percent, offer.absent, 'headroom_pct')],
    ['Target cap', percent(offer.target_cap_pct)],
    ['Least debt-service coverage', times(offer.min_dscr)],
    ['Based on an NOI of', `${usd(offer.noi_for_value)}, ${words(offer.basis)}`],
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
