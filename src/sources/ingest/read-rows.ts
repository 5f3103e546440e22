import { setImmediate as nextTurn } from 'node:timers/promises';
import { countRefused, countValue, dropDoubtfulExamples, toExample } from '../import-report.js';
import { type MisreadValue, toRawRecord, type RawRecord } from './keep-raw-records.js';
import type { RunState } from './ingest-run.js';
import type { Sink } from './sink.js';
import type { Delivered, DeliveryKind, NoteValue, RawRow, RowReject, Source } from '../source.js';
import { storableText } from '../storable-text.js';
import { codeOf } from '../values/not-understood.js';

/** Parsed and rejected rows; nothing is written yet. */
export interface ReadRows<T> {
  readonly records: readonly RawRecord[];
  readonly accepted: readonly { readonly id: string; readonly observed: T }[];
  /** Rows of a thing that the same delivery showed earlier under another key; they are among the rejects too. */
  readonly repeats: readonly { readonly id: string; readonly observed: T }[];
  readonly rejects: readonly RowReject[];
  readonly misread: readonly MisreadValue[];
}

/** So many are read in a millisecond or two. */
const rowsPerTurn = 25;

/**
 * Parses and identifies rows, and refuses what the same delivery already showed under the same key or as the same
 * thing. Remembers in `state` what was seen. Lets the event loop through every few rows: what is written of the rows
 * before goes on.
 */
export async function readRows<K extends DeliveryKind>(
  source: Source<K>,
  sink: Sink<Delivered[K]>,
  rows: readonly (RawRow | RowReject)[],
  state: Pick<RunState, 'keys' | 'seen' | 'imported'>,
): Promise<ReadRows<Delivered[K]>> {
  const records: RawRecord[] = [];
  const accepted: { id: string; observed: Delivered[K] }[] = [];
  const repeats: { id: string; observed: Delivered[K] }[] = [];
  const rejects: RowReject[] = [];
  const misread: MisreadValue[] = [];
  const { imported } = state;
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
    const record = 'reject' in row ? row : toRecord(row);
    if ('reject' in row || 'reject' in record) {
      rejects.push('reject' in row ? row : refuseShapeless(row));
      continue;
    }
    records.push(record);
    const { key, place } = row;
    const read = parseRow(source, row, (field, value, stated) => {
      const example = codeOf(value) === undefined ? undefined : toExample(field, stated, source.delivers);
      const code = countValue(imported, field, value, example);
      if (code !== undefined) misread.push({ key, place, field, code, stated: example });
    });
    const item = isReject(read) ? read : accept(sink, row.key, read, state);
    if ('reject' in item) rejects.push(place === undefined ? item : { ...item, place });
    else if (!state.seen.has(item.id)) accepted.push(item);
    else {
      repeats.push(item);
      rejects.push(refuseRepeat('sourceKey' in item.observed ? item.observed.sourceKey : row.key));
    }
    if ('id' in item) state.seen.add(item.id);
  }
  imported.rows.accepted += accepted.length;
  for (const { reject } of rejects) countRefused(imported, reject);
  dropDoubtfulExamples(imported);
  return { records, accepted, repeats, rejects, misread };
}

function accept<T extends object>(
  sink: Sink<T>,
  rowKey: string,
  observed: T,
  state: Pick<RunState, 'keys'>,
): { id: string; observed: T } | RowReject {
  const key = 'sourceKey' in observed && typeof observed.sourceKey === 'string' ? observed.sourceKey : rowKey;
  if (!isStorable(observed))
    return { reject: 'invalid_value', key, detail: 'A value holds a NUL or a broken character.' };
  const identity = sink.identify(observed);
  if ('reject' in identity) return { ...identity, key };
  if (sink.keysAreUnique) {
    if (state.keys.has(key))
      return { reject: 'duplicate_key', key, detail: 'sourceKey: an earlier row has the same key.' };
    state.keys.add(key);
  }
  return { id: identity.id, observed };
}

function refuseRepeat(key: string): RowReject {
  return { reject: 'duplicate_key', key, detail: 'An earlier row is of the same property, parcel or sale.' };
}

/** False for text that no PostgreSQL value can hold; JSON.stringify writes it as these escapes. */
function isStorable(observed: object): boolean {
  return !/\\u(0000|d[89a-f])/.test(JSON.stringify(observed));
}

/** A parser that fails on a row harms only that row. */
function parseRow<K extends DeliveryKind>(source: Source<K>, row: RawRow, note: NoteValue): Delivered[K] | RowReject {
  try {
    return source.parse(row, note);
  } catch {
    return refuseShapeless(row);
  }
}

function isReject(read: object): read is RowReject {
  return 'reject' in read;
}

/** JSON escapes what a database text cannot hold. A value nested beyond what JSON.stringify can follow is refused. */
function toRecord({ key, payload }: RawRow): RawRecord | RowReject {
  try {
    return toRawRecord(storableText(key, 200), JSON.stringify(payload) ?? 'null');
  } catch {
    return refuseShapeless({ key, payload });
  }
}

function refuseShapeless({ key }: RawRow): RowReject {
  return { reject: 'row_unreadable', key, detail: 'The row does not have the shape that this source is read by.' };
}
