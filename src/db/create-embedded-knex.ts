import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import knexFactory, { type Knex } from 'knex';
import { afterCreate, prepareSession, searchPathOf, silent, valueTypes } from './create-knex.js';

/**
 * Connects knex to an embedded database through its own adapter. The pool has exactly one connection because the
 * database has exactly one session. The session outlives the connection, so a new connection first clears an open
 * transaction and the names of prepared statements.
 */
export function createEmbeddedKnex(pglite: PGlite, schema?: string): Knex {
  const config = createPgConfig(pglite);
  const forgetStatements = (): void => {
    config.connection.parsedStatements = {};
    config.connection.submittedNamedStatements = {};
  };
  return knexFactory({
    client: 'pg',
    // A function, because knex would clone an object and the database with it.
    connection: () => ({ ...config, types: valueTypes }) as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: 1,
      afterCreate: afterCreate(`rollback; deallocate all; ${prepareSession()}`, forgetStatements),
    },
    acquireConnectionTimeout: 20_000,
    log: silent,
    ...searchPathOf(schema),
  });
}
