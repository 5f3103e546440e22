import { setImmediate as nextTurn } from 'node:timers/promises';
import { digestOf } from '../read/digest-of.js';
import type { FileFormat, Manifest } from './drop-manifest.js';
import { expectColumns } from './expect-columns.js';
import { renameColumns } from '../read/column-names.js';
import { inPages } from '../read/in-pages.js';
import type { FileRow } from '../read/read-lines.js';
import { findDelivery } from './drop/find-delivery.js';
import { readingOfCounty, readingOfListings, type RowReading } from './drop/row-reading.js';
import { type CsvShape, readCsvRows } from '../read/read-csv-rows.js';
import { readJsonRows } from '../read/read-json-rows.js';
import { readNdjsonRows } from '../read/read-ndjson-rows.js';
import { readSheet } from '../read/read-sheet-rows.js';
import { changedWhileRead } from '../source-error.js';
import type { DeliveryKind, RawRow, RowReject, WholeSource } from '../source.js';
import { toLicence } from '../stated-licence.js';
import { isObject } from '../upstream/get-json.js';
import { type ColumnSurvey, surveyColumns } from './drop/survey-columns.js';

/** Increased when rows are parsed differently, so that an unchanged delivery is read again. */
const readerVersion = 3;
/** Rows between two turns of the event loop, in which requests are answered. */
const rowsPerTurn = 20;

export interface DropFolder {
  readonly directory: string;
  readonly manifest: Manifest;
  readonly now: () => Date;
}

/** A source of whatever a manifest delivers. */
export type DropSource = { [K in Manifest['delivers']]: WholeSource<K> }[Manifest['delivers']];

/**
 * A folder of CSV, JSON, NDJSON or XLSX files as a source of listings or of a county's records. The files together are
 * the complete current set. A page has at most 200 rows, each of at most 256 kB outside a workbook. `findDelivery`
 * defines when a file is complete. A mapped column that no row has is not published by the source, and a problem for
 * its operator.
 *
 * @throws SourceError when the delivery is missing, incomplete, changed since the first page, unreadable, or lacks a
 *   column that its records need
 */
export function createDropFolder(folder: DropFolder): DropSource {
  const { manifest, now } = folder;
  switch (manifest.delivers) {
    case 'listings':
      return openFolder(folder, 'listings', readingOfListings(manifest, now));
    case 'signals':
      return openFolder(folder, 'signals', readingOfCounty('signals', manifest));
    case 'auctions':
      return openFolder(folder, 'auctions', readingOfCounty('auctions', manifest));
    case 'parcels':
      return openFolder(folder, 'parcels', readingOfCounty('parcels', manifest));
  }
}

function openFolder<K extends DeliveryKind>(
  { directory, manifest, now }: DropFolder,
  delivers: K,
  reading: RowReading<K>,
): WholeSource<K> {
  const find = () => findDelivery({ directory, pattern: manifest.file, format: manifest.format, now: now() });
  // Which counties are covered does not change what the rows mean.
  const manifestHash = digestOf({ ...manifest, covers: undefined });
  const { shape, expected } = reading;
  let parse = reading.parserWithout([]);
  return {
    name: manifest.name,
    kind: 'drop-folder',
    delivers,
    licence: toLicence(delivers, manifest.licence),
    covers: 'county' in manifest ? [manifest.county.fips] : manifest.covers,
    async *readPages() {
      const delivery = await find();
      const etag = `${readerVersion}-${manifestHash}-${delivery.digest}`;
      const survey = await surveyColumns(delivery.files, manifest.format, shape);
      parse = reading.parserWithout(survey.missing);
      for (const { name, path } of delivery.files) {
        for await (const rows of inPages(readRawRows(name, readRows(path, manifest.format, shape), reading, survey))) {
          if ((await find()).digest !== delivery.digest) throw changedWhileRead('The delivery changed');
          const read = rows.flatMap((row) => ('payload' in row && isObject(row.payload) ? [row.payload] : []));
          expectColumns({ name: manifest.name, rows: read, columns: expected.map((column) => [column]) });
          const sourceUrl = `drop-folder:${manifest.name}/${name}`;
          const { problem, unmapped } = survey;
          yield { rows, nextCursor: undefined, fetchedAt: now(), etag, sourceUrl, problem, unmapped };
        }
      }
    },
    parse: (row, note) => parse(row, note),
  };
}

async function* readRawRows(
  name: string,
  rows: AsyncIterable<FileRow>,
  { toRow }: Pick<RowReading<DeliveryKind>, 'toRow'>,
  { names }: ColumnSurvey,
): AsyncGenerator<RawRow | RowReject> {
  let count = 0;
  for await (const row of rows) {
    const place = `${name}:${++count}`;
    if ('reject' in row) yield { reject: row.reject, key: place, detail: row.detail };
    else yield toRow(renameColumns(row.columns, names), place);
    if (count % rowsPerTurn === 0) await nextTurn();
  }
}

async function* readRows(path: string, format: FileFormat, shape: CsvShape): AsyncGenerator<FileRow> {
  switch (format) {
    case 'csv':
      return yield* readCsvRows(path, shape);
    case 'json':
      return yield* readJsonRows(path);
    case 'ndjson':
      return yield* readNdjsonRows(path);
    case 'xlsx':
      return yield* (await readSheet(path, shape)).rows;
  }
}
