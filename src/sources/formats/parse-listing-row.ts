import { absent, isKnown, known, type Maybe, valueOf } from '../../absence.js';
import type { ListingTerm, ObservedListing, SaleCondition } from '../../listings/listing.js';
import { listingTerms, saleConditions } from '../../listings/listing.js';
import type { NoteValue, RejectReason, RowReject } from '../source.js';
import { isProForma } from '../values/figures.js';
import { parsePoint, parseState } from '../values/places.js';
import { parseSaleCondition, parseTerm } from '../values/sale-words.js';
import { parseFlag, parseIdentifier, parseLine, textOf } from '../values/text.js';
import type { DropManifest } from './drop-manifest.js';
import { type MappableField, optionalFields, type OptionalFields, type RowContext } from './listing-fields.js';

/** The parts of a manifest needed to read a row. */
export type RowMapping = Pick<DropManifest, 'marketplace' | 'mapping' | 'values'>;

/**
 * Normalizes the columns of one row into an observation. Pure, but for what `note` is told; `currentYear` bounds the
 * year built.
 * - Rejects a row without a key, a city or a known state.
 * - Rejects a sale condition that is stated but unknown: a cash-only auction must not pass as a standard sale.
 * - Any other unreadable value is absent as `parse_failed`, and the row is kept.
 * - A zero is `not_stated_by_source`, except a vacancy and a single expense.
 */
export function parseListingRow(
  row: Readonly<Record<string, unknown>>,
  key: string,
  mapping: RowMapping,
  currentYear: number,
  note?: NoteValue,
): ObservedListing | RowReject {
  const read = createReader(row, mapping, note);
  const required = readRequired(read, key);
  if ('reject' in required) return required;
  const { units: parseUnits, ...others } = optionalFields;
  const unknownUnits = { state: required.state, units: undefined, currentYear };
  const units = read('units', (text) => parseUnits(text, unknownUnits));
  const context: RowContext = { ...unknownUnits, units: valueOf(units) };
  const optional = Object.entries(others).map(([field, parse]) => [
    field,
    read(field as MappableField, (text): Maybe<unknown> => parse(text, context)),
  ]);
  const suppressed = absent('suppressed_by_policy');
  return {
    ...required,
    marketplace: mapping.marketplace,
    terms: readTerms(read, mapping, note),
    units,
    ...(Object.fromEntries(optional) as Omit<OptionalFields, 'units'>),
    ...locationOf(row, mapping),
    ...(isProFormaCap(row, mapping) && { isCapRateProForma: true as const }),
    ...(!isAddressShown(read) && { address: suppressed, parcelId: suppressed }),
  };
}

/** The source's own key of a row; undefined when unreadable. */
export function readSourceKey(row: Readonly<Record<string, unknown>>, mapping: RowMapping): string | undefined {
  return valueOf(createReader(row, mapping)('sourceKey', (text) => parseIdentifier(text, 200)));
}

type Read = <T>(field: MappableField, parse: (text: string) => Maybe<T>) => Maybe<T>;
type Required = Pick<ObservedListing, 'sourceKey' | 'city' | 'state' | 'saleCondition'>;

function createReader(
  row: Readonly<Record<string, unknown>>,
  { mapping, values }: RowMapping,
  note: NoteValue = () => {},
): Read {
  return (field, parse) => {
    const column = mapping[field];
    if (column === undefined) return absent('not_published_by_source');
    const stated = Object.hasOwn(row, column) ? row[column] : undefined;
    const text = textOf(stated);
    const value = isKnown(text) ? parse(translate(text.value, values?.[field])) : text;
    note(field, value, stated);
    return value;
  };
}

function translate(text: string, table: Readonly<Record<string, string>> | undefined): string {
  const entry = Object.entries(table ?? {}).find(([theirs]) => theirs.toLowerCase() === text.toLowerCase());
  return entry?.[1] ?? text;
}

function readRequired(read: Read, key: string): Required | RowReject {
  const sourceKey = read('sourceKey', (text) => parseIdentifier(text, 200));
  const city = read('city', (text) => parseLine(text, 80));
  const state = read('state', parseState);
  const saleCondition = readSaleCondition(read);
  if (!isKnown(sourceKey))
    return refuse('missing_key', 'sourceKey: a key of at most 200 plain characters, with all its digits, is expected.');
  if (!isKnown(city)) return refuse('missing_city', 'city: a name of at most 80 plain characters is expected.');
  if (!isKnown(state) && state.absent !== 'parse_failed')
    return refuse('missing_state', 'state: a US state or territory is expected, by code or name.');
  if (!isKnown(state)) return refuse('unknown_state', 'state: a US state or territory is expected, by code or name.');
  if (!isKnown(saleCondition))
    return refuse('invalid_value', `saleCondition: one of ${saleConditions.join(', ')} is expected.`);
  return { sourceKey: sourceKey.value, city: city.value, state: state.value, saleCondition: saleCondition.value };

  function refuse(reject: RejectReason, detail: string): RowReject {
    return { reject, key, detail };
  }
}

/** Nothing stated means a standard sale; a stated condition must be known. */
function readSaleCondition(read: Read): Maybe<SaleCondition> {
  const condition = read('saleCondition', parseSaleCondition);
  return isKnown(condition) || condition.absent === 'parse_failed' ? condition : known('standard');
}

/** A display flag that the source publishes must say yes: no, empty and unreadable all suppress the address. */
function isAddressShown(read: Read): boolean {
  const flag = read('addressDisplay', (text) => known(parseFlag(text)));
  return isKnown(flag) ? flag.value === true : flag.absent === 'not_published_by_source';
}

/** The known financing terms, in list order; others (such as VA) affect no rule, and each is noted. */
function readTerms(read: Read, { values }: RowMapping, note?: NoteValue): readonly ListingTerm[] {
  const found = new Set<ListingTerm>();
  read('terms', (text) => {
    for (const written of text.split(/[;,|/]/)) {
      const term = parseTerm(translate(written.trim(), values?.terms));
      if (isKnown(term)) found.add(term.value);
      else note?.('terms', term, written.trim());
    }
    return known(found);
  });
  return listingTerms.filter((term) => found.has(term));
}

function locationOf(
  row: Readonly<Record<string, unknown>>,
  { mapping }: RowMapping,
): Pick<ObservedListing, 'location'> {
  const location = parsePoint(undefined, [row[mapping.latitude ?? ''], row[mapping.longitude ?? '']]);
  return location === undefined ? {} : { location };
}

function isProFormaCap(row: Readonly<Record<string, unknown>>, { mapping: { capRate = '' } }: RowMapping): boolean {
  const text = Object.hasOwn(row, capRate) ? textOf(row[capRate]) : undefined;
  return text !== undefined && isKnown(text) && isProForma(text.value);
}
