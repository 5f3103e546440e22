import knexFactory, { type Knex } from 'knex';
import pg from 'pg';
import type { Log } from '../log.js';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=...` */
  readonly url: string;
  /** Maximum number of connections of this process. Default 10. */
  readonly poolSize?: number;
  /** Statement timeout of the server. Default 30,000. */
  readonly statementTimeoutMs?: number;
  /** Timeout for a new connection, or for a free one of the pool. Default 10,000. */
  readonly connectionTimeoutMs?: number;
  /** Schema to use, before the database's own. Default: the server's own search path. */
  readonly schema?: string;
}

export type KnexLog = Pick<Log, 'warn' | 'error' | 'debug'>;

/**
 * Settings of each session; both kinds of database read timestamps the same way. Statements here are short and many, so
 * JIT and parallel workers cost more than they save. Custom plans only: a plan cached while a table was empty would
 * scan it forever.
 */
export const prepareSession =
  "set time zone 'UTC'; set jit = off; set max_parallel_workers_per_gather = 0; set plan_cache_mode = force_custom_plan";

/** Connects knex to a PostgreSQL server. Opens no connection before the first statement. */
export function createPostgresKnex(options: PostgresOptions, log: KnexLog): Knex {
  const { url, poolSize = 10, statementTimeoutMs = 30_000, connectionTimeoutMs = 10_000, schema } = options;
  return knexFactory({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: 'multifamily-deals-feed',
      connectionTimeoutMillis: connectionTimeoutMs,
      statement_timeout: statementTimeoutMs,
      lock_timeout: Math.ceil(statementTimeoutMs / 2),
      idle_in_transaction_session_timeout: statementTimeoutMs,
      keepAlive: true,
      types: valueTypes,
    } as Knex.PgConnectionConfig, // knex's type lacks settings of pg that it passes on unchanged
    pool: { min: 0, max: poolSize, afterCreate: afterCreate(prepareSession) },
    acquireConnectionTimeout: connectionTimeoutMs,
    log: knexLog(log),
    ...searchPathOf(schema),
  });
}

/** Named first, a schema may replace functions of the database, as tests do with its clock. */
export function searchPathOf(schema: string | undefined): Pick<Knex.Config, 'searchPath'> {
  return schema === undefined ? {} : { searchPath: [schema, 'pg_catalog'] };
}

/** Keeps a calendar date as `YYYY-MM-DD`: pg would convert it to midnight in this machine's time zone. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.DATE ? String : pg.types.getTypeParser(oid, format),
};

type SessionDone = (error: Error | null | undefined, connection: pg.Client) => void;

/** What each new connection of a pool runs first, and does beside it. */
export function afterCreate(sql: string, also = (): void => {}): (connection: pg.Client, done: SessionDone) => void {
  return (connection, done) => {
    connection.query(sql).then(
      () => {
        also();
        done(null, connection);
      },
      (error: Error) => done(error, connection),
    );
  };
}

/** What knex says, in the log of the process. */
export function knexLog(log: KnexLog): Knex.Logger {
  return {
    warn: (message: unknown) => log.warn(String(message)),
    error: (message: unknown) => log.error(String(message)),
    debug: (message: unknown) => log.debug(String(message)),
    deprecate: (method: string, alternative: string) => log.warn(`knex: ${method} is deprecated, use ${alternative}`),
  };
}
