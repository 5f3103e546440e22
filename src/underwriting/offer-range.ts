import { absent, isKnown, known, type Maybe } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { AssumptionSet } from './assumption-set.js';
import { Exact, publish, publishedExact } from './decimal.js';
import { mortgageConstant } from './mortgage.js';
import { maxLoanByDscr, valueAtCap } from './ratios.js';
import type { NoiForValueBasis, Underwriting } from './underwriting.js';

/** The version of the rule. */
export const offerVersion = 'offer-2.0.0';

/** The limit that sets the high end. */
export type BindingConstraint = 'target_cap' | 'dscr' | 'list_price';

/** What to offer, whole thousands of USD: low <= mid <= high. */
export interface OfferRange {
  /** The opening offer. */
  readonly low: DecimalText;
  readonly mid: DecimalText;
  /** The lower of the walk-away price and the asking price. */
  readonly high: DecimalText;
  /** The lower of the next two; may be above the asking price. */
  readonly walkAwayPrice: DecimalText;
  readonly maxPriceAtTargetCap: DecimalText;
  readonly maxPriceAtMinDscr: DecimalText;
  /** How far the opening offer is below what is paid at most, percent. An assumption. */
  readonly openingDiscountPct: DecimalText;
  /** How far the walk-away price is above the asking price, percent with one digit; negative when below. */
  readonly headroomPct: Maybe<DecimalText>;
  /** How far the middle of the range is below the asking price, percent with one digit. */
  readonly discountToListPct: Maybe<DecimalText>;
  readonly bindingConstraint: BindingConstraint;
  /** True when the asking price yields the target cap on the NOI for value. */
  readonly targetMetAtList: Maybe<boolean>;
  readonly targetCapPct: DecimalText;
  readonly minDscr: DecimalText;
  readonly noiForValue: DecimalText;
  readonly basis: NoiForValueBasis;
}

/**
 * Suggests offers on the NOI for value: at most what yields the target cap and carries its debt at the minimum DSCR,
 * opening with a declared discount that grows with the seller's motivation.
 * - Each price is rounded down to the declared step once; the constraint compares exact prices.
 * - Headroom, discount and whether the target is met use published prices.
 * - Absent (`insufficient_inputs`) when the NOI for value is absent or under one step, or no offer reaches one step.
 * - A doubted price counts as absent.
 */
export function suggestOffer(
  underwriting: Underwriting,
  listPrice: Maybe<DecimalText>,
  motivationCount: number,
  set: AssumptionSet,
): Maybe<OfferRange> {
  const { noiForValue, noiForValueBasis: basis, minDscr, doubted } = underwriting;
  const none = absent('insufficient_inputs');
  if (!isKnown(noiForValue) || !isKnown(basis)) return none;
  const noi = new Exact(noiForValue.value);
  if (noi.lt(set.offer.step)) return none;

  const stated = isKnown(listPrice) && !doubted.includes('list_price') ? publishedExact(listPrice.value) : undefined;
  const price = stated?.gt(0) ? stated : undefined;
  const constant = mortgageConstant({ ...set, ratePct: underwriting.ratePct });
  const atTargetCap = valueAtCap(noi, set.targetCapPct);
  const atMinDscr = maxLoanByDscr(noi, minDscr, constant).times(100).div(set.ltvPct);
  const limits: [BindingConstraint, Exact][] = [
    ['target_cap', atTargetCap],
    ['dscr', atMinDscr],
    ...(price ? [['list_price', price] as [BindingConstraint, Exact]] : []),
  ];
  const [bindingConstraint, most] = limits.reduce((lowest, next) => (next[1].lt(lowest[1]) ? next : lowest));

  const toStep = (value: Exact): Exact => value.divToInt(set.offer.step).times(set.offer.step);
  const openingDiscount = discountFor(motivationCount, set);
  const low = toStep(most.times(new Exact(100).minus(openingDiscount)).div(100));
  if (!low.gt(0)) return none;
  const high = toStep(most);
  const mid = toStep(low.plus(high).div(2));
  const walkAway = toStep(Exact.min(atTargetCap, atMinDscr));
  const shareOfPrice = (difference: (price: Exact) => Exact): Maybe<DecimalText> =>
    price ? known(publish(difference(price).div(price).times(100), 1)) : none;
  return known({
    low: low.toFixed(),
    mid: mid.toFixed(),
    high: high.toFixed(),
    walkAwayPrice: walkAway.toFixed(),
    maxPriceAtTargetCap: toStep(atTargetCap).toFixed(),
    maxPriceAtMinDscr: toStep(atMinDscr).toFixed(),
    openingDiscountPct: openingDiscount.toFixed(),
    headroomPct: shareOfPrice((list) => walkAway.minus(list)),
    discountToListPct: shareOfPrice((list) => list.minus(mid)),
    bindingConstraint,
    targetMetAtList: price ? known(toStep(atTargetCap).gte(price)) : none,
    targetCapPct: set.targetCapPct,
    minDscr,
    noiForValue: noiForValue.value,
    basis: basis.value,
  });
}

function discountFor(motivationCount: number, { offer }: AssumptionSet): Exact {
  const counted = Math.min(motivationCount, offer.motivationMax);
  return new Exact(offer.discountPerMotivationPct).times(counted).plus(offer.openingDiscountPct);
}
