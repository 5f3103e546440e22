import { pino } from 'pino';
import { openDatabase } from '../../src/db/open-database.js';

/** A process of its own that commits one row after the other and says the number of each that is committed. */
const [directory = ''] = process.argv.slice(2);
const { knex } = await openDatabase({ directory }, pino({ level: 'silent' }));

await knex.raw('create table if not exists counted (id int primary key)');
for (let id = 1; ; id++) {
  await knex('counted').insert({ id });
  process.stdout.write(`${id}\n`);
}
