import { isKnown, type Maybe } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { Listing, PropertyType } from '../listings/listing.js';
import { findStatesOfZip } from '../places/metros/states.js';
import { Exact, publishedExact } from './decimal.js';
import type { UnderwriteReliability } from './reliability.js';

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

/** The blocking codes among all flags of a row, in the order of the table. */
export function blockingFlags(flags: readonly string[]): BlockingFlag[] {
  return (Object.keys(doubtsOf) as BlockingFlag[]).filter((code) => flags.includes(code));
}

/** The values that the flags of a row doubt. */
export function doubtedBy(flags: readonly string[]): ReadonlySet<Doubted> {
  return new Set(blockingFlags(flags).flatMap((code): readonly Doubted[] => doubtsOf[code]));
}

/** What a listing states that can be doubted without any computation. */
export type StatedFacts = Pick<Listing, 'listPrice' | 'units' | 'propertyType' | 'state' | 'zip' | 'noi'>;

/** The blocking codes that a listing's own words fire. Pure and total; an absent value fires none. */
export function flagStated({ listPrice, units, propertyType, state, zip, noi }: StatedFacts): BlockingFlag[] {
  const states = isKnown(zip) ? findStatesOfZip(zip.value) : [];
  const fired: Partial<Record<BlockingFlag, boolean>> = {
    price_placeholder: isKnown(listPrice) && isPlaceholder(listPrice.value),
    units_type_disagree: isKnown(units) && !fits(units.value, propertyType),
    zip_state_disagree: states.length > 0 && !states.includes(state),
    stated_noi_unreadable: !isKnown(noi) && noi.absent === 'parse_failed',
  };
  return (Object.keys(doubtsOf) as BlockingFlag[]).filter((code) => fired[code]);
}

/** Figures by which a claim is doubted, as published. */
export interface CheckedFigures {
  readonly capRate: Maybe<DecimalText>;
  readonly capRateUnderwritten: Maybe<DecimalText>;
  readonly reliability: UnderwriteReliability;
}

/** Percent; a higher advertised cap is doubted whatever HUD rents support. */
const highestCapPct = '15.00';
/** A cap of more than this many times the reliable HUD one is doubted. */
const highestCapRatio = '2.5';

/** True when the advertised cap is doubted: above 15.00%, or far above what reliable HUD rents support. */
export function isCapImplausible({ capRate, capRateUnderwritten, reliability }: CheckedFigures): boolean {
  if (!isKnown(capRate)) return false;
  const cap = publishedExact(capRate.value);
  if (cap.gt(highestCapPct)) return true;
  if (reliability !== 'ok' || !isKnown(capRateUnderwritten)) return false;
  const hud = new Exact(capRateUnderwritten.value);
  return hud.lte(0) || cap.gt(hud.times(highestCapRatio));
}

/** USD: lower and higher prices are those of other things. */
const [lowestPrice, priceLimit] = ['10000', '100000000'];
/** Seven or more nines or ones, or digits counted upward from 1 to 6, 7, 8 or 9. */
const filler = /^(9{7,}|1{7,}|123456(7(89?)?)?)$/;

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
