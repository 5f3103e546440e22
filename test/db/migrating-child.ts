import type { Knex } from 'knex';
import { createEmbeddedKnex } from '../../src/db/create-embedded-knex.js';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import { migrate } from '../../src/db/migrate.js';
import { YieldingPglite } from '../../src/db/yielding-pglite.js';
import { madeUpLevels } from './made-up-levels.js';

/** A separate process that brings a database to the made-up levels, and dies before its n-th statement of that. */
const [place = '', dieAt = ''] = process.argv.slice(2);
const isServer = place.startsWith('postgres:');
const knex: Knex = isServer
  ? createPostgresKnex({ url: place, poolSize: 3, statementTimeoutMs: 0 })
  : createEmbeddedKnex(await YieldingPglite.create(place));

let statements = 0;
knex.on('query', ({ sql }: { readonly sql: string }) => {
  // When it looks who is waited for depends on the time.
  if (!sql.includes('pg_blocking_pids') && ++statements === Number(dieAt)) process.kill(process.pid, 'SIGKILL');
});
await migrate(knex, madeUpLevels, isServer);
process.exit(0);
