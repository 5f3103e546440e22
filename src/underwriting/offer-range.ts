import { absent, isKnown, known, type Maybe } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { AssumptionSet } from './assumption-set.js';
import { Exact, publish, publishedExact } from './decimal.js';
import { mortgageConstant } from './mortgage.js';
import { maxLoanByDscr, valueAtCap } from './ratios.js';
import type { Underwriting } from './underwriting.js';

/** The limit that sets the high end. */
export type BindingConstraint = 'target_cap' | 'list_price' | 'dscr';

/** A suggested range of offers, whole thousands of USD, low <= mid <= high. */
export interface OfferRange {
  readonly low: DecimalText;
  readonly mid: DecimalText;
  readonly high: DecimalText;
  /** The highest price at which the minimum DSCR still holds. */
  readonly dscrMaxPrice: DecimalText;
  readonly targetCapPct: DecimalText;
  /** The NOI behind the range, USD a year. */
  readonly baseNoi: DecimalText;
  readonly basis: 'noi_underwritten' | 'noi_discounted';
  /** How far the middle of the range is below the asking price, percent with one digit. */
  readonly discountToListPct: Maybe<DecimalText>;
  readonly bindingConstraint: BindingConstraint;
  /** True when the asking price already yields the target cap on the base NOI. */
  readonly targetMetAtList: Maybe<boolean>;
}

/**
 * Suggests offers that meet the target cap t: base / (t + spread), base / t, base / (t - spread). Base and asking price
 * count as published, in cents, so a buyer can recompute the range.
 * - The base is the underwritten NOI if reliable, else a declared share of the row's NOI.
 * - The asking price, and the price at which the minimum DSCR holds, cap the high end.
 * - All offers are rounded down to the declared step.
 * - Absent (`insufficient_inputs`, or the NOI's reason) without a positive NOI, or when no offer reaches one step.
 */
export function suggestOffer(
  underwriting: Underwriting,
  listPrice: Maybe<DecimalText>,
  set: AssumptionSet,
): Maybe<OfferRange> {
  const reliable = underwriting.reliability === 'ok';
  const noi = reliable ? underwriting.noiUnderwritten : underwriting.noi;
  if (!isKnown(noi)) return noi;
  const base = publishedExact(new Exact(noi.value).times(reliable ? 100 : set.uncheckedNoiSharePct).div(100));
  const stated = isKnown(listPrice) ? publishedExact(listPrice.value) : undefined;
  const price = stated?.gt(0) ? stated : undefined;

  const target = new Exact(set.targetCapPct);
  const { ratePct, minDscr } = underwriting;
  const constant = mortgageConstant({ ratePct, amortizationYears: set.amortizationYears });
  const dscrMax = maxLoanByDscr(base, minDscr, constant).times(100).div(set.ltvPct);
  const atTarget = valueAtCap(base, target);
  const ceilings: [BindingConstraint, Exact][] = [
    ['target_cap', valueAtCap(base, target.minus(set.offer.highSpreadPct))],
    ['dscr', dscrMax],
  ];
  if (price) ceilings.push(['list_price', price]);
  const [bindingConstraint, high] = ceilings.reduce((lowest, next) => (next[1].lt(lowest[1]) ? next : lowest));
  const offer = (value: Exact): Exact => Exact.min(value, high).divToInt(set.offer.step).times(set.offer.step);
  const low = offer(valueAtCap(base, target.plus(set.offer.lowSpreadPct)));
  if (!low.gt(0)) return absent('insufficient_inputs');
  const mid = offer(atTarget);

  return known({
    low: low.toFixed(),
    mid: mid.toFixed(),
    high: offer(high).toFixed(),
    dscrMaxPrice: dscrMax.divToInt(set.offer.step).times(set.offer.step).toFixed(),
    targetCapPct: set.targetCapPct,
    baseNoi: publish(base, 2),
    basis: reliable ? 'noi_underwritten' : 'noi_discounted',
    discountToListPct: price
      ? known(publish(price.minus(mid).div(price).times(100), 1))
      : absent('insufficient_inputs'),
    bindingConstraint,
    targetMetAtList: price ? known(atTarget.gte(price)) : absent('insufficient_inputs'),
  });
}
