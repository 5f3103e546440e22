import { setImmediate as nextTurn } from 'node:timers/promises';
import { digestOf } from '../read/digest-of.js';
import type { DropManifest } from './drop-manifest.js';
import { expectColumns } from './expect-columns.js';
import { renameColumns } from '../read/column-names.js';
import { inPages } from '../read/in-pages.js';
import type { FileRow } from '../read/read-lines.js';
import { findDelivery } from './find-delivery.js';
import { parseListingRow, readSourceKey } from './parse-listing-row.js';
import { type CsvShape, readCsvRows } from '../read/read-csv-rows.js';
import { readJsonRows } from '../read/read-json-rows.js';
import { readNdjsonRows } from '../read/read-ndjson-rows.js';
import { changedWhileRead } from '../source-error.js';
import type { RawRow, RowReject, WholeSource } from '../source.js';
import { toLicence } from '../stated-licence.js';
import { isObject } from '../upstream/get-json.js';
import { type ColumnSurvey, surveyColumns } from './survey-columns.js';

/** Increased when rows are parsed differently, so that an unchanged delivery is read again. */
const readerVersion = 2;
/** Rows between two turns of the event loop, in which requests are answered. */
const rowsPerTurn = 20;

export interface DropFolder {
  readonly directory: string;
  readonly manifest: DropManifest;
  readonly now: () => Date;
}

/**
 * A folder of CSV, JSON or NDJSON files as a listing source. The files together are the complete current listing set.
 * A page has at most 200 rows of at most 256 kB each. `findDelivery` defines when a file is complete. A mapped column
 * that no row has is not published by the source, and a problem for its operator.
 *
 * @throws SourceError when the delivery is missing, incomplete, changed since the first page, unreadable, or lacks a
 *   column that deals need
 */
export function createDropFolder({ directory, manifest, now }: DropFolder): WholeSource<'listings'> {
  const find = () => findDelivery({ directory, pattern: manifest.file, format: manifest.format, now: now() });
  const manifestHash = digestOf(manifest);
  const shape = shapeOf(manifest);
  let published: Pick<DropManifest, 'marketplace' | 'mapping' | 'values'> = manifest;
  return {
    name: manifest.name,
    kind: 'drop-folder',
    delivers: 'listings',
    licence: toLicence('listings', manifest.licence),
    async *readPages() {
      const delivery = await find();
      const etag = `${readerVersion}-${manifestHash}-${delivery.digest}`;
      const survey = await surveyColumns(delivery.files, manifest.format, shape);
      published = { ...manifest, mapping: withoutColumns(manifest.mapping, survey) };
      for (const { name, path } of delivery.files) {
        for await (const rows of inPages(readRawRows(name, path, manifest, shape, survey))) {
          if ((await find()).digest !== delivery.digest) throw changedWhileRead('The delivery changed');
          expectMapped(rows, manifest);
          const sourceUrl = `drop-folder:${manifest.name}/${name}`;
          yield { rows, nextCursor: undefined, fetchedAt: now(), etag, sourceUrl, problem: survey.problem };
        }
      }
    },
    parse(row, note) {
      if (isObject(row.payload)) return parseListingRow(row.payload, row.key, published, now().getUTCFullYear(), note);
      return { reject: 'row_unreadable', key: row.key, detail: 'The row is not an object of columns.' };
    },
  };
}

/** Columns without which no deal can be made. */
const neededFields = ['sourceKey', 'city', 'state', 'address', 'listPrice'] as const;

function shapeOf({ mapping, delimiter }: DropManifest): CsvShape {
  return {
    delimiter,
    mapped: Object.values(mapping),
    required: neededFields.flatMap((field) => mapping[field] ?? []),
  };
}

function withoutColumns(mapping: DropManifest['mapping'], { missing }: ColumnSurvey): DropManifest['mapping'] {
  return Object.fromEntries(Object.entries(mapping).filter(([, column]) => !missing.includes(column)));
}

async function* readRawRows(name: string, path: string, manifest: DropManifest, shape: CsvShape, survey: ColumnSurvey) {
  let count = 0;
  for await (const row of readRows(path, manifest, shape)) {
    yield toRawRow(row, `${name}:${++count}`, manifest, survey);
    if (count % rowsPerTurn === 0) await nextTurn();
  }
}

/** A CSV header names every column; JSON rows name their own and may omit columns without a value. */
function expectMapped(rows: readonly (RawRow | RowReject)[], { name, mapping }: DropManifest): void {
  const columns = (['sourceKey', 'address', 'listPrice'] as const).flatMap((field) => mapping[field] ?? []);
  const read = rows.flatMap((row) => ('payload' in row && isObject(row.payload) ? [row.payload] : []));
  expectColumns({ name, rows: read, columns: columns.map((column) => [column]) });
}

function readRows(path: string, { format }: DropManifest, shape: CsvShape): AsyncIterable<FileRow> {
  switch (format) {
    case 'csv':
      return readCsvRows(path, shape);
    case 'json':
      return readJsonRows(path);
    case 'ndjson':
      return readNdjsonRows(path);
  }
}

function toRawRow(row: FileRow, place: string, manifest: DropManifest, { names }: ColumnSurvey): RawRow | RowReject {
  if ('reject' in row) return { reject: row.reject, key: place, detail: row.detail };
  const payload = renameColumns(row.columns, names);
  return { key: readSourceKey(payload, manifest) ?? place, payload, place };
}
