import { Decimal } from 'decimal.js';
import { tellsMore } from '../../../places/addresses/tells-more.js';
import { isKnown } from '../../../absence.js';
import type { SaleCondition, UtilityPayer } from '../../../listings/listing.js';
import { parsePropertyType, typeOfUnits } from '../../values/sale-words.js';
import type { MappableField } from '../listing-fields.js';

type Property = Readonly<Record<string, unknown>>;

/**
 * The Data Dictionary fields that are read. Source: RESO Data Dictionary 2.0. OriginalListPrice, DaysOnMarket and
 * GrossScheduledIncome are not requested, since no field takes them: price cuts and age come from this service's
 * observations, and income from HUD's rents.
 */
export const propertyFields = [
  ...['ListingKey', 'StandardStatus', 'PropertyType', 'PropertySubType', 'ModificationTimestamp'],
  ...['InternetAddressDisplayYN', 'InternetEntireListingDisplayYN'],
  ...['UnparsedAddress', 'StreetNumber', 'StreetDirPrefix', 'StreetName', 'StreetSuffix', 'StreetDirSuffix'],
  ...['UnitNumber', 'City', 'StateOrProvince', 'PostalCode', 'CountyOrParish', 'ParcelNumber', 'ListingURL'],
  ...['ListPrice', 'NumberOfUnitsTotal', 'NumberOfUnitsVacant', 'CapRate', 'NetOperatingIncome', 'OperatingExpense'],
  ...['TaxAnnualAmount', 'TaxAssessedValue', 'VacancyAllowanceRate', 'YearBuilt', 'PropertyCondition'],
  ...['SpecialListingConditions', 'ListingTerms', 'PublicRemarks'],
] as const;

/** Fields that not every server has. */
export const optionalFields = ['OwnerPays', 'Latitude', 'Longitude'] as const;

export type PropertyField = (typeof propertyFields | typeof optionalFields)[number];

/** Fields that map to one column. */
const plain: readonly (readonly [MappableField, PropertyField])[] = [
  ['sourceKey', 'ListingKey'],
  ['addressDisplay', 'InternetAddressDisplayYN'],
  ['city', 'City'],
  ['state', 'StateOrProvince'],
  ['zip', 'PostalCode'],
  ['county', 'CountyOrParish'],
  ['latitude', 'Latitude'],
  ['longitude', 'Longitude'],
  ['parcelId', 'ParcelNumber'],
  ['listingUrl', 'ListingURL'],
  ['listPrice', 'ListPrice'],
  ['capRate', 'CapRate'],
  ['noi', 'NetOperatingIncome'],
  ['operatingExpenses', 'OperatingExpense'],
  ['taxes', 'TaxAnnualAmount'],
  ['assessedValue', 'TaxAssessedValue'],
  ['yearBuilt', 'YearBuilt'],
  ['remarks', 'PublicRemarks'],
];

/** Converts a Data Dictionary property to columns named by our fields, for `parseListingRow`. */
export function toListingColumns(property: Property): Readonly<Partial<Record<MappableField, unknown>>> {
  const units = unitsOf(property);
  return {
    ...Object.fromEntries(plain.map(([field, name]) => [field, property[name]])),
    address: streetOf(property),
    units,
    unitMix: unitMixOf(property),
    utilitiesPaidBy: utilityPayerOf(property),
    vacancyPct: vacancyOf(property, units),
    propertyType: propertyTypeOf(property, units),
    condition: conditionOf(property),
    saleCondition: saleConditionOf(property),
    terms: termsOf(property),
  };
}

/**
 * The mapping for `toListingColumns`: the fields that the Data Dictionary publishes. It has single expenses such as
 * `InsuranceExpense` beside a total, but never says they are complete, so no itemized expenses are read.
 */
export const listingMapping: Readonly<Partial<Record<MappableField, string>>> = Object.fromEntries(
  [
    ...plain.map(([field]) => field),
    ...(['address', 'units', 'unitMix', 'utilitiesPaidBy', 'vacancyPct', 'propertyType', 'condition'] as const),
    ...(['saleCondition', 'terms'] as const),
  ].map((field) => [field, field]),
);

/**
 * Normalizes a lookup value to lower-case words: servers write `Owner May Carry`, `OwnerMayCarry` or `owner-may-carry`.
 */
export function wordsOf(value: unknown): string {
  return String(value ?? '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
}

/**
 * The street address from its parts. Without them, or when the whole address says the same and more, from the whole.
 */
function streetOf(property: Property): string {
  const parts = ['StreetNumber', 'StreetDirPrefix', 'StreetName', 'StreetSuffix', 'StreetDirSuffix'].map((name) =>
    textAt(property, name),
  );
  const line = wholeStreetOf(property);
  if (parts[0] === '' || parts[2] === '') return line;
  const unit = textAt(property, 'UnitNumber').replace(/^#?\s*(?=\S)/, '# ');
  const street = join(...parts, unit);
  return [line, join(line, unit)].find((whole) => tellsMore(whole, street)) ?? street;
}

/** The text before the first comma of the whole address; if it contains the city, the text before that. */
function wholeStreetOf(property: Property): string {
  const [line = '', ...places] = textAt(property, 'UnparsedAddress')
    .split(',')
    .map((part) => part.trim());
  const [city, state] = [textAt(property, 'City').toLowerCase(), textAt(property, 'StateOrProvince').toLowerCase()];
  if (city === '' || places.some((place) => place.toLowerCase().startsWith(city))) return line;
  const words = line.replace(/\s+\d{5}(?:-\d{4})?$/, '');
  const street = withoutEnd(withoutEnd(words, state), city);
  // A house number alone is not a street: the text after it is the street's name.
  return words.toLowerCase().includes(` ${city}`) && /\S\s+\S/.test(street) ? street : line;
}

function withoutEnd(line: string, end: string): string {
  return line.toLowerCase().endsWith(` ${end}`) ? line.slice(0, -end.length).trim() : line;
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/**
 * The stated number of units, where 0 means none stated; else the sum of the unit mix, if each kind states its number.
 */
function unitsOf(property: Property): number | string | undefined {
  const stated = textAt(property, 'NumberOfUnitsTotal');
  if (!/^0*$/.test(stated)) return stated;
  const counts = unitTypesOf(property).map((kind) => Number(textAt(kind ?? {}, 'UnitTypeUnitsTotal') || NaN));
  const total = counts.reduce((sum, count) => sum + count, 0);
  return Number.isSafeInteger(total) && total > 0 ? total : undefined;
}

/** The kinds of units as `parseListingRow` reads them; bedrooms are per unit. */
function unitMixOf(property: Property): readonly string[] | undefined {
  const kinds = unitTypesOf(property);
  if (kinds.length === 0) return undefined;
  return kinds.map((kind) => `${kind?.UnitTypeUnitsTotal} x ${kind?.UnitTypeBedsTotal}BR`);
}

function unitTypesOf({ UnitTypes: kinds }: Property): readonly (Property | null)[] {
  return Array.isArray(kinds) ? (kinds as (Property | null)[]) : [];
}

/** The share of units that are vacant now; else the listing's own allowance. */
function vacancyOf(property: Property, units: number | string | undefined): string | undefined {
  const vacant = textAt(property, 'NumberOfUnitsVacant');
  if (/^\d{1,6}$/.test(vacant) && /^[1-9]\d{0,5}$/.test(String(units))) {
    return new Decimal(vacant).div(String(units)).times(100).toDecimalPlaces(2).toFixed();
  }
  const allowance = textAt(property, 'VacancyAllowanceRate');
  return allowance === '' ? undefined : allowance;
}

const heatingFuels: ReadonlySet<string> = new Set(['gas', 'heat', 'heating', 'oil', 'fuel oil', 'propane']);

/** The owner pays all utilities, or electricity and what heats; else the tenant. Undefined where nothing is stated. */
function utilityPayerOf(property: Property): UtilityPayer | undefined {
  const paid = listAt(property, 'OwnerPays').map(wordsOf);
  if (paid.every((words) => words === '')) return undefined;
  const isAll = paid.includes('electricity') && paid.some((words) => heatingFuels.has(words));
  return isAll || paid.includes('all utilities') ? 'owner' : 'tenant';
}

/** A subtype that names no type of ours, such as `Multi Family`, leaves it to the number of units. */
function propertyTypeOf(property: Property, units: number | string | undefined): string | undefined {
  const words = wordsOf(property.PropertySubType);
  const count = /^\d{1,6}$/.test(String(units)) ? Number(units) : undefined;
  return isKnown(parsePropertyType(words, count)) ? words : typeOfUnits(count);
}

const conditions: Readonly<Record<string, string>> = {
  excellent: 'good',
  good: 'good',
  'updated remodeled': 'good',
  average: 'fair',
  fair: 'fair',
  fixer: 'poor',
  poor: 'poor',
  'repairs major': 'poor',
  'to be demolished': 'distressed',
};

/** The first stated condition that is known; unknown words count as not stated, never as failed. */
function conditionOf(property: Property): string | undefined {
  return listAt(property, 'PropertyCondition')
    .map((value) => conditions[wordsOf(value)])
    .find((value) => value !== undefined);
}

/** Conditions of sale, most restrictive first. Words that do not describe the kind of sale mean a standard sale. */
const saleConditionWords: readonly (readonly [SaleCondition, readonly string[]])[] = [
  ['auction', ['auction']],
  ['short_sale', ['short sale']],
  ['bank_owned', ['real estate owned', 'hud owned', 'bank owned', 'reo']],
  ['estate', ['probate listing', 'estate']],
  [
    'standard',
    ['standard', 'none', 'third party approval', 'trust', 'in foreclosure', 'notice of default', 'see remarks'],
  ],
  ['standard', ['bankruptcy property', 'listing as is', 'exclusive right', 'conservatorship', 'court approval']],
];

/** Undefined when nothing is stated; the stated words when one of them is unknown, so that parsing fails. */
function saleConditionOf(property: Property): string | undefined {
  const stated = listAt(property, 'SpecialListingConditions')
    .map(wordsOf)
    .filter((words) => words !== '');
  if (stated.length === 0) return undefined;
  const known = new Set(saleConditionWords.flatMap(([, words]) => words));
  if (!stated.every((words) => known.has(words))) return stated.join(' ');
  return saleConditionWords.find(([, words]) => words.some((word) => stated.includes(word)))?.[0];
}

function termsOf(property: Property): string {
  return listAt(property, 'ListingTerms').map(wordsOf).join(';');
}

/** Some servers send a list as one comma-separated text. */
function listAt(property: Property, name: string): readonly unknown[] {
  const value = property[name];
  if (Array.isArray(value)) return value as readonly unknown[];
  return typeof value === 'string' ? value.split(',') : [];
}

function textAt(property: Property, name: string): string {
  const value = property[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
