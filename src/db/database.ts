import type { Server } from 'node:net';
import type { Knex } from 'knex';

/** The kind of database. */
export type DatabaseKind = 'postgres' | 'embedded';

/**
 * An open database with its schema up to date. Both kinds use the same SQL through knex and return the same types:
 * `numeric` and `bigint` as strings, `date` as `YYYY-MM-DD`, `timestamptz` as Date, `bytea` as Buffer, `jsonb` parsed.
 * Write `jsonb` with JSON.stringify: pg treats an array as an SQL array.
 *
 * The embedded database has one connection, so never use `knex` inside one of its own open transactions.
 */
export interface Database {
  readonly kind: DatabaseKind;
  readonly knex: Knex;
  /** What is free on its disk; only with a data directory. */
  freeBytes?(): Promise<number>;
  /** The socket on which this process takes commands; only with a locked data directory. */
  readonly controlSocket?: Server;
  /** Reclaims space: VACUUM and CHECKPOINT on the embedded database; nothing to do on PostgreSQL. */
  maintain(): Promise<void>;
  /** Closes the connections, writes pending data, and releases the directory's lock. */
  close(): Promise<void>;
}
