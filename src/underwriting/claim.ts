import { absent, known, type AbsenceReason, type Maybe } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import { Exact, exactOf, publish, publishedExact, shareOf } from './decimal.js';
import type { HudIncome } from './hud-income.js';
import type { Doubted } from './plausibility.js';
import type { NoiForValueBasis } from './underwriting.js';

/** What the listing claims and HUD rent supports, each as published. */
export interface ClaimFacts {
  readonly statedNoi: Exact | undefined;
  /** Advertised cap x price. */
  readonly capNoi: Exact | undefined;
  readonly hud: HudIncome | undefined;
  /** True when HUD rents check the claim. */
  readonly isChecked: boolean;
  readonly doubted: ReadonlySet<Doubted>;
  /** Percent of a claim that counts when HUD rents do not check it. */
  readonly uncheckedSharePct: DecimalText;
  /** Why there is no income without a claim. */
  readonly lacking: AbsenceReason;
}

export interface ValueBasis {
  readonly noiForValue: Maybe<DecimalText>;
  readonly noiForValueBasis: Maybe<NoiForValueBasis>;
  readonly noiForArv: Maybe<DecimalText>;
}

/**
 * The income behind value, offers and debt: never rosier than either side supports.
 * - Checked: the lower of the lowest claim and HUD's NOI; HUD's NOI without a claim.
 * - Unchecked: a declared share of the claim, of a loss all of it; absent without one.
 * - For the value after repairs: the lower of a positive claim and HUD's NOI at the declared vacancy; absent
 *   (`no_arv_basis`) unchecked.
 * - A doubted claim counts only as a ceiling, where it is the lower one.
 *
 * Source of the rule: lenders count the lower of in-place and market income and give no credit for upside (public
 * summaries of Freddie Mac Small Balance Loans).
 */
export function valueBasis(facts: ClaimFacts): ValueBasis {
  const { statedNoi, capNoi, hud, isChecked, doubted, lacking } = facts;
  const claims = [statedNoi, doubted.has('cap_rate') || doubted.has('list_price') ? undefined : capNoi];
  const claim = lowest(claims);
  if (!isChecked || hud === undefined) {
    const share = claim && Exact.min(claim, publishedExact(shareOf(claim, exactOf(facts.uncheckedSharePct))));
    return {
      noiForValue: share ? known(publish(share, 2)) : absent(lacking),
      noiForValueBasis: share ? known('claim_discounted') : absent(lacking),
      noiForArv: absent('no_arv_basis'),
    };
  }
  const ceiling = lowest([...claims, doubted.has('list_price') ? undefined : capNoi]);
  const noi = lowest([ceiling, hud.noi]) ?? hud.noi;
  const isClaimed = claim !== undefined || ceiling?.lt(hud.noi);
  return {
    noiForValue: known(publish(noi, 2)),
    noiForValueBasis: known(isClaimed ? 'lesser_of_claimed_and_hud' : 'hud'),
    noiForArv: known(publish(ceiling?.gt(0) ? Exact.min(ceiling, hud.noiStabilized) : hud.noiStabilized, 2)),
  };
}

function lowest(figures: readonly (Exact | undefined)[]): Exact | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? undefined : Exact.min(...known);
}
