import knexFactory, { type Knex } from 'knex';
import pg from 'pg';

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
  /**
   * transaction: each transaction may have another session of the server. Then no statement has a name, and what a
   * session needs is the role's default.
   */
  readonly pooler?: 'none' | 'transaction' | undefined;
}

/** Settings of a session, by the names and in the units of pg_settings. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * What each session needs; both kinds of database read timestamps the same way. Statements here are short and many, so
 * JIT and parallel workers cost more than they save. Custom plans only: a plan cached while a table was empty would
 * scan it forever.
 */
const everySession: SessionSettings = {
  TimeZone: 'UTC',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  plan_cache_mode: 'force_custom_plan',
};
const usualTimeoutMs = 30_000;

/** What a session of a PostgreSQL server needs. */
export function serverSession(statementTimeoutMs = usualTimeoutMs): SessionSettings {
  return {
    ...everySession,
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(Math.ceil(statementTimeoutMs / 2)),
    idle_in_transaction_session_timeout: String(statementTimeoutMs),
  };
}

/** Gives a session these settings: by statements, since poolers refuse them as parameters of a connection. */
export function prepareSession(settings = everySession): string {
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');
}

/** Connects knex to a PostgreSQL server. Opens no connection before the first statement. */
export function createPostgresKnex(options: PostgresOptions): Knex {
  const { url, poolSize = 10, statementTimeoutMs, connectionTimeoutMs = 10_000, schema, pooler } = options;
  const prepare = afterCreate(prepareSession(serverSession(statementTimeoutMs)));
  return knexFactory({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: 'multifamily-deals-feed',
      connectionTimeoutMillis: connectionTimeoutMs,
      keepAlive: true,
      types: valueTypes,
    } as Knex.PgConnectionConfig, // knex's type lacks settings of pg that it passes on unchanged
    pool: { min: 0, max: poolSize, afterCreate: pooler === 'transaction' ? dropNames : prepare },
    acquireConnectionTimeout: connectionTimeoutMs,
    log: silent,
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

/** Where the next statement may have another session, which does not know what this one has parsed. */
function dropNames(connection: pg.Client, done: SessionDone): void {
  const query = connection.query.bind(connection) as (statement: unknown, ...rest: unknown[]) => unknown;
  const queryUnnamed: typeof query = (statement, ...rest) =>
    query(typeof statement === 'object' ? { ...statement, name: undefined } : statement, ...rest);
  Object.assign(connection, { query: queryUnnamed });
  done(null, connection);
}

/** What knex says of its own is dropped: what matters of it reaches whoever asked, as an error. */
export const silent: Knex.Logger = { warn() {}, error() {}, debug() {}, deprecate() {} };
