import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import knexFactory, { type Knex } from 'knex';
import pg from 'pg';
import type { Log } from '../log.js';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=...` */
  readonly url: string;
  /** The most connections this process opens. Default 10. */
  readonly poolSize?: number;
  /** After this long the server gives up on a statement. Default 30,000. */
  readonly statementTimeoutMs?: number;
  /** How long a new connection, or a free one of the pool, is waited for. Default 10,000. */
  readonly connectionTimeoutMs?: number;
  /** The schema to live in. Default: the server's own search path. */
  readonly schema?: string;
}

type KnexLog = Pick<Log, 'warn' | 'error' | 'debug'>;

/**
 * Says what a session needs before its first statement; both kinds of database read timestamps the same way. Statements
 * here are short and many: compiling one, or starting workers for it, takes longer than the statement itself. Each is
 * planned for the tables as they are: a plan that was kept since nobody had paid yet reads all payments, however many
 * there are.
 */
const prepareSession =
  "set time zone 'UTC'; set jit = off; set max_parallel_workers_per_gather = 0; set plan_cache_mode = force_custom_plan";

/** Connects knex to a PostgreSQL server. Nothing is opened before the first statement. */
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
    ...(schema === undefined ? {} : { searchPath: [schema] }),
  });
}

/**
 * Connects knex to an embedded database through its own adapter. The pool has exactly one connection because the
 * database has exactly one session; the session outlives the connection, so a new connection first clears what an
 * earlier one left: an open transaction and the names of prepared statements.
 */
export function createEmbeddedKnex(pglite: PGlite, log: KnexLog, schema?: string): Knex {
  const config = createPgConfig(pglite);
  const forgetStatements = (): void => {
    config.connection.parsedStatements = {};
    config.connection.submittedNamedStatements = {};
  };
  return knexFactory({
    client: 'pg',
    // A function, because knex clones an object and would clone the database with it.
    connection: () => ({ ...config, types: valueTypes }) as Knex.PgConnectionConfig,
    pool: { min: 0, max: 1, afterCreate: afterCreate(`rollback; deallocate all; ${prepareSession}`, forgetStatements) },
    acquireConnectionTimeout: 20_000,
    log: knexLog(log),
    ...(schema === undefined ? {} : { searchPath: [schema] }),
  });
}

/** A calendar date stays `YYYY-MM-DD`: pg would make it midnight in this machine's time zone. */
const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.DATE ? String : pg.types.getTypeParser(oid, format),
};

type SessionDone = (error: Error | null | undefined, connection: pg.Client) => void;

function afterCreate(sql: string, also = (): void => {}): (connection: pg.Client, done: SessionDone) => void {
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

function knexLog(log: KnexLog): Knex.Logger {
  return {
    warn: (message: unknown) => log.warn(String(message)),
    error: (message: unknown) => log.error(String(message)),
    debug: (message: unknown) => log.debug(String(message)),
    deprecate: (method: string, alternative: string) => log.warn(`knex: ${method} is old, use ${alternative}`),
  };
}
