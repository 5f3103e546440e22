import type { Maybe } from '../../absence.js';
import { type ObservedListing, propertyConditions, utilityPayers } from '../../listings/listing.js';
import { parseMoney, parseRate, parseUnits, unlessZero } from '../values/figures.js';
import { parseAddress, parseZip } from '../values/places.js';
import { parsePropertyType, parseYear } from '../values/sale-words.js';
import { parseCode, parseIdentifier, parseLine, parseRemarks, parseUrl } from '../values/text.js';
import { shortenCounty } from '../../places/metros/county-label.js';
import { parseExpenseItems, parseUnitMix } from './parse-statement.js';

type OptionalField = {
  [F in keyof ObservedListing]-?: ObservedListing[F] extends Maybe<unknown> ? F : never;
}[keyof ObservedListing];
export type OptionalFields = Pick<ObservedListing, OptionalField>;

/**
 * Fields that a manifest may map to a column: those of a listing but its marketplace, the display flag that can
 * suppress an address, and degrees on the map.
 */
export type MappableField =
  Exclude<keyof ObservedListing, 'marketplace' | 'isCapRateProForma' | 'location'> | (typeof unparsedFields)[number];

/** No fields of a listing by themselves. */
const unparsedFields = ['addressDisplay', 'latitude', 'longitude'] as const;

/** What else of a row decides what one of its texts means. */
export interface RowContext {
  /** Two-letter code; empty when unknown. */
  readonly state: string;
  readonly units: number | undefined;
  readonly currentYear: number;
}

type Parse<T> = (text: string, row: RowContext) => T;

const positiveMoney = { min: '1', max: '10000000000' };
const anyMoney = { min: '0', max: '10000000000' };
const signedMoney = { min: '-1000000000', max: '10000000000' };
/** A cap rate under 1 is probably a fraction (0.085); percent is required, so it is not guessed. */
const capRange = { min: '1', max: '100' };
const loanRateRange = { min: '0.5', max: '30' };
const percentRange = { min: '0', max: '100' };

/** Listing services write 0 for an empty field; a loan of 0 would look like full equity. */
const figure =
  <T>(parse: Parse<Maybe<T>>): Parse<Maybe<T>> =>
  (text, row) =>
    unlessZero(text, (stated) => parse(stated, row));

/**
 * The parser of each field that a listing may lack, from the text of a column. A zero means not stated, except for a
 * vacancy and an expense item.
 * - `unitMix` is written `2 x 1BR; 4 x 2BR`.
 * - `expenseItems` are all operating expenses, USD a year, written `taxes: 5210; insurance: 3100`.
 */
export const optionalFields: { readonly [F in OptionalField]: Parse<ObservedListing[F]> } = {
  address: parseAddress,
  zip: (text, { state }) => parseZip(text, state),
  county: (text, { state }) => parseLine(shortenCounty(text, state), 80),
  parcelId: (text) => parseIdentifier(text, 60),
  listingUrl: parseUrl,
  listPrice: figure((text) => parseMoney(text, positiveMoney)),
  units: figure((text) => parseUnits(text, 100_000)),
  unitMix: parseUnitMix,
  capRate: figure((text) => parseRate(text, capRange)),
  noi: figure((text) => parseMoney(text, signedMoney)),
  operatingExpenses: figure((text) => parseMoney(text, anyMoney)),
  expenseItems: parseExpenseItems,
  taxes: figure((text) => parseMoney(text, anyMoney)),
  utilitiesPaidBy: (text) => parseCode(text, utilityPayers),
  vacancyPct: (text) => parseRate(text, percentRange),
  assessedValue: figure((text) => parseMoney(text, positiveMoney)),
  propertyType: (text, { units }) => parsePropertyType(text, units),
  yearBuilt: figure((text, { currentYear }) => parseYear(text, currentYear)),
  condition: (text) => parseCode(text, propertyConditions),
  remarks: (text) => parseRemarks(text, 20_000),
  loanBalance: figure((text) => parseMoney(text, anyMoney)),
  loanRatePct: figure((text) => parseRate(text, loanRateRange)),
};

export const optionalListingFields = Object.keys(optionalFields) as readonly OptionalField[];

export const mappableFields: readonly MappableField[] = [
  ...(['sourceKey', 'city', 'state', 'saleCondition', 'terms'] as const),
  ...unparsedFields,
  ...optionalListingFields,
];
