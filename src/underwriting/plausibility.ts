import { Exact } from './decimal.js';

/** The limits of what can be true, `plausibility-2.0.0`; money in USD. */
export const plausibilityRules = {
  version: 'plausibility-2.0.0',
  thresholds: {
    /** Percent; a higher advertised cap is doubted whatever HUD rents support. */
    cap_rate_max: '15.00',
    /** A cap of more than this many times the HUD one is doubted. */
    cap_ratio_max: '2.5',
    /** Percentage points; of a wider gap one of the sides cannot be true. */
    gap_pct_max: '100',
    /** Lower prices, and those from `price_below` on, are those of other things. */
    price_min: '10000',
    price_below: '100000000',
    /** Of whole dollars: seven or more nines or ones, or digits counted upward from 1 to 6, 7, 8 or 9. */
    price_filler: '^(9{7,}|1{7,}|123456(7(89?)?)?)$',
  },
} as const;

const limits = plausibilityRules.thresholds;

/** A stated value that may be doubted, or the HUD rent that was found by it. */
export type Doubted = 'cap_rate' | 'county' | 'list_price' | 'rent' | 'units' | 'zip';

/**
 * The codes that keep a deal from Hot, and the values that each doubts. A doubted value is published as stated. For
 * scores, statuses, value, offer and equity it is read as absent. Source: docs/decisions/contract.md.
 */
export const doubtsOf = {
  cap_implausible: ['cap_rate'],
  price_placeholder: ['list_price'],
  units_type_disagree: ['units'],
  units_suspect: ['units'],
  zip_state_disagree: ['zip', 'rent'],
  zip_county_disagree: ['zip', 'county', 'rent'],
  stated_noi_unreadable: [],
} as const satisfies Readonly<Record<string, readonly Doubted[]>>;

export type BlockingFlag = keyof typeof doubtsOf;

/** What a careful reader should know of a row: the blocking codes, and others that only inform. */
export type DataQualityFlag = BlockingFlag | 'expenses_incomplete' | 'cap_noi_disagree' | 'hud_rent_stale';

/** The blocking codes among all flags of a row, in the order of the table. */
export function blockingFlags(flags: readonly string[]): BlockingFlag[] {
  return flags.length === 0 ? [] : blocking.filter((code) => flags.includes(code));
}

const blocking = Object.keys(doubtsOf) as BlockingFlag[];

/** The values that the flags of a row doubt. */
export function doubtedBy(flags: readonly string[]): Doubted[] {
  return flags.length === 0
    ? []
    : [...new Set(blockingFlags(flags).flatMap((code): readonly Doubted[] => doubtsOf[code]))];
}

const [highestCapPct, highestCapRatio] = [new Exact(limits.cap_rate_max), new Exact(limits.cap_ratio_max)];

/** True when the advertised cap is doubted: above 15.00%, or far above what HUD rents support where they check it. */
export function isCapImplausible(cap: Exact | undefined, underwritten: Exact | undefined, isChecked: boolean): boolean {
  if (cap === undefined) return false;
  if (cap.gt(highestCapPct)) return true;
  if (!isChecked || underwritten === undefined) return false;
  return underwritten.lte(0) || cap.gt(underwritten.times(highestCapRatio));
}

/** False for a gap of more than 100 percentage points: one of its sides cannot be true. */
export function isComparable(gap: Exact): boolean {
  return gap.abs().lte(limits.gap_pct_max);
}
