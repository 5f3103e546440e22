import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { assertPaid, payAt } from '../payments/answer.js';
import { withId } from '../payments/with-id.js';
import { createAccount, startTestChain, type TestChain } from '../support/chain.js';
import { publishLicensed } from '../support/licensed-shop.js';
import { readPrice, signPayment } from '../support/pay.js';
import { administer, askDatabase, controlPostgres, requirePostgres } from '../support/postgres.js';
import { askReady, createShop, type DrillShop } from './shop.js';

const [noticedMs, readyAgainMs, fullMs] = [15_000, 5_000, 30_000];
/** A claim's lease and two runs of the reconciliation. */
const reconciledMs = 180_000;
const [buyers, pauseMs] = [3, 200];
const funds = 10_000_000_000n;
const price = 50_000n;

describe('a PostgreSQL whose disk is full under sales, and is freed', function () {
  this.timeout(480_000);
  const disk = mkdtempSync(join(tmpdir(), 'full-server-'));
  const [cluster, filler, folder] = [join(disk, 'cluster'), join(disk, 'filler'), mkdtempSync(join(tmpdir(), 'full-'))];
  const payer = createAccount();
  let chain: TestChain | undefined;
  let shop: DrillShop | undefined;
  let isMounted = false;
  let databaseUrl = '';
  let url = '';
  let path = '';

  before(async function () {
    requirePostgres(this);
    isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=755', 'tmpfs', disk]).status === 0;
    if (!isMounted) {
      process.stderr.write('    SKIPPED: no disk of 320 MB can be mounted here\n');
      return this.skip();
    }
    mkdirSync(cluster);
    databaseUrl = await controlPostgres('start', [cluster], '-c min_wal_size=32MB -c max_wal_size=64MB');
    chain = await startTestChain(84532);
    await chain.fund(payer.address, funds);
    // A chain whose newest block is old takes no new authorization.
    await chain.ask('evm_setIntervalMining', [1]);
    shop = await createShop({ folder, chain, databaseUrl });
    await publishLicensed(databaseUrl, shop.secret);
    ({ url } = await shop.start());
    path = `${url}/api/deals`;
  });
  after(async () => {
    shop?.kill();
    await chain?.stop();
    if (isMounted) {
      rmSync(filler, { force: true });
      await controlPostgres('stop', [cluster]);
      spawnSync('umount', [disk]);
    }
    rmdirSync(disk);
    rmSync(folder, { recursive: true, force: true });
  });

  function fill(): void {
    const file = openSync(filler, 'a');
    try {
      for (let block = Buffer.alloc(65_536); ;) writeSync(file, block);
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    } finally {
      closeSync(file);
    }
  }

  async function sign(asked: Response): Promise<string> {
    return signPayment(readPrice(asked), { signer: payer, validBefore: BigInt(Math.floor(Date.now() / 1000) + 900) });
  }

  /** Resolves to how long it took. */
  async function until(status: number, withinMs: number): Promise<number> {
    const begun = performance.now();
    for (;;) {
      const ready = await askReady(url);
      const tookMs = performance.now() - begun;
      if (ready.status === status) return tookMs;
      assert.ok(tookMs <= withinMs, `/readyz is ${ready.status} after ${tookMs} ms`);
      await delay(100);
    }
  }

  it('asks nobody for money within 15 s, loses nothing, and sells again within 5 s', async () => {
    assert.ok(shop && chain);
    const known = withId(await sign(await fetch(path)), 'an-identifier-of-its-buyer');
    assertPaid(await payAt(path, known));
    let sold = 1;
    let isOver = false;
    let [askedMs, noticed, readyAgain] = [0, 0, 0];
    const unsold: string[] = [];
    const faults: string[] = [];
    async function buy(): Promise<void> {
      const asked = await fetch(path);
      if (asked.status !== 402) return assert.equal(asked.status, 503, 'no 402');
      askedMs = performance.now();
      const header = await sign(asked);
      const answer = await payAt(path, header);
      if (answer.status === 200) return void sold++;
      unsold.push(header);
      assert.equal(answer.status, 503, answer.text);
    }
    const buying = Array.from({ length: buyers }, async () => {
      while (!isOver) {
        await buy().catch((fault: unknown) => faults.push(String(fault)));
        await delay(pauseMs);
      }
    });

    try {
      while (sold < 5) await delay(100);
      fill();
      await assert.rejects(
        administer(databaseUrl, "create table more as select repeat('x', 900) from generate_series(1, 9000)"),
        { code: '53100' },
      );
      noticed = await until(503, noticedMs);
      const noticedAt = performance.now();
      for (let passed = 0; passed < fullMs; passed += 1_000) {
        assertPaid(await payAt(path, known));
        assert.equal((await askReady(url)).status, 503, `ready after ${passed} ms`);
        await delay(1_000);
      }
      assert.ok(askedMs <= noticedAt + 1_000, `a 402 ${askedMs - noticedAt} ms after it was noticed`);
      rmSync(filler);
      readyAgain = await until(200, readyAgainMs);
      await delay(1_000);
    } finally {
      isOver = true;
      await Promise.all(buying);
    }
    assert.deepEqual(faults, []);
    for (const header of unsold) {
      assertPaid(await payAt(path, header));
      sold++;
    }
    process.stderr.write(
      `    full ${noticed.toFixed()} ms, free ${readyAgain.toFixed()} ms, ${sold} sold, ${unsold.length} of them later\n`,
    );
    assert.equal(await chain.balanceOf(payer.address), funds - price * BigInt(sold), 'each sale is paid once');
    const audit = JSON.parse(shop.cli(['ledger', 'audit', '--json']).text) as Record<string, unknown>;
    assert.deepEqual([audit['differenceUsd'], audit['lostSales']], ['0.00', 0], JSON.stringify(audit));
    // A sale whose end could not be written has its data already; the reconciliation writes it.
    const countOpen = async () =>
      (await askDatabase(databaseUrl, "select from payments where state <> 'settled'")).length;
    for (let begun = performance.now(), open = await countOpen(); open > 0; open = await countOpen()) {
      assert.ok(performance.now() - begun < reconciledMs, `${open} payments are open`);
      await delay(1_000);
    }
  });
});
