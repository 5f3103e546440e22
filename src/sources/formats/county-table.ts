import { parseParcelRow, parseSignalRow } from './parse-record-row.js';
import { type Columns, readRecordKey, type RecordMapping } from './record-mapping.js';
import type { Delivered, RawRow, RowReject, Source } from '../source.js';
import { isObject } from '../upstream/get-json.js';

/** The kinds of records in a county's table. */
export type RecordKind = 'signals' | 'parcels';
export const recordKinds = ['signals', 'parcels'] as const satisfies readonly RecordKind[];

/** The parser of rows for a kind of record. */
export function recordParserOf<K extends RecordKind>(delivers: K, mapping: RecordMapping): Source<K>['parse'] {
  const parsers: {
    [Kind in RecordKind]: (row: Columns, key: string, mapping: RecordMapping) => Delivered[Kind] | RowReject;
  } = {
    signals: parseSignalRow,
    parcels: parseParcelRow,
  };
  return ({ key, payload }) =>
    isObject(payload)
      ? parsers[delivers](payload, key, mapping)
      : { reject: 'row_unreadable', key, detail: 'The row is not an object of columns.' };
}

/** A row with its own key, or its rejection without one; `place` then identifies the row. */
export function toRecordRow(row: unknown, place: string, mapping: RecordMapping): RawRow | RowReject {
  if (!isObject(row)) return { reject: 'row_unreadable', key: place, detail: 'The row is not an object of columns.' };
  const key = readRecordKey(row, mapping);
  return key === undefined
    ? { reject: 'missing_key', key: place, detail: `${mapping.key.join(', ')}: a value is expected in each.` }
    : { key, payload: row };
}
