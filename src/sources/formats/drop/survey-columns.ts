import { setImmediate as nextTurn } from 'node:timers/promises';
import { nameColumns, withNearest, type NamedColumns } from '../../read/column-names.js';
import { readCsvColumns, type CsvShape } from '../../read/read-csv-rows.js';
import { readJsonRows } from '../../read/read-json-rows.js';
import type { FileRow } from '../../read/read-lines.js';
import { readSheet } from '../../read/read-sheet-rows.js';
import type { FileFormat } from '../drop-manifest.js';
import { readNdjsonRows } from '../../read/read-ndjson-rows.js';

/** What the columns of a delivery are, before any row of it is read. */
export interface ColumnSurvey {
  /** The mapped ones by the delivery's own spelling. */
  readonly names: NamedColumns;
  /** Mapped columns that no row has. */
  readonly missing: readonly string[];
  /** The same in a sentence for the operator; undefined when none is missing. */
  readonly problem: string | undefined;
  /** Columns that no field reads, each with the mapped one that is written most alike. */
  readonly unmapped: readonly string[];
}

/** The columns of all files together: by the headers, or by each row where rows name their own. */
export async function surveyColumns(
  files: readonly { readonly path: string }[],
  format: FileFormat,
  shape: CsvShape,
): Promise<ColumnSurvey> {
  const written = new Set<string>();
  for (const { path } of files) {
    if (format === 'csv') for (const column of await readCsvColumns(path, shape)) written.add(column);
    else if (format === 'xlsx') for (const column of (await readSheet(path, shape)).written) written.add(column);
    else await addColumns(written, format === 'json' ? readJsonRows(path) : readNdjsonRows(path));
  }
  const names = nameColumns(written, shape.mapped);
  const found = new Set(names.values());
  // A delivery without rows says nothing of its columns.
  const missing = written.size === 0 ? [] : [...new Set(shape.mapped)].filter((column) => !found.has(column));
  const unmapped = [...written].filter((column) => !names.has(column));
  const list = missing.slice(0, 5).map((column) => withNearest(column, unmapped));
  const problem =
    missing.length === 0 ? undefined : `No row has the mapped column ${list.join(', ')}. Correct the mapping.`;
  return {
    names,
    missing,
    problem,
    unmapped: unmapped.slice(0, 20).map((column) => withNearest(column, shape.mapped)),
  };
}

async function addColumns(written: Set<string>, rows: AsyncIterable<FileRow>): Promise<void> {
  let count = 0;
  for await (const row of rows) {
    if ('columns' in row) for (const column of Object.keys(row.columns)) written.add(column);
    if (++count % 200 === 0) await nextTurn();
  }
}
