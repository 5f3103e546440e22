import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { timetable } from '../../jobs/timetable.js';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import { migrate, migrations, type NamedMigration } from '../../src/db/migrate.js';
import { openAtLast } from '../../src/db/outage.js';
import { findProjectFile } from '../../src/project-file.js';
import { assertPaid, payAt } from '../payments/answer.js';
import { createAccount, startTestChain, type TestChain } from '../support/chain.js';
import { createRelayerKeys, publishLicensed } from '../support/licensed-shop.js';
import { freePort } from '../support/nginx.js';
import { readPrice, signPayment } from '../support/pay.js';
import { createPostgresDatabase, requirePostgres, type PostgresDatabase } from '../support/postgres.js';

/** The folder of the release before, built, as .ci/run gives it; else this one, on a schema that it does not know. */
const previous = process.env['PREVIOUS_RELEASE'] ?? findProjectFile('');
const current = findProjectFile('');

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
const funds = 10_000_000_000n;

describe('the release before and this one on one database', function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  const payer = createAccount();
  let database: PostgresDatabase | undefined;
  let chain: TestChain;
  let environment: Readonly<Record<string, string>>;
  let paths: ReadonlyMap<string, string>;
  const servers: ChildProcess[] = [];
  let paid = 0n;

  before(async function () {
    database = await createPostgresDatabase(requirePostgres(this));
    chain = await startTestChain(84532);
    await chain.fund(payer.address, funds);
    // A chain whose newest block is old takes no new authorization.
    await chain.ask('evm_setIntervalMining', [1]);
    environment = {
      NETWORK: 'eip155:84532',
      PAY_TO: createAccount().address,
      RPC_URL: chain.rpcUrl,
      RELAYER_PRIVATE_KEYS: await createRelayerKeys(chain, 3),
      PUBLIC_BASE_URL: 'https://deals.example.org',
      DATABASE_URL: database.url,
      SERVER_SECRET: randomBytes(32).toString('hex'),
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      OPERATOR_PORT: '0',
      DRAIN_SECONDS: '0',
      UNPAID_CALLS_PER_MINUTE: '100000',
      PAID_CALLS_PER_PAYER: '1000',
    };
  });
  after(async () => {
    for (const child of servers) child.kill('SIGKILL');
    await chain?.stop();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  function environmentOf(port: number): NodeJS.ProcessEnv {
    const { PATH } = process.env;
    return { PATH, PORT: String(port), INSTANCE_NAME: `on-${port}`, ...environment };
  }

  async function start(release: string, isReady: (url: string) => Promise<Response>) {
    const port = await freePort();
    const main = join(release, 'dist/bin/main.js');
    const child = spawn(process.execPath, [main], { cwd: folder, env: environmentOf(port), stdio: 'ignore' });
    servers.push(child);
    const url = `http://127.0.0.1:${port}`;
    for (;;) {
      const reply = await isReady(url).catch(() => undefined);
      if (reply?.status === 200) return { url, child };
      assert.equal(child.exitCode, null, 'it has ended');
      await delay(50);
    }
  }
  const ready = (url: string): Promise<Response> => fetch(`${url}/readyz`);

  async function buy(url: string): Promise<void> {
    const asked = await fetch(url);
    assert.equal(asked.status, 402, `unpaid: ${asked.status}`);
    const terms = readPrice(asked);
    assertPaid(await payAt(url, await signPayment(terms, { signer: payer })));
    paid += BigInt(terms.accepts[0]?.amount ?? 0);
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
    return tookMs.sort((one, other) => one - other)[Math.floor(tookMs.length * 0.99) - 1] ?? 0;
  }

  it('sell side by side while the schema is changed beside a long dump, and nobody waits long', async () => {
    const before = await start(previous, (url) => fetch(`${url}/healthz`));
    paths = await publishLicensed(environment['DATABASE_URL'] ?? '', environment['SERVER_SECRET'] ?? '');
    while ((await ready(before.url)).status !== 200) await delay(50);
    const after = await start(current, ready);
    const urls = [before.url, after.url];
    const usualMs = await buyDuring(urls, () => delay(3_000));
    const knex = createPostgresKnex({ url: environment['DATABASE_URL'] ?? '', poolSize: 3, statementTimeoutMs: 0 });
    try {
      // What a dump holds as long as it takes.
      const dump = await knex.transaction({ isolationLevel: 'repeatable read' });
      await dump('payments').first();
      let tries = 0;
      const pause = async (ms: number): Promise<void> => {
        if (++tries === 2) await dump.rollback();
        else await delay(ms);
      };
      const ports = { log: { warn() {} }, whenAway: async () => {}, pause };
      const slowMs = await buyDuring(urls, () => openAtLast(() => migrate(knex, later, true), ports));
      assert.ok(tries >= 2, 'the dump was met');
      assert.ok(slowMs <= usualMs + 3_000, `${slowMs} ms, and ${usualMs} ms before`);
      assert.equal((await knex('schema_state').first('level')).level, later.length);
    } finally {
      await knex.destroy();
    }
  });

  it('the one before starts on the newer schema, sells each product, and runs each job and verb', async () => {
    const { url, child } = await start(previous, ready);
    for (const path of paths.values()) await buy(url + path);
    const cli = (...words: readonly string[]): void => {
      const { status, stderr } = spawnSync(process.execPath, [join(previous, 'dist/bin/cli.js'), ...words], {
        cwd: folder,
        env: environmentOf(0),
        encoding: 'utf8',
      });
      assert.equal(status, 0, `${words.join(' ')}: ${stderr}`);
    };
    for (const { job } of timetable) cli('run', job);
    for (const verb of ['jobs', 'sources', 'ledger report', 'ledger refunds', 'ledger audit', 'report demand'])
      cli(...verb.split(' '));
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    assert.equal(await chain.balanceOf(payer.address), funds - paid, 'all that was sold is on the chain, once');
  });
});
