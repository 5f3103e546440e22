import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Database } from '../../src/db/database.js';
import { openEmbedded } from '../../src/db/open-embedded.js';
import { assertNotReady, assertReady, openShop, type Shop } from './outage-shop.js';

const path = '/api/deals?limit=1';

describe('a service on the embedded database whose disk is full', function () {
  // A pure limit: a chain and a database are started.
  this.timeout(180_000);
  const disk = mkdtempSync(join(tmpdir(), 'full-disk-'));
  const filler = join(disk, 'filler');
  let database: Database | undefined;
  let shop: Shop;

  before(async function () {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', disk]).status !== 0) {
      process.stderr.write('    SKIPPED: no disk of 256 MB can be mounted here\n');
      return this.skip();
    }
    database = await openEmbedded(join(disk, 'data'), pino({ level: 'silent' }));
    shop = await openShop({}, { database });
  });
  after(async () => {
    await shop?.stop();
    await database?.close();
    if (database) spawnSync('umount', [disk]);
    rmdirSync(disk);
  });

  function fill(): void {
    const file = openSync(filler, 'a');
    const block = Buffer.alloc(65_536);
    try {
      for (;;) writeSync(file, block);
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    } finally {
      closeSync(file);
    }
  }

  const readRow = async (): Promise<readonly unknown[]> => database?.knex('instances').pluck('ready') ?? [];

  it('sells nothing, charges nobody, redelivers, is not ready in the list of instances, and sells again by itself', async () => {
    await assertReady(shop);
    const signed = await shop.sign('another-identifier-of-its-buyer');
    const before = await shop.readBalance();
    fill();
    await assert.rejects(
      database?.knex.raw("create table more as select repeat('x', 900) from generate_series(1, 9000)") ?? assert.fail(),
      {
        code: '53100',
      },
    );
    const early = await shop.get(path, signed);
    assert.ok(early.status === 200 || early.status === 503, `${early.status} ${early.text}`);
    await shop.step();
    await assertNotReady(shop, 'database.writable', await shop.get('/readyz'));
    await shop.step();
    assert.deepEqual(await readRow(), [false]);
    const during = await shop.get(path, signed);
    assert.equal(during.status, early.status, during.text);
    assert.equal((await shop.get(path, shop.sold)).status, 200, 'what was paid is sent again');
    if (early.status === 503)
      assert.equal(await shop.readBalance(), before, 'nobody is charged for what is not recorded');
    rmSync(filler);
    await shop.step();
    await assertReady(shop);
    await shop.step();
    assert.deepEqual(await readRow(), [true]);
    assert.equal((await shop.get(path, signed)).status, 200);
    assert.equal(await shop.readBalance(), before - 50_000n, 'once');
  });
});
