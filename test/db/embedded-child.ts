import { pino } from 'pino';
import { openDatabase } from '../../src/db/open-database.js';

/** A separate process that commits row after row and prints the number of each committed one. */
const [directory = ''] = process.argv.slice(2);
const { knex } = await openDatabase({ directory }, pino({ level: 'silent' }));

await knex.raw('create table if not exists counted (id int primary key)');
for (let id = 1; ; id++) {
  await knex('counted').insert({ id });
  process.stdout.write(`${id}\n`);
}
