import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { timetable } from '../../jobs/timetable.js';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import { migrate, migrations, type NamedMigration } from '../../src/db/migrate.js';
import { openAtLast } from '../../src/db/outage.js';
import { assertPaid, payAt } from '../payments/answer.js';
import { createAccount, startTestChain, type TestChain } from '../support/chain.js';
import { publishLicensed } from '../support/licensed-shop.js';
import { readPrice, signPayment } from '../support/pay.js';
import { createPostgresDatabase, requirePostgres, type PostgresDatabase } from '../support/postgres.js';
import { findNewest } from './copies.js';
import { askReady, createShop, current, type DrillShop } from './shop.js';

/** The folder of the release before, built, as .ci/run gives it; else this one, on a schema that it does not know. */
const previous = process.env['PREVIOUS_RELEASE'] ?? current;

/** As a later release may bring them: the busiest table is changed, and has a new index. */
const later: readonly NamedMigration[] = [
  ...migrations,
  {
    name: '901-made-up',
    release: '1.1.0',
    does: 'adds a note to each payment',
    change: async (transaction) => transaction.raw('alter table payments add column note text'),
  },
  {
    name: '902-made-up',
    release: '1.1.0',
    does: 'makes payments searchable by it',
    change: { index: 'payments_note', on: 'payments (note)' },
  },
];
const buyers = 3;
const pauseMs = 200;
const purchasesOfEach = 20;
const funds = 10_000_000_000n;
const [dumpMs, togetherMs] = [60_000, 10_000];

describe('the release before and this one on one database', function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  const payer = createAccount();
  let database: PostgresDatabase | undefined;
  let chain: TestChain;
  let shop: DrillShop;
  let first = '';
  let paths: ReadonlyMap<string, string>;
  let paid = 0n;

  before(async function () {
    database = await createPostgresDatabase(requirePostgres(this));
    chain = await startTestChain(84532);
    await chain.fund(payer.address, funds);
    // A chain whose newest block is old takes no new authorization.
    await chain.ask('evm_setIntervalMining', [1]);
    shop = await createShop({ folder, chain, databaseUrl: database.url });
    // The release before makes the schema.
    first = (await shop.start(previous, (url) => fetch(`${url}/healthz`))).url;
    paths = await publishLicensed(database.url, shop.secret);
  });
  after(async () => {
    shop?.kill();
    await chain?.stop();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** False where nothing matches, which costs nothing. */
  async function buy(url: string): Promise<boolean> {
    const asked = await fetch(url);
    assert.equal(asked.status, 402, `unpaid: ${asked.status}`);
    const terms = readPrice(asked);
    const answer = await payAt(url, await signPayment(terms, { signer: payer }));
    if (answer.status === 404) return false;
    assertPaid(answer);
    paid += BigInt(terms.accepts[0]?.amount ?? 0);
    return true;
  }

  /** Buys on at both, and resolves to how long the slowest but one in a hundred took. */
  async function buyDuring(urls: readonly string[], work: () => Promise<unknown>): Promise<number> {
    let isOver = false;
    const tookMs: number[] = [];
    const faults: string[] = [];
    const buying = Array.from({ length: buyers }, async () => {
      for (let round = 0; !isOver; round++) {
        const begun = performance.now();
        await buy(`${urls[round % urls.length]}/api/deals`).catch((fault: unknown) => faults.push(String(fault)));
        tookMs.push(performance.now() - begun);
        await delay(pauseMs);
      }
    });
    await work().finally(() => (isOver = true));
    await Promise.all(buying);
    assert.deepEqual(faults, []);
    const slowMs = tookMs.sort((one, other) => one - other)[Math.floor(tookMs.length * 0.99) - 1] ?? 0;
    process.stderr.write(`    ${tookMs.length} sales, the slowest but one in a hundred took ${slowMs.toFixed()} ms\n`);
    return slowMs;
  }

  /** A dump whose reader takes a minute: its locks last as long. */
  function dump(url: string): { begun: Promise<unknown>; ended: Promise<number> } {
    const child = spawn(findNewest('pg_dump'), [url], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit').then(([code]) => Number(code));
    const begun = once(child.stdout, 'readable');
    void delay(dumpMs).then(() => child.stdout.resume());
    return { begun, ended };
  }

  it('sell side by side while the schema is changed beside a dump of a minute, and nobody waits long', async () => {
    const { url: databaseUrl = '' } = database ?? {};
    while ((await askReady(first)).status !== 200) await delay(50);
    const urls = [first, (await shop.start()).url];
    const usualMs = await buyDuring(urls, () => delay(3_000));
    const knex = createPostgresKnex({ url: databaseUrl, poolSize: 3, statementTimeoutMs: 0 });
    try {
      const { begun, ended } = dump(databaseUrl);
      await begun;
      let isDumped = false;
      let tries = 0;
      const pause = (ms: number): Promise<void> => {
        if (!isDumped) tries++;
        return delay(ms);
      };
      const ports = { log: { warn() {} }, whenAway: async () => {}, pause };
      const slowMs = await buyDuring(urls, async () => {
        const dumped = ended.then((code) => assert.equal(code, 0)).finally(() => (isDumped = true));
        await openAtLast(() => migrate(knex, later, true), ports);
        await dumped;
      });
      assert.ok(tries >= 2, 'the dump was met');
      assert.ok(slowMs <= usualMs + 3_000, `${slowMs} ms, and ${usualMs} ms before`);
      assert.equal((await knex('schema_state').first('level')).level, later.length);
    } finally {
      await knex.destroy();
    }
  });

  it('the one before starts on the newer schema, sells each product, and runs each job and verb', async () => {
    shop.kill();
    const { url, child } = await shop.start(previous);
    const sold: Record<string, number> = {};
    for (const [operation, path] of paths)
      await Promise.all(
        Array.from({ length: buyers }, async () => {
          // There are fewer leads to be sold to one buyer alone.
          while ((sold[operation] ?? 0) < purchasesOfEach && (await buy(url + path)))
            sold[operation] = (sold[operation] ?? 0) + 1;
        }),
      );
    assert.deepEqual(Object.keys(sold).sort(), [...paths.keys()].sort());
    process.stderr.write(`    ${JSON.stringify(sold)}\n`);

    const run = (words: string): string => {
      const { status, text } = shop.cli(words.split(' '), previous);
      assert.equal(status, 0, `${words}: ${text}`);
      return text;
    };
    const known = run('jobs');
    for (const { job } of timetable) if (known.includes(job)) run(`run ${job}`);
    const verbs = [
      ...['help', 'sources', 'sources remove brokers --yes', 'sources restore brokers', 'report demand'],
      ...['ledger report', 'ledger refunds', 'ledger audit'],
    ];
    for (const verb of verbs) run(verb);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('both sell on the newer schema at the same time, and all that was sold is on the chain, once', async () => {
    const both = [await shop.start(previous), await shop.start()];
    await buyDuring(
      both.map(({ url }) => url),
      () => delay(togetherMs),
    );
    for (const { child } of both) {
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    }
    assert.equal(await chain.balanceOf(payer.address), funds - paid);
    const audit = JSON.parse(shop.cli(['ledger', 'audit', '--json']).text) as Record<string, unknown>;
    assert.deepEqual([audit['differenceUsd'], audit['lostSales']], ['0.00', 0], JSON.stringify(audit));
  });
});
