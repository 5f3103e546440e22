import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Database } from '../../src/db/database.js';
import { openDatabase, type DatabaseOptions } from '../../src/db/open-database.js';
import { createListingReader } from '../../src/listings/listing-reader.js';
import type { Listing } from '../../src/listings/listing.js';
import { findProjectFile } from '../../src/project-file.js';
import { clock, setDay } from '../sources/ingest/scripted-source.js';
import { createPostgresDatabase, requirePostgres } from '../support/postgres.js';
import { shortLived } from '../support/short-lived.js';
import type { DyingOrders } from './dying-reading.js';

/** Of about 30: most of them before, within and behind the transaction of the listing. */
const deaths = [6, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28];

for (const kind of ['embedded', 'postgres'] as const)
  describe(`kill -9 while two deals become one and rents are loaded, on ${kind}`, () => {
    it('leaves binding, alias and prices as before, or all of them changed, and all tables or none', async function () {
      const directory = mkdtempSync(join(tmpdir(), 'dying-'));
      const store = kind === 'postgres' ? await createPostgresDatabase(requirePostgres(this as never)) : undefined;
      const options: DatabaseOptions = store === undefined ? { directory } : { url: store.url };
      try {
        assert.equal(await run({ database: options, work: 'arrange' }), null);
        const before = await readState(options);
        assert.deepEqual(before, { deals: ['a 250000 0', 'b 250000 0'], tables: 0 });
        const states: string[] = [];
        for (const dieAfterStatements of deaths) {
          await run({ database: options, work: 'mend', dieAfterStatements });
          const { deals, tables } = await readState(options);
          states.push(deals.join(', '));
          assert.ok(['a 250000 0, b 250000 0', 'a 250000 240000 1'].includes(deals.join(', ')), deals.join(', '));
          assert.ok(tables === 0 || tables === 2, String(tables));
        }
        assert.equal(new Set(states).size, 2, 'it died before the change and behind it');
        assert.equal(states[0], before.deals.join(', '));
        assert.equal(await run({ database: options, work: 'mend' }), null);
        assert.deepEqual(await readState(options), { deals: ['a 250000 240000 1'], tables: 2 });
      } finally {
        await store?.drop();
        rmSync(directory, { recursive: true });
      }
    });
  });

/** The signal that ended the process. */
async function run(orders: DyingOrders): Promise<NodeJS.Signals | null> {
  const script = findProjectFile('dist/test/listings/dying-reading.js');
  const child = spawn(process.execPath, [shortLived, script, JSON.stringify(orders)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  assert.ok(code === 0 || signal === 'SIGKILL', `it ended with ${code ?? signal}`);
  return signal;
}

/** Each deal's source, prices and number of aliases. */
async function readState(options: DatabaseOptions): Promise<{ deals: string[]; tables: number }> {
  const database: Database = await openDatabase(options, pino({ level: 'silent' }));
  try {
    setDay(3);
    const found: Listing[] = [];
    for await (const chunk of createListingReader(database.knex, () => clock.now).readActive()) found.push(...chunk);
    const deals = found.map(({ sourceName, prices, aliases }) =>
      [sourceName, ...new Set(prices.map(({ price }) => String(Number(price)))), aliases.length].join(' '),
    );
    return { deals: deals.sort(), tables: (await database.knex('rent_tables')).length };
  } finally {
    await database.close();
  }
}
