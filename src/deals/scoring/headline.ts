import { isKnown, type AbsenceReason, type Maybe } from '../../absence.js';
import { Exact } from '../../underwriting/decimal.js';
import type { Underwriting } from '../../underwriting/underwriting.js';
import type { RationaleInputs } from './judge.js';
import { readCode } from './judge.js';
import { headlineRules } from './rule-sets.js';
import type { MotivationCode, MotivationSignal } from './score.js';

/** The inputs of a headline. */
export interface HeadlineInputs {
  /** The rental path's inputs, as published. */
  readonly rental: RationaleInputs;
  /** The advertised cap, or why it is absent. */
  readonly capRate: Maybe<string>;
  readonly underwriting: Underwriting;
  readonly motivation: readonly MotivationSignal[];
  readonly priceReductionPct: Maybe<string>;
}

/**
 * One plain line on why a deal is interesting, from a closed set of templates. Figures and terms of the sale only:
 * never a word about people, schools, crime, family or any protected trait.
 * - Leads with the advertised cap against the HUD-underwritten cap when they differ by a point or more either way; else
 *   with the strongest known fact.
 * - Says that no cap is claimed only when the source states or publishes none, not when it was unreadable or is
 *   suppressed.
 */
export function writeHeadline(inputs: HeadlineInputs, rules: typeof headlineRules = headlineRules): string {
  const distress = writeDistress(inputs);
  return `${writeLead(inputs, rules)}${distress === undefined ? '' : `; ${distress}`}.`;
}

function writeLead({ rental, capRate, underwriting }: HeadlineInputs, rules: typeof headlineRules): string {
  const claimed = readCode(rental, 'cap_rate');
  const hud = readCode(rental, 'cap_rate_underwritten');
  const gap = readCode(rental, 'cap_gap_pct');
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
  const dscr = readCode(rental, 'dscr');
  if (dscr !== undefined)
    return `Stated income covers debt ${dscr} times${isUnclaimed ? '; no cap rate is claimed' : ''}`;
  return 'Price or income is not stated well enough to underwrite';
}

/** Absence reasons that mean nobody claimed a cap. */
const unclaimed: ReadonlySet<AbsenceReason> = new Set(['not_stated_by_source', 'not_published_by_source']);

/** The strongest motivation signal worth showing; at most one. */
function writeDistress({ motivation, priceReductionPct }: HeadlineInputs): string | undefined {
  const fired = (code: MotivationCode): boolean => motivation.some((signal) => signal.code === code);
  if (fired('sheriff_sale_match')) return 'matched to an upcoming sheriff sale';
  if (fired('tax_delinquent_match')) return 'matched to a tax-delinquency record';
  if (fired('price_reduced') && isKnown(priceReductionPct)) return `asking price down ${priceReductionPct.value}%`;
  if (fired('remarks_seller_finance')) return 'seller financing offered';
  if (fired('auction_listing')) return 'offered at auction';
  return undefined;
}
