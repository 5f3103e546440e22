import { setImmediate as nextTurn } from 'node:timers/promises';
import { digestOf } from '../read/digest-of.js';
import { withheldFields } from '../display-fields.js';
import type { DropManifest } from './drop-manifest.js';
import { expectColumns } from './expect-columns.js';
import type { FileRow } from './file-row.js';
import { type Delivery, findDelivery } from './find-delivery.js';
import { parseListingRow, readSourceKey } from './parse-listing-row.js';
import { readCsvRows } from '../read/read-csv-rows.js';
import { readJsonRows } from '../read/read-json-rows.js';
import { readNdjsonRows } from '../read/read-ndjson-rows.js';
import { SourceError } from '../source-error.js';
import type { Licence, ListingSource, RawRow, RowReject, SourcePage } from '../source.js';

/** Increased when rows are parsed differently, so that an unchanged delivery is read again. */
const readerVersion = 1;
const maxPageRows = 200;
const maxPageBytes = 1024 * 1024;
/** Rows between two turns of the event loop, in which requests are answered. */
const rowsPerTurn = 20;

export interface DropFolder {
  readonly directory: string;
  readonly manifest: DropManifest;
  readonly now: () => Date;
  /** Minimum time since the last write of a file without a `.done` marker. Default 60,000. */
  readonly settleMs?: number;
}

/**
 * Where the next page starts: the delivery it belongs to, the file, the byte, and the number of rows before it in that
 * file.
 */
interface Place {
  readonly digest: string;
  readonly file: number;
  readonly offset: number;
  readonly row: number;
}

/**
 * A folder of CSV, JSON or NDJSON files as a listing source. The files together are the complete current listing set.
 * `fetchPage` is stateless: the cursor identifies a page of at most 200 rows (about 1 MB), and memory is bounded
 * whatever the files contain. `findDelivery` defines when a file is complete.
 *
 * @throws SourceError when the delivery is missing, incomplete, changed since the first page, unreadable, or lacks a
 *   column that deals need
 */
export function createDropFolder({ directory, manifest, now, settleMs = 60_000 }: DropFolder): ListingSource {
  const find = () => findDelivery({ directory, pattern: manifest.file, format: manifest.format, now: now(), settleMs });
  const manifestHash = digestOf(manifest);
  return {
    name: manifest.name,
    kind: 'drop-folder',
    delivers: 'listings',
    licence: licenceOf(manifest),
    async fetchPage(cursor): Promise<SourcePage> {
      const delivery = await find();
      const start = cursor === undefined ? { digest: delivery.digest, file: 0, offset: 0, row: 0 } : readCursor(cursor);
      if (start.digest !== delivery.digest) throw changed();
      const { rows, next } = await readPage(delivery, start, manifest);
      if ((await find()).digest !== delivery.digest) throw changed();
      expectMapped(rows, manifest);
      return {
        rows,
        nextCursor: next === undefined ? undefined : JSON.stringify(next),
        fetchedAt: now(),
        etag: `${readerVersion}-${manifestHash}-${delivery.digest}`,
        sourceUrl: `drop-folder:${manifest.name}/${delivery.files[start.file]?.name ?? ''}`,
      };
    },
    parse(row) {
      if (isColumns(row.payload)) return parseListingRow(row.payload, row.key, manifest, now().getUTCFullYear());
      return { reject: 'row_unreadable', key: row.key, detail: 'The row is not an object of columns.' };
    },
  };
}

async function readPage(delivery: Delivery, start: Place, manifest: DropManifest) {
  const rows: (RawRow | RowReject)[] = [];
  const file = delivery.files[start.file];
  let place = start;
  if (file !== undefined) {
    for await (const row of readRows(file.path, start.offset, manifest)) {
      if (rows.length >= maxPageRows || place.offset - start.offset >= maxPageBytes) return { rows, next: place };
      place = { ...place, offset: row.end, row: place.row + 1 };
      rows.push(toRawRow(row, `${file.name}:${place.row}`, manifest));
      if (rows.length % rowsPerTurn === 0) await nextTurn();
    }
  }
  const next =
    start.file + 1 < delivery.files.length ? { ...start, file: start.file + 1, offset: 0, row: 0 } : undefined;
  return { rows, next };
}

/** A CSV header names every column; JSON rows name their own and may omit columns without a value. */
function expectMapped(rows: readonly (RawRow | RowReject)[], { name, mapping }: DropManifest): void {
  const columns = (['sourceKey', 'address', 'listPrice'] as const).flatMap((field) => mapping[field] ?? []);
  const read = rows.flatMap((row) => ('payload' in row && isColumns(row.payload) ? [row.payload] : []));
  expectColumns({ name, rows: read, columns: columns.map((column) => [column]) });
}

function readRows(path: string, start: number, manifest: DropManifest): AsyncIterable<FileRow> {
  switch (manifest.format) {
    case 'csv':
      return readCsvRows(path, start, {
        delimiter: manifest.delimiter ?? ',',
        required: Object.values(manifest.mapping),
      });
    case 'json':
      return readJsonRows(path, start);
    case 'ndjson':
      return readNdjsonRows(path, start);
  }
}

function toRawRow(row: FileRow, where: string, manifest: DropManifest): RawRow | RowReject {
  if ('reject' in row) return { reject: row.reject, key: where, detail: row.detail };
  return { key: readSourceKey(row.columns, manifest) ?? where, payload: row.columns };
}

function licenceOf({ licence }: DropManifest): Licence {
  const { expiresAt, displayFields, ...rest } = licence;
  const terms = { ...rest, withheldFields: withheldFields('listings', displayFields) };
  return expiresAt === undefined ? terms : { ...terms, expiresAt: new Date(expiresAt) };
}

function readCursor(cursor: string): Place {
  const place: unknown = JSON.parse(cursor);
  if (isPlace(place)) return place;
  throw new SourceError('delivery_changed', 'The cursor is not one of this source. Start from the beginning.');
}

function isPlace(value: unknown): value is Place {
  if (!isColumns(value)) return false;
  const { digest, file, offset, row } = value;
  return typeof digest === 'string' && [file, offset, row].every((count) => Number.isSafeInteger(count));
}

function isColumns(payload: unknown): payload is Readonly<Record<string, unknown>> {
  return typeof payload === 'object' && payload !== null && !Array.isArray(payload);
}

function changed(): SourceError {
  return new SourceError(
    'delivery_changed',
    'The delivery changed while it was being read. Nothing is retired; the next run reads it whole.',
  );
}
