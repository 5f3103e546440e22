import type { Server } from 'node:net';
import type { Knex } from 'knex';

/** Where the data lives. */
export type DatabaseKind = 'postgres' | 'embedded';

/**
 * An open database with its schema up to date. Both kinds speak the same SQL through knex and read values the same way:
 * `numeric` and `bigint` as strings, `date` as `YYYY-MM-DD`, `timestamptz` as Date, `bytea` as Buffer, `jsonb` parsed
 * (write it with JSON.stringify: pg takes an array for an SQL array). The embedded one has a pool of exactly one
 * connection, so never ask `knex` for anything inside an open transaction of its own.
 */
export interface Database {
  readonly kind: DatabaseKind;
  readonly knex: Knex;
  /** Only where the data directory is locked: the socket at which this process can be asked for something. */
  readonly controlSocket?: Server;
  /** Reclaims space: VACUUM and CHECKPOINT on the embedded database; nothing to do on PostgreSQL. */
  maintain(): Promise<void>;
  /** Ends the connections, writes what is pending, and gives the directory's lock back. */
  close(): Promise<void>;
}
