import { Decimal } from 'decimal.js';
import { absent, isKnown, type Maybe } from '../../absence.js';
import type { ObservedParcel } from '../../counties/parcels/observed-parcel.js';
import type { ObservedSignal } from '../../counties/signals/signal.js';
import { parseCount, parseMoney } from '../values/figures.js';
import { parseZip } from '../values/places.js';
import { parseLine, parseParcelId } from '../values/text.js';
import { parseInstant, parseLocalDate } from './local-date.js';
import { parseAuctionRow } from './parse-auction-row.js';
import {
  type Columns,
  readField,
  readLocation,
  type RecordField,
  type RecordMapping,
  recordUrlOf,
  refuseByFlags,
  readRecordKey,
} from './record-mapping.js';
import type { NoteValue, RejectReason, RowReject, Delivered, RawRow, Source } from '../source.js';
import { isObject } from '../upstream/get-json.js';

const amounts = { min: '-10000000000', max: '10000000000' };
const values = { min: '1', max: '10000000000' };

/**
 * Normalizes one row of a county's list of unpaid taxes. Rejects it without owner, parcel or amount, or when nothing is
 * owed, to the cent. Any other unreadable value is absent as `parse_failed`. Pure.
 */
export function parseSignalRow(
  row: Columns,
  key: string,
  mapping: RecordMapping,
  note?: NoteValue,
): ObservedSignal | RowReject {
  const flagged = refuseByFlags(row, key, mapping);
  if (flagged !== undefined) return flagged;
  const read = createReader(row, mapping, note);
  const ownerName = read('ownerName', (text) => parseLine(text, 200));
  const parcelId = read('parcelId', (text) => parseParcelId(text, mapping.parcelLength));
  const amount = read('amount', (text) => parseMoney(text, amounts));
  if (!isKnown(parcelId)) return refuse('missing_parcel', 'parcelId: a parcel number with all its digits is expected.');
  if (!isKnown(ownerName))
    return refuse('missing_owner', 'ownerName: a name of at most 200 plain characters is expected.');
  if (!isKnown(amount)) return refuse('missing_amount', 'amount: USD as a plain decimal is expected.');
  if (new Decimal(amount.value).lte(0)) return refuse('not_relevant', 'amount: nothing is owed.');
  return {
    sourceKey: key,
    signalType: 'tax_delinquent',
    ...placeOf(read, mapping),
    ...readLocation(row, mapping),
    ownerName: ownerName.value,
    parcelId: parcelId.value,
    amount: amount.value,
    sourceUrl: recordUrlOf(row, mapping),
    yearsOwed: read('yearsOwed', (text) => parseCount(text, 1, 200)),
    taxSaleDate: read('taxSaleDate', parseLocalDate),
    sourcePublishedAt: read('publishedAt', parseInstant),
    listYear: read('listYear', (text) => parseCount(text, 1900, 2200)),
  };

  function refuse(reject: RejectReason, detail: string): RowReject {
    return { reject, key, detail };
  }
}

/** Normalizes one row of a county's parcel roll, or rejects it without a parcel number. Pure. */
export function parseParcelRow(
  row: Columns,
  key: string,
  mapping: RecordMapping,
  note?: NoteValue,
): ObservedParcel | RowReject {
  const flagged = refuseByFlags(row, key, mapping);
  if (flagged !== undefined) return flagged;
  const read = createReader(row, mapping, note);
  const parcelId = read('parcelId', (text) => parseParcelId(text, mapping.parcelLength));
  if (!isKnown(parcelId))
    return { reject: 'missing_parcel', key, detail: 'parcelId: a parcel number with all its digits is expected.' };
  const { address, city, zip, assessedValue } = placeOf(read, mapping);
  const isUnplaced = !isKnown(address) && address.absent === 'not_stated_by_source';
  return {
    sourceKey: key,
    countyFips: mapping.countyFips,
    parcelId: parcelId.value,
    address: isUnplaced ? absent('no_situs_address') : address,
    city,
    zip,
    ownerName: read('ownerName', (text) => parseLine(text, 200)),
    assessedValue,
  };
}

type Read = <T>(field: RecordField, parse: (text: string) => Maybe<T>) => Maybe<T>;

function createReader(row: Columns, mapping: RecordMapping, note: NoteValue | undefined): Read {
  return (field, parse) => readField(row, mapping, field, parse, note);
}

function placeOf(read: Read, mapping: RecordMapping) {
  return {
    countyFips: mapping.countyFips,
    state: mapping.state,
    address: read('address', (text) => parseLine(text, 200)),
    city: read('city', (text) => parseLine(text, 80)),
    zip: read('zip', (text) => parseZip(text, mapping.state)),
    assessedValue: read('assessedValue', (text) => parseMoney(text, values)),
  };
}

/** The kinds of records in a county's table. */
export type RecordKind = 'signals' | 'parcels';
export const recordKinds = ['signals', 'parcels'] as const satisfies readonly RecordKind[];
/** The same, and those that only a file may bring as a table. */
export type CountyKind = RecordKind | 'auctions';

/** The parser of rows for a kind of record. */
export function recordParserOf<K extends CountyKind>(delivers: K, mapping: RecordMapping): Source<K>['parse'] {
  return ({ key, payload }, note) =>
    isObject(payload)
      ? parsers[delivers](payload, key, mapping, note)
      : { reject: 'row_unreadable', key, detail: 'The row is not an object of columns.' };
}

const parsers: {
  readonly [Kind in CountyKind]: (
    row: Columns,
    key: string,
    mapping: RecordMapping,
    note?: NoteValue,
  ) => Delivered[Kind] | RowReject;
} = { signals: parseSignalRow, parcels: parseParcelRow, auctions: parseAuctionRow };

/** A row with its own key, or its rejection without one; `place` then identifies the row. */
export function toRecordRow(row: unknown, place: string, mapping: RecordMapping): RawRow | RowReject {
  if (!isObject(row)) return { reject: 'row_unreadable', key: place, detail: 'The row is not an object of columns.' };
  const key = readRecordKey(row, mapping);
  return key === undefined
    ? { reject: 'missing_key', key: place, detail: `${mapping.key.join(', ')}: a value is expected in each.` }
    : { key, payload: row };
}
