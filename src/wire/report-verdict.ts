import { dollars, percent } from './figures.js';

/** What of a report its verdict stands on, as decimal texts. */
export interface JudgedReport {
  readonly deal: {
    readonly list_price: string | null;
    readonly cap_gap_pct: string | null;
    readonly underwrite_reliability: string;
    readonly data_quality: readonly string[];
  };
  readonly offer_range: Offer | EarlierOffer | null;
  readonly absent: { readonly offer_range?: { readonly reason: string } };
}

interface Offer {
  readonly low: string;
  readonly walk_away_price: string;
  readonly max_price_at_target_cap: string;
  readonly max_price_at_min_dscr: string;
  readonly target_cap_pct: string;
}

/** As `uw-1` sold it. */
interface EarlierOffer {
  readonly low: string;
  readonly high: string;
  readonly target_cap_pct: string;
  readonly binding_constraint: string;
}

/** What a report comes to, in one sentence or up to three: the price, the claim, and what to check first. */
export function verdictOf({ deal, offer_range: offer, absent }: JudgedReport): string {
  const gap = Number(deal.cap_gap_pct ?? 0);
  const by = Math.abs(gap).toFixed(2);
  const [flag] = deal.data_quality;
  return [
    offer === null
      ? `No price can be suggested: ${wordsOf(reasons, absent.offer_range?.reason ?? '') ?? 'it is not told why'}.`
      : 'walk_away_price' in offer
        ? verdictOfPrice(offer, deal)
        : verdictOfEarlier(offer),
    ...(gap >= 1 ? [`The seller claims ${by} points more than HUD rents support.`] : []),
    ...(gap <= -1 ? [`HUD rents support ${by} points more than the seller claims.`] : []),
    ...(flag === undefined ? [] : [`Check first: ${wordsOf(doubts, flag) ?? flag.replaceAll('_', ' ')}.`]),
  ].join(' ');
}

function verdictOfPrice(
  offer: Offer,
  { list_price: asked, underwrite_reliability: fit }: JudgedReport['deal'],
): string {
  const { walk_away_price: most, low } = offer;
  if (asked === null) return `No asking price is stated; 90% of the stated income bears at most ${dollars(most)}.`;
  if (fit !== 'ok')
    return `HUD rents cannot check this claim; on 90% of the seller's income it is worth at most ${dollars(most)}.`;
  const target = `${percent(offer.target_cap_pct)} target cap`;
  const room = Number(most) - Number(asked);
  const [start, at] = [dollars(low), dollars(asked)];
  if (room >= 0)
    return `At ${at} it earns your ${target} and carries its debt with ${dollars(room.toFixed(2))} of room: start at ${start}.`;
  const under = ((-100 * room) / Number(asked)).toFixed(1);
  const isCap = Number(offer.max_price_at_target_cap) <= Number(offer.max_price_at_min_dscr);
  const fault = isCap ? `misses your ${target}` : 'does not carry its debt';
  return `Pay at most ${dollars(most)}, ${under}% under the ${at} asked: above it the lower of claimed and HUD income ${fault}. Start at ${start}.`;
}

function verdictOfEarlier({ low, high, binding_constraint: limit, target_cap_pct: target }: EarlierOffer): string {
  const why = {
    target_cap: `above it the income misses your ${percent(target)} target cap`,
    dscr: 'above it the income does not carry its debt at the least coverage',
  };
  return `Offer ${dollars(low)} to ${dollars(high)}: ${wordsOf(why, limit) ?? 'no more is asked'}.`;
}

const reasons = {
  insufficient_inputs: 'the income that a price could stand on is not known, or too low for one',
};

/** Each code of `data_quality` as the end of a sentence. */
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

function wordsOf(table: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined;
}
