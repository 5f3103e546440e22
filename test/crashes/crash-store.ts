import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createPostgresDatabase, type PostgresDatabase } from '../support/postgres.js';

/** The database of a service that runs in a process of its own, and is dead whenever its database is copied. */
export type CrashStore = Omit<PostgresDatabase, 'url' | 'empty'> & {
  /** By which the service finds it. */
  readonly environment: Readonly<Record<string, string>>;
};

/** @param postgresUrl a server for a new database; undefined: the embedded one in `directory` */
export async function openCrashStore(directory: string, postgresUrl: string | undefined): Promise<CrashStore> {
  if (postgresUrl !== undefined) {
    const { url, ...store } = await createPostgresDatabase(postgresUrl);
    return { ...store, environment: { DATABASE_URL: url } };
  }
  const [files, copy] = [join(directory, 'pg'), join(directory, 'pg-copy')];
  async function replace(old: string, by: string): Promise<void> {
    await rm(old, { recursive: true, force: true });
    await cp(by, old, { recursive: true });
  }
  return {
    environment: {},
    passLeases: async () => undefined,
    backUp: () => replace(copy, files),
    restore: () => replace(files, copy),
    drop: async () => undefined,
  };
}
