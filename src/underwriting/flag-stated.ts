import { isKnown, type Maybe } from '../absence.js';
import type { DecimalText } from '../decimal-text.js';
import type { Listing, PropertyType } from '../listings/listing.js';
import { findStatesOfZip } from '../places/metros/states.js';
import { publishedExact, Exact } from './decimal.js';
import { lineOfLabel } from './expense-labels.js';
import { plausibilityRules, type DataQualityFlag } from './plausibility.js';

const { thresholds } = plausibilityRules;

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

const [lowestPrice, priceLimit] = [new Exact(thresholds.price_min), new Exact(thresholds.price_below)];
const filler = new RegExp(thresholds.price_filler);

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
