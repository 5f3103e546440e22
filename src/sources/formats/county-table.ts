import { parseParcelRow, parseSignalRow } from './parse-record-row.js';
import { type Columns, readRecordKey, type RecordMapping } from './record-mapping.js';
import type { Delivered, RawRow, RowReject, Source } from '../source.js';
import { isObject } from '../upstream/get-json.js';

/** What a county's table can be a table of. */
export type RecordKind = 'signals' | 'parcels';
export const recordKinds = ['signals', 'parcels'] as const satisfies readonly RecordKind[];

/** The part of a source that its kind of record decides: how a row is parsed. */
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

/** A row as it came, with its own key, or its refusal where it has none. `place` names the row then. */
export function toRecordRow(row: unknown, place: string, mapping: RecordMapping): RawRow | RowReject {
  if (!isObject(row)) return { reject: 'row_unreadable', key: place, detail: 'The row is not an object of columns.' };
  const key = readRecordKey(row, mapping);
  return key === undefined
    ? { reject: 'missing_key', key: place, detail: `${mapping.key.join(', ')}: a value is expected in each.` }
    : { key, payload: row };
}
