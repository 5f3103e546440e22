import { absent, isKnown, known, type Maybe, valueOf } from '../../absence.js';
import {
  type ListingTerm,
  listingTerms,
  type ObservedListing,
  type SaleCondition,
  saleConditions,
} from '../../listings/listing.js';
import type { DropManifest } from './drop-manifest.js';
import { parseCode, parseFlag, parseIdentifier, parseLine, textOf } from './field-values.js';
import { type MappableField, optionalFields, type OptionalFields } from './listing-fields.js';
import type { RejectReason, RowReject } from '../source.js';
import { stateFips } from '../../places/metros/states.js';

/** The parts of a manifest needed to read a row. */
export type RowMapping = Pick<DropManifest, 'marketplace' | 'mapping' | 'values'>;

/**
 * Normalizes the columns of one row into an observation. Pure; `currentYear` bounds the year built.
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
): ObservedListing | RowReject {
  const read = createReader(row, mapping);
  const required = readRequired(read, key);
  if ('reject' in required) return required;
  const parsers = Object.entries(optionalFields);
  const optional = parsers.map(([field, parse]) => [
    field,
    read(field as MappableField, (text): Maybe<unknown> => parse(text, currentYear)),
  ]);
  const suppressed = absent('suppressed_by_policy');
  return {
    ...required,
    marketplace: mapping.marketplace,
    terms: valueOf(read('terms', (text) => known(parseTerms(text, mapping)))) ?? [],
    ...(Object.fromEntries(optional) as OptionalFields),
    ...(!isAddressShown(read) && { address: suppressed, parcelId: suppressed }),
  };
}

/** The source's own key of a row; undefined when unreadable. */
export function readSourceKey(row: Readonly<Record<string, unknown>>, mapping: RowMapping): string | undefined {
  return valueOf(createReader(row, mapping)('sourceKey', (text) => parseIdentifier(text, 200)));
}

type Read = <T>(field: MappableField, parse: (text: string) => Maybe<T>) => Maybe<T>;
type Required = Pick<ObservedListing, 'sourceKey' | 'city' | 'state' | 'saleCondition'>;

function createReader(row: Readonly<Record<string, unknown>>, { mapping, values }: RowMapping): Read {
  return (field, parse) => {
    const column = mapping[field];
    if (column === undefined) return absent('not_published_by_source');
    const text = textOf(Object.hasOwn(row, column) ? row[column] : undefined);
    return isKnown(text) ? parse(translate(text.value, values?.[field])) : text;
  };
}

function translate(text: string, table: Readonly<Record<string, string>> | undefined): string {
  const entry = Object.entries(table ?? {}).find(([theirs]) => theirs.toLowerCase() === text.toLowerCase());
  return entry?.[1] ?? text;
}

function readRequired(read: Read, key: string): Required | RowReject {
  const sourceKey = read('sourceKey', (text) => parseIdentifier(text, 200));
  const city = read('city', (text) => parseLine(text, 80));
  const state = read('state', (text) => known(text.toUpperCase()));
  const saleCondition = readSaleCondition(read);
  if (!isKnown(sourceKey))
    return refuse('missing_key', 'sourceKey: a key of at most 200 plain characters, with all its digits, is expected.');
  if (!isKnown(city)) return refuse('missing_city', 'city: a name of at most 80 plain characters is expected.');
  if (!isKnown(state)) return refuse('missing_state', 'state: a two-letter code is expected.');
  if (!stateFips.has(state.value))
    return refuse('unknown_state', 'state: the two-letter code of a US state is expected.');
  if (!isKnown(saleCondition))
    return refuse('invalid_value', `saleCondition: one of ${saleConditions.join(', ')} is expected.`);
  return { sourceKey: sourceKey.value, city: city.value, state: state.value, saleCondition: saleCondition.value };

  function refuse(reject: RejectReason, detail: string): RowReject {
    return { reject, key, detail };
  }
}

/** Nothing stated means a standard sale; a stated condition must be known. */
function readSaleCondition(read: Read): Maybe<SaleCondition> {
  const condition = read('saleCondition', (text) => parseCode(text, saleConditions));
  return isKnown(condition) || condition.absent === 'parse_failed' ? condition : known('standard');
}

/** A display flag that the source publishes must say yes: no, empty and unreadable all suppress the address. */
function isAddressShown(read: Read): boolean {
  const flag = read('addressDisplay', (text) => known(parseFlag(text)));
  return isKnown(flag) ? flag.value === true : flag.absent === 'not_published_by_source';
}

/** The known financing terms, in list order; others (such as VA) affect no rule. */
function parseTerms(text: string, { values }: RowMapping): readonly ListingTerm[] {
  const found = text
    .split(/[;,|]/)
    .map((term) => valueOf(parseCode(translate(term.trim(), values?.terms), listingTerms)));
  return listingTerms.filter((term) => found.includes(term));
}
