import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadDropFolder } from '../../../src/sources/formats/load-drop-folder.js';
import type { WholeSource, RawRow, RowReject } from '../../../src/sources/source.js';

/** The time of all drop folder tests. */
export const testNow = new Date('2026-11-20T12:00:00.000Z');
const longAgo = new Date('2026-11-20T06:00:00.000Z');

export const plainManifest = {
  name: 'brokers',
  marketplace: 'Broker Exchange',
  format: 'csv',
  file: 'deals.csv',
  covers: ['OH'],
  licence: { class: 'licensed', mayStore: true, mayResell: true, attribution: 'Listings by Broker Exchange' },
  mapping: {
    sourceKey: 'id',
    address: 'street',
    city: 'city',
    state: 'state',
    zip: 'zip',
    listPrice: 'price',
    units: 'units',
  },
  demonstration: false,
};

/** The same listings in JSON, line by line and as an array. */
export const ndjsonManifest = { ...plainManifest, format: 'ndjson', file: 'deals.ndjson' };
export const jsonManifest = { ...plainManifest, format: 'json', file: 'deals.json' };

/** A row of `plainHeader`. */
export const plainRow = (id: string): string => `${id},1 Main St,Cleveland,OH,44105,250000,4\n`;
export const plainHeader = 'id,street,city,state,zip,price,units\n';

/** A new empty drop folder; call `remove` when done. */
export async function createDropRoot(): Promise<{ root: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), 'drop-'));
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}

/** Writes a feed's manifest and files, last written six hours before `testNow`. */
export async function writeFeed(
  root: string,
  folder: string,
  manifest: unknown,
  files: Record<string, string | Buffer>,
): Promise<string> {
  const directory = join(root, folder);
  await mkdir(directory, { recursive: true });
  if (manifest !== undefined) await writeFile(join(directory, 'manifest.json'), JSON.stringify(manifest));
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(directory, name), content);
    await utimes(join(directory, name), longAgo, longAgo);
  }
  return directory;
}

/** The only source of a drop folder. */
export async function loadOnly(root: string, now = testNow): Promise<WholeSource<'listings'>> {
  const { sources, refused } = await loadDropFolder(root, { now: () => now });
  const [source] = sources;
  if (source?.delivers !== 'listings') throw new Error(`no source was loaded: ${JSON.stringify(refused)}`);
  return source;
}

/** All rows of a source, page by page. */
export async function readAll(
  source: WholeSource<'listings'>,
): Promise<{ rows: (RawRow | RowReject)[]; pages: number }> {
  const rows: (RawRow | RowReject)[] = [];
  let pages = 0;
  for await (const page of source.readPages()) {
    rows.push(...page.rows);
    pages += 1;
  }
  return { rows, pages };
}

/** Keys of accepted rows, and `reason key` of rejected ones. */
export async function readOutcome(root: string): Promise<{ taken: string[]; refused: string[] }> {
  const { rows } = await readAll(await loadOnly(root));
  return {
    taken: rows.flatMap((row) => ('reject' in row ? [] : [row.key])),
    refused: rows.flatMap((row) => ('reject' in row ? [`${row.reject} ${row.key}`] : [])),
  };
}
