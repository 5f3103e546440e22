import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseOptions } from '../../src/db/open-database.js';
import { findProjectFile } from '../../src/project-file.js';
import { deep } from '../support/depth.js';
import { createPostgresDatabase, requirePostgres } from '../support/postgres.js';
import { shortLived } from '../support/short-lived.js';
import type { DyingOrders, Found } from './dying-reading.js';

/** Of about 30: most of them before, within and behind the transaction of the listing. */
const deaths = deep([6, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28], [10, 26]);

const [before, mended] = ['a 250000 0, b 250000 0', 'a 250000 240000 1'];

for (const kind of ['embedded', 'postgres'] as const)
  describe(`kill -9 while two deals become one and rents are loaded, on ${kind}`, () => {
    it('leaves binding, alias and prices as before, or all of them changed, and all tables or none', async function () {
      const directory = mkdtempSync(join(tmpdir(), 'dying-'));
      const store = kind === 'postgres' ? await createPostgresDatabase(requirePostgres(this as never)) : undefined;
      const options: DatabaseOptions = store === undefined ? { directory } : { url: store.url };
      try {
        assert.equal((await run({ database: options, work: 'arrange' })).signal, null);
        const states: string[] = [];
        // Each tells first how the one before it has left the database.
        for (const dieAfterStatements of [...deaths, undefined]) {
          const dies = dieAfterStatements === undefined ? {} : { dieAfterStatements };
          const { deals, tables, signal } = await run({ database: options, work: 'mend', ...dies });
          if (dieAfterStatements === undefined) assert.equal(signal, null);
          states.push(deals.join(', '));
          assert.ok([before, mended].includes(deals.join(', ')), deals.join(', '));
          assert.ok(tables === 0 || tables === 2, String(tables));
        }
        assert.equal(new Set(states).size, 2, 'it died before the change and behind it');
        assert.equal(states[0], before);
        const { deals, tables } = await run({ database: options, work: 'look' });
        assert.deepEqual([deals, tables], [[mended], 2]);
      } finally {
        await store?.drop();
        rmSync(directory, { recursive: true });
      }
    });
  });

/** What the process found, and the signal that ended it. */
async function run(orders: DyingOrders): Promise<Found & { readonly signal: NodeJS.Signals | null }> {
  const script = findProjectFile('dist/test/listings/dying-reading.js');
  const child = spawn(process.execPath, [shortLived, script, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const found = child.stdout.toArray();
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  assert.ok(code === 0 || signal === 'SIGKILL', `it ended with ${code ?? signal}`);
  return { ...(JSON.parse(Buffer.concat(await found).toString()) as Found), signal };
}
