import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { findProjectFile } from '../project-file.js';
import { createEmbeddedKnex } from './create-embedded-knex.js';
import { migrate, migrations } from './migrate.js';

/** Created by the build, with the schema: unpacking it takes a tenth of the time of creating both. */
const built = () => findProjectFile(`dist/assets/empty-${migrations.at(-1)?.name}.tar.gz`);
const installed = () => findProjectFile('node_modules/.package-lock.json');

/** Creates the archive if it is missing or older than the installed packages, which define its format. */
export async function buildEmptyCluster(): Promise<void> {
  if (existsSync(built()) && statSync(built()).mtimeMs > statSync(installed()).mtimeMs) return;
  const pglite = await PGlite.create();
  const knex = createEmbeddedKnex(pglite);
  await migrate(knex);
  await knex.destroy();
  const cluster = await pglite.dumpDataDir('gzip');
  await pglite.close();
  mkdirSync(dirname(built()), { recursive: true });
  writeFileSync(built(), new Uint8Array(await cluster.arrayBuffer()));
}

/** The archive for an in-memory database; undefined without a build. */
export function readEmptyCluster(): Blob | undefined {
  return existsSync(built()) ? new Blob([readFileSync(built())], { type: 'application/x-gzip' }) : undefined;
}

/**
 * Unpacks the archive into a new directory; without a build does nothing and returns false. PGlite's own `loadDataDir`
 * takes 300 ms and 45 MB more.
 */
export async function unpackEmptyCluster(directory: string): Promise<boolean> {
  if (!existsSync(built())) return false;
  await mkdir(directory, { mode: 0o700 });
  const archive = readFileSync(built());
  // Its last bytes tell how long it becomes: so it is not joined from thousands of pieces. Source: RFC 1952.
  const chunkSize = archive.readUInt32LE(archive.length - 4) + 1;
  for (const { path, content } of readTar(gunzipSync(archive, { chunkSize }))) {
    if (content === undefined) await mkdir(join(directory, path), { recursive: true, mode: 0o700 });
    else await writeFile(join(directory, path), content, { mode: 0o600 });
  }
  return true;
}

const block = 512;

/** Yields directories, and files with their content, in archive order. */
function* readTar(tar: Buffer): Generator<{ readonly path: string; readonly content?: Buffer }> {
  const textAt = (at: number, length: number): string =>
    tar.toString('latin1', at, at + length).split('\0', 1)[0] ?? '';
  for (let at = 0; tar[at];) {
    const path = `.${textAt(at, 100)}`;
    const isDirectory = textAt(at + 156, 1) === '5';
    const size = isDirectory ? 0 : Number.parseInt(textAt(at + 124, 12), 8);
    const begin = at + block;
    yield isDirectory ? { path } : { path, content: tar.subarray(begin, begin + size) };
    at = begin + Math.ceil(size / block) * block;
  }
}
