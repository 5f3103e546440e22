/** @import { OfferRange, Report } from '../../../generated/types.gen.js' */
import { earlierOffer, earlierVerdict } from './earlier-report.js';
import { percent, reasonWords, usd, words } from './figures.js';

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
      ? `No price can be suggested: ${reasonWords(absent.offer_range?.reason ?? 'unknown')}.`
      : earlier
        ? earlierVerdict(earlier)
        : priceVerdict(offer, deal),
    ...(points >= 1 ? [`The seller claims ${by} points more than HUD rents support.`] : []),
    ...(points <= -1 ? [`HUD rents support ${by} points more than the seller claims.`] : []),
    ...(flag === undefined ? [] : [`Check first: ${doubtWords(flag)}.`]),
  ].join(' ');
}

/**
 * Each code of `data_quality` as the end of a sentence.
 * @type {Readonly<Record<string, string>>}
 */
const doubts = {
  cap_implausible: 'the advertised cap rate is not plausible for this building',
  price_placeholder: 'the asking price is not that of a building',
  units_type_disagree: 'the number of units does not fit the type of the building',
  units_suspect: 'the price per unit looks too low to be true',
  zip_state_disagree: 'the ZIP does not lie in the stated state',
  zip_county_disagree: 'the ZIP does not lie in the stated county',
  stated_noi_unreadable: 'an income is stated that could not be read',
  expenses_incomplete: 'the stated expenses lack taxes, insurance, repairs or management',
  cap_noi_disagree: 'stated cap and stated income contradict each other',
  hud_rent_stale: 'HUD has newer rents than the ones used',
  address_not_parsed: 'the address could not be read',
  sources_disagree: 'sources state different prices or units',
};

/**
 * What is doubted, as the end of a sentence.
 * @param {string} flag a code of `data_quality`
 */
export const doubtWords = (flag) => doubts[flag] ?? words(flag);

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
    return `At ${usd(asked)} it earns your ${percent(target)} target cap and carries its debt with ${usd(room.toFixed(2))} of room: start at ${usd(low)}.`;
  const under = ((-100 * room) / Number(asked)).toFixed(1);
  const isCap = Number(offer.max_price_at_target_cap) <= Number(offer.max_price_at_min_dscr);
  const fault = isCap ? `misses your ${percent(target)} target cap` : 'does not carry its debt';
  return `Pay at most ${usd(most)}, ${under}% under the ${usd(asked)} asked: above it the lower of claimed and HUD income ${fault}. Start at ${usd(low)}.`;
}
