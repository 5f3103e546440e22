import { pino } from 'pino';
import { known } from '../../src/absence.js';
import type { DatabaseOptions } from '../../src/db/open-database.js';
import { openDatabase } from '../../src/db/open-database.js';
import { createListingReader } from '../../src/listings/listing-reader.js';
import type { Listing } from '../../src/listings/listing.js';
import { identifyByAddress } from '../../src/listings/listing-identity.js';
import { ingestSource } from '../../src/sources/ingest/ingest-source.js';
import { keepRentTables } from '../../src/underwriting/rents/rent-tables-store.js';
import type { RentTable } from '../../src/underwriting/rents/rent-table.js';
import { clock, createScriptedSource, ingestOptions, setDay } from '../sources/ingest/scripted-source.js';
import { at } from './read-sources.js';

/** What a process finds in its database before its work. */
export interface Found {
  /** Each deal's source, prices and number of aliases. */
  readonly deals: readonly string[];
  readonly tables: number;
}

/** What a process is to do with a database, and after how many statements it kills itself. */
export interface DyingOrders {
  readonly database: DatabaseOptions;
  readonly work: 'arrange' | 'mend' | 'look';
  readonly dieAfterStatements?: number;
}

// A process that tells what it finds, reads listings and loads rents, and dies like by a power failure. `mend` makes
// two deals one.

const orders = JSON.parse(process.argv[2] ?? '{}') as DyingOrders;
const database = await openDatabase(orders.database, pino({ level: 'silent' }));
const { knex } = database;
const found = JSON.stringify(await look());
await new Promise((resolve) => process.stdout.write(found, resolve));
let statements = 0;
knex.on('query', () => {
  statements += 1;
  if (statements > (orders.dieAfterStatements ?? Infinity)) process.kill(process.pid, 'SIGKILL');
});

async function read(day: number, name: string, address: string, price: string): Promise<void> {
  setDay(day);
  const options = { ...ingestOptions(knex), identify: identifyByAddress, acceptShrink: true };
  const row = at(address, { sourceKey: `${name}1`, listPrice: known(price) });
  await ingestSource(createScriptedSource([row], { name }), options);
}

async function look(): Promise<Found> {
  setDay(3);
  const found: Listing[] = [];
  for await (const chunk of createListingReader(knex, () => clock.now).readActive()) found.push(...chunk);
  const deals = found.map(({ sourceName, prices, aliases }) =>
    [sourceName, ...new Set(prices.map(({ price }) => String(Number(price)))), aliases.length].join(' '),
  );
  return { deals: deals.sort(), tables: (await knex('rent_tables')).length };
}

if (orders.work === 'arrange') {
  await read(0, 'a', '1234 Kinsmann Rd', '250000');
  await read(1, 'b', '1234 Kinsman Rd', '250000');
} else if (orders.work === 'mend') {
  await read(2, 'a', '1234 Kinsman Rd', '240000');
  const tables = ['one', 'other'].map((sha256) => {
    const header = { sha256, fiscal_year: 2027 } as RentTable['header']; // all that is kept beside the text
    return { table: { header }, text: sha256 };
  });
  await keepRentTables(knex, tables, new Date());
}
await database.close();
