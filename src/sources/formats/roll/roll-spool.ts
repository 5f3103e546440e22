import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileRow } from '../file-row.js';
import { readNdjsonRows } from '../../read/read-ndjson-rows.js';
import type { RollTotals } from './aggregate-roll.js';

/** Stores the totals of one version of a roll, named by its digest, while its pages are read. */
export interface RollSpool {
  /** Stores the totals in place of any other version. */
  keep(totals: RollTotals, digest: string): Promise<void>;
  /** Its rows from one on, each with where the next begins, the first at 0; undefined where the version is not kept. */
  open(digest: string, start: number): Promise<AsyncIterable<FileRow> | Iterable<FileRow> | undefined>;
}

/**
 * Stores the totals in a file, where an interrupted run finds them. Readable only by its owner, since it names persons.
 */
export function createFileSpool(directory: string, name: string): RollSpool {
  const pathOf = (digest: string) => join(directory, `${name}.${digest}.ndjson`);
  return {
    async keep(totals, digest) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      for (const old of await readdir(directory)) {
        if (old.startsWith(`${name}.`)) await rm(join(directory, old), { force: true });
      }
      const path = pathOf(digest);
      await pipeline(Readable.from(toLines(totals)), createWriteStream(`${path}.part`, { mode: 0o600 }));
      await rename(`${path}.part`, path);
    },
    async open(digest, start) {
      const path = pathOf(digest);
      return (await stat(path).catch(() => undefined)) && readNdjsonRows(path, start);
    },
  };
}

/** Stores the totals only in memory, for one reading. */
export function createMemorySpool(): RollSpool {
  let kept: { readonly digest: string; readonly rows: readonly FileRow[] } | undefined;
  return {
    async keep(totals, digest) {
      kept = { digest, rows: Array.from(toColumns(totals), (columns, place) => ({ columns, end: place + 1 })) };
    },
    open: async (digest, start) => (kept?.digest === digest ? kept.rows.slice(start) : undefined),
  };
}

function* toColumns({ accounts, faults }: RollTotals): Generator<Readonly<Record<string, unknown>>> {
  for (const account of accounts) yield { ...account };
  for (const line of faults) yield { line };
}

function* toLines(totals: RollTotals): Generator<string> {
  for (const columns of toColumns(totals)) yield `${JSON.stringify(columns)}\n`;
}
