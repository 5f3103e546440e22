import { absent, isKnown, known, type Maybe } from '../../absence.js';
import { hasTwoDigits, type DecimalText } from '../../decimal-text.js';
import type { Listing } from '../../listings/listing.js';
import { exactOf, publish } from '../../underwriting/decimal.js';
import type { Doubted } from '../../underwriting/plausibility.js';
import { capRatePct } from '../../underwriting/ratios.js';
import type { UnderwriteReliability } from '../../underwriting/reliability.js';
import { isChecked, type Underwriting } from '../../underwriting/underwriting.js';

/** The values that scores count, as published: absent where they are doubted, or computed from a doubted value. */
export interface ScoredValues {
  readonly doubted: ReadonlySet<Doubted>;
  /** USD with cents. */
  readonly listPrice: Maybe<DecimalText>;
  readonly units: Maybe<number>;
  /** Advertised, percent. */
  readonly capRate: Maybe<DecimalText>;
  /** A stated NOI over the asking price, percent; absent without both. */
  readonly statedYieldPct: Maybe<DecimalText>;
  readonly rent: Underwriting['rent'];
  readonly noi: Maybe<DecimalText>;
  readonly noiUnderwritten: Maybe<DecimalText>;
  readonly capRateUnderwritten: Maybe<DecimalText>;
  readonly capGapPct: Maybe<DecimalText>;
  /** Based on the underwritten NOI where the row's NOI depends on a doubted cap. */
  readonly dscr: Maybe<DecimalText>;
  readonly dscrBasis: 'computed' | 'derived_from_advertised_cap' | 'underwritten';
  readonly dscrUnderwritten: Maybe<DecimalText>;
  /** `unknown` where price, units or rent is doubted. */
  readonly reliability: UnderwriteReliability;
}

/** The values of a row that scores count. Pure; without a doubt they are the published ones. */
export function scoredValues(listing: Listing, underwriting: Underwriting): ScoredValues {
  const doubted = new Set(underwriting.doubted);
  const keep = <T>(value: Maybe<T>, ...grounds: readonly Doubted[]): Maybe<T> =>
    isKnown(value) && grounds.some((each) => doubted.has(each)) ? absent('insufficient_inputs') : value;
  const { noiSource, reliability } = underwriting;
  const source = isKnown(noiSource) ? noiSource.value : undefined;
  const groundsOfNoi: readonly Doubted[] =
    source === 'derived_from_advertised_cap'
      ? ['cap_rate', 'list_price']
      : source === 'underwritten'
        ? ['units', 'rent']
        : [];
  const hud = ['units', 'rent'] as const;
  const noi = keep(underwriting.noi, ...groundsOfNoi);
  const listPrice = keep(asPublished(listing.listPrice), 'list_price');
  const dscrUnderwritten = keep(underwriting.dscrUnderwritten, ...hud, 'list_price');
  const isDoubted = [...hud, 'list_price' as const].some((each) => doubted.has(each));
  const isDscrDoubted = isKnown(underwriting.noi) && !isKnown(noi);
  return {
    doubted,
    listPrice,
    units: keep(listing.units, 'units'),
    capRate: keep(asPublished(listing.capRate), 'cap_rate'),
    statedYieldPct: source === 'stated' ? yieldOf(noi, listPrice) : absent('not_stated_by_source'),
    rent: keep(underwriting.rent, 'rent'),
    noi,
    noiUnderwritten: keep(underwriting.noiUnderwritten, ...hud),
    capRateUnderwritten: keep(underwriting.capRateUnderwritten, ...hud, 'list_price'),
    capGapPct: keep(underwriting.capGapPct, ...hud, 'list_price', 'cap_rate'),
    dscr: isDscrDoubted
      ? isChecked(underwriting)
        ? dscrUnderwritten
        : absent('insufficient_inputs')
      : keep(underwriting.dscr, 'list_price'),
    dscrBasis: isDscrDoubted ? 'underwritten' : source === undefined || source === 'stated' ? 'computed' : source,
    dscrUnderwritten,
    reliability: isDoubted ? 'unknown' : reliability,
  };
}

function yieldOf(noi: Maybe<DecimalText>, price: Maybe<DecimalText>): Maybe<DecimalText> {
  if (!isKnown(noi) || !isKnown(price) || !exactOf(price.value).gt(0)) return absent('insufficient_inputs');
  return known(publish(capRatePct(noi.value, price.value), 2));
}

/** The figure with two digits, as it is published. */
export function asPublished(figure: Maybe<DecimalText>): Maybe<DecimalText> {
  return isKnown(figure) && !hasTwoDigits(figure.value) ? known(publish(exactOf(figure.value), 2)) : figure;
}
