import { isKnown, type Maybe } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { Listing, PropertyType } from '../listings/listing.js';
import { findStatesOfZip } from '../places/metros/states.js';
import { lineOfLabel } from './expense-labels.js';
import { Exact, publishedExact } from './decimal.js';

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

/** What a listing states that can be doubted without any computation. */
export type StatedFacts = Pick<
  Listing,
  'listPrice' | 'units' | 'propertyType' | 'state' | 'zip' | 'noi' | 'expenseItems' | 'taxes'
>;

/** The codes that a listing's own words fire. Pure and total; an absent value fires none. */
export function flagStated(listing: StatedFacts): DataQualityFlag[] {
  const { listPrice, units, propertyType, state, zip, noi } = listing;
  const states = isKnown(zip) ? findStatesOfZip(zip.value) : [];
  const fired: DataQualityFlag[] = [];
  if (isKnown(listPrice) && isPlaceholder(listPrice.value)) fired.push('price_placeholder');
  if (isKnown(units) && !fits(units.value, propertyType)) fired.push('units_type_disagree');
  if (states.length > 0 && !states.includes(state)) fired.push('zip_state_disagree');
  if (!isKnown(noi) && noi.absent === 'parse_failed') fired.push('stated_noi_unreadable');
  if (areExpensesIncomplete(listing)) fired.push('expenses_incomplete');
  return fired;
}

/** The lines that no complete statement of expenses is without. */
const neededLines = ['taxes', 'insurance', 'repairs', 'management'] as const;

function areExpensesIncomplete({ expenseItems, taxes }: StatedFacts): boolean {
  if (!isKnown(expenseItems)) return false;
  const stated = new Set<string>(expenseItems.value.map(({ name }) => lineOfLabel(name)));
  if (isKnown(taxes)) stated.add('taxes');
  return neededLines.some((line) => !stated.has(line));
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

const [lowestPrice, priceLimit] = [new Exact(limits.price_min), new Exact(limits.price_below)];
const filler = new RegExp(limits.price_filler);

function isPlaceholder(listPrice: DecimalText): boolean {
  const price = publishedExact(listPrice);
  return price.lt(lowestPrice) || price.gte(priceLimit) || filler.test(price.trunc().toFixed());
}

const unitsOfType: Readonly<Record<PropertyType, (units: number) => boolean>> = {
  duplex: (units) => units === 2,
  triplex: (units) => units === 3,
  fourplex: (units) => units === 4,
  multifamily_5_plus: (units) => units >= 5,
  mixed_use: () => true,
  portfolio: (units) => units >= 2,
};

function fits(units: number, type: Maybe<PropertyType>): boolean {
  return isKnown(type) ? unitsOfType[type.value](units) : units !== 1;
}
