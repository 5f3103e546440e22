import { writeFile } from 'node:fs/promises';
import { createLog } from '../log.js';
import { createEmbeddedKnex } from './create-knex.js';
import { dumpSchema } from './dump-schema.js';
import { migrate } from './migrate.js';
import { YieldingPglite } from './yielding-pglite.js';

// `npm run db:schema`: applies the migrations to an empty database and writes its schema to schema.sql beside this
// file.
const pglite = new YieldingPglite();
const knex = createEmbeddedKnex(pglite, createLog('warn'));
await migrate(knex);
await writeFile(new URL('schema.sql', import.meta.url), await dumpSchema(knex));
await knex.destroy();
await pglite.close();
