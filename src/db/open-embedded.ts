import { chmod, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OperatorError } from '../errors.js';
import type { Log } from '../log.js';
import { makeDirectory } from '../project-file.js';
import { createEmbeddedKnex } from './create-embedded-knex.js';
import type { Database } from './database.js';
import { lockDirectory, writableDirectory } from './directory-lock.js';
import { unpackEmptyCluster } from './empty-cluster.js';
import { migrate } from './migrate.js';
import { YieldingPglite } from './yielding-pglite.js';

/**
 * Opens the embedded database in `directory/pg` for this process alone, creating it if needed. Committed data survives
 * a killed process, but perhaps not a power cut; use PostgreSQL for that.
 */
export async function openEmbedded(directory: string, log: Log): Promise<Database> {
  const root = resolve(directory);
  try {
    makeDirectory(root, 0o700);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The data directory cannot be made (${why}). ${writableDirectory}`);
  }
  const lock = await lockDirectory(root);
  const undo: (() => Promise<void>)[] = [() => lock.release()];
  const close = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    const pglite = await boot(join(root, 'pg'));
    undo.push(() => pglite.close());
    const knex = createEmbeddedKnex(pglite);
    undo.push(() => knex.destroy());
    const done = await migrate(knex);
    if (done.length > 0) log.info({ migrations: done }, 'schema migrated');
    const maintain = async (): Promise<void> => {
      // Table by table: one statement over all tables would block other work.
      const { rows } = await knex.raw<{ rows: { table: string }[] }>(ownTables);
      for (const { table } of rows) await knex.raw('vacuum (analyze) ??', [table]);
      await knex.raw('checkpoint');
    };
    const freeBytes = async (): Promise<number> => {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    };
    return { kind: 'embedded', knex, freeBytes, controlSocket: lock.controlSocket, maintain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function boot(path: string): Promise<YieldingPglite> {
  if (!(await exists(path))) await create(path);
  await chmod(path, 0o700);
  try {
    return await start(path);
  } catch (error) {
    const major = (await readFile(join(path, 'PG_VERSION'), 'utf8').catch(() => 'unknown')).trim();
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `The embedded database in ${path} (PostgreSQL ${major}) does not open: ${why}. If another version of this ` +
        'service wrote it, use that version; else restore a backup, or set DATA_DIR to an empty directory.',
      { cause: error },
    );
  }
}

/** Creates the database under another name first, so that an interrupted one is never taken for complete. */
async function create(path: string): Promise<void> {
  const unfinished = `${path}.new`;
  await rm(unfinished, { recursive: true, force: true });
  if (!(await unpackEmptyCluster(unfinished))) await (await start(unfinished)).close();
  await rename(unfinished, path);
}

/** Enough for the demonstration, and 100 MB less of memory than as it comes. */
const startParams = [...YieldingPglite.defaultStartParams, '-c', 'shared_buffers=32MB'];

async function start(path: string): Promise<YieldingPglite> {
  const pglite = new YieldingPglite(path, { startParams });
  await pglite.waitReady;
  return pglite;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

const ownTables = `select tablename as "table" from pg_tables where schemaname = current_schema() order by tablename`;
