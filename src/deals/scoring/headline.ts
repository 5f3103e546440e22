import { isKnown, type AbsenceReason, type Maybe } from '../../absence.js';
import type { Listing } from '../../listings/listing.js';
import { Exact, publish } from '../../underwriting/decimal.js';
import { blockingFlags, type BlockingFlag } from '../../underwriting/plausibility.js';
import type { Underwriting } from '../../underwriting/underwriting.js';
import { readCode } from './judge.js';
import type { PricesRead } from './price-reduction.js';
import type { Rationale } from './rationale.js';
import { headlineRules } from './rule-sets.js';
import type { MotivationCode, MotivationSignal } from './score.js';

/** The inputs of a headline. */
export interface HeadlineInputs {
  readonly rental: Rationale;
  readonly listing: Listing;
  readonly underwriting: Underwriting;
  readonly motivation: readonly MotivationSignal[];
  readonly prices: PricesRead;
}

/**
 * One plain line on why a deal is interesting, from a closed set of templates. Figures and terms of the sale only:
 * never a word about people, schools, crime, family or any protected trait.
 * - Leads with what to check in the listing, if a stated value is doubted; then without a gap.
 * - Else leads with the advertised cap against the HUD-underwritten cap when they differ by a point or more either way,
 *   else with the strongest known fact.
 * - Says why a deal with the advertised cap of a Hot one is not Hot, where the lead does not.
 * - Says that no cap is claimed only when the source states or publishes none, not when it was unreadable or is
 *   suppressed.
 */
export function writeHeadline(inputs: HeadlineInputs, rules: typeof headlineRules = headlineRules): string {
  const [flag] = blockingFlags(inputs.underwriting.dataQuality);
  const lead = flag === undefined ? writeLead(inputs, rules) : `Check the listing: ${writeDoubt(flag, inputs)}`;
  const parts = [lead, writeLimit(inputs), writeDistress(inputs)].filter((part) => part !== undefined);
  return `${parts.join('; ')}.`;
}

/** What cannot be true, in a few words. */
function writeDoubt(flag: BlockingFlag, { listing }: HeadlineInputs): string {
  const { capRate, listPrice, units, propertyType, zip, state } = listing;
  const told = (value: Maybe<string | number>): string => (isKnown(value) ? String(value.value) : '');
  switch (flag) {
    case 'cap_implausible':
      return `a cap rate of ${publish(new Exact(told(capRate)), 2)}% is not plausible for this building`;
    case 'price_placeholder':
      return `an asking price of $${publish(new Exact(told(listPrice)), 2)} is not plausible`;
    case 'units_type_disagree':
      return isKnown(propertyType)
        ? `${told(units)} units do not fit the type ${propertyType.value.replaceAll('_', ' ')}`
        : 'a single unit is not a multifamily building';
    case 'units_suspect':
      return 'the price per unit is too low for this number of units';
    case 'zip_state_disagree':
      return `ZIP ${told(zip)} does not lie in ${state}`;
    case 'zip_county_disagree':
      return `ZIP ${told(zip)} does not lie in the stated county`;
    case 'stated_noi_unreadable':
      return 'its stated income could not be read';
  }
}

/** Why a deal with the advertised cap of a Hot one is not Hot; undefined where the lead tells it. */
function writeLimit({ rental: { reasons, checks }, underwriting }: HeadlineInputs): string | undefined {
  if (reasons.includes('rate_stale'))
    return `the interest rate behind its debt coverage is of ${underwriting.rates.asOf}`;
  const low = reasons.includes('dscr_below_hot') ? checks.find(({ code }) => code === 'hot_scored_dscr') : undefined;
  return low && `its debt coverage of ${low.actual} is under ${low.threshold}`;
}

function writeLead({ rental: { inputs }, listing, underwriting }: HeadlineInputs, rules: typeof headlineRules): string {
  const { capRate } = listing;
  const claimed = readCode(inputs, 'cap_rate');
  const hud = readCode(inputs, 'cap_rate_underwritten');
  const gap = readCode(inputs, 'cap_gap_pct');
  const rents = isKnown(underwriting.rent) ? `HUD FY${underwriting.rent.value.fiscalYear} rents` : 'HUD rents';

  if (claimed !== undefined && hud !== undefined && gap !== undefined) {
    const distance = new Exact(gap);
    const points = distance.abs().toFixed(2);
    if (distance.abs().lt(rules.thresholds.material_gap_pct)) {
      return `Claimed cap ${claimed}% is within ${points} points of the ${hud}% that ${rents} support`;
    }
    const doubt = underwriting.reliability === 'ok' ? '' : ', a proxy that does not fit this price per unit';
    return distance.gt(0)
      ? `Claimed cap ${claimed}% is ${points} points above the ${hud}% that ${rents} support${doubt}`
      : `Claimed cap ${claimed}% is ${points} points below the ${hud}% that ${rents} support${doubt}`;
  }
  if (claimed !== undefined) return `Claimed cap ${claimed}% could not be checked against HUD rents`;
  const isUnclaimed = !isKnown(capRate) && unclaimed.has(capRate.absent);
  if (hud !== undefined) {
    return isUnclaimed
      ? `No cap rate is claimed; ${rents} support ${hud}% at the asking price`
      : `${rents} support a cap rate of ${hud}% at the asking price`;
  }
  const dscr = readCode(inputs, 'dscr');
  if (dscr !== undefined)
    return `Stated income covers debt ${dscr} times${isUnclaimed ? '; no cap rate is claimed' : ''}`;
  return 'Price or income is not stated well enough to underwrite';
}

/** Absence reasons that mean nobody claimed a cap. */
const unclaimed: ReadonlySet<AbsenceReason> = new Set(['not_stated_by_source', 'not_published_by_source']);

/** The strongest motivation signal worth showing; at most one. */
function writeDistress({ motivation, prices: { reductionPct } }: HeadlineInputs): string | undefined {
  const fired = (code: MotivationCode): boolean => motivation.some((signal) => signal.code === code);
  if (fired('sheriff_sale_match')) return 'matched to an upcoming sheriff sale';
  if (fired('tax_delinquent_match')) return 'matched to a tax-delinquency record';
  if (fired('price_reduced') && isKnown(reductionPct)) return `asking price down ${reductionPct.value}%`;
  if (fired('remarks_seller_finance')) return 'seller financing offered';
  if (fired('auction_listing')) return 'offered at auction';
  return undefined;
}
