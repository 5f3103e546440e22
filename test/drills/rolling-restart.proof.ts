import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProjectFile } from '../../src/project-file.js';
import { assertPaid, payAt } from '../payments/answer.js';
import { createAccount, startTestChain, type TestChain } from '../support/chain.js';
import { createRelayerKeys, publishLicensed } from '../support/licensed-shop.js';
import { freePort, requireProgram, startNginx } from '../support/nginx.js';
import { readPrice, signPayment } from '../support/pay.js';
import { createPostgresDatabase, requirePostgres, type PostgresDatabase } from '../support/postgres.js';

const rounds = 5;
/** Buyers at a time, each of whom waits a moment between two purchases: some ten sales a second. */
const buyers = 3;
const pauseMs = 200;
/** The buyers' balance, in atomic units. */
const funds = 1_000_000_000n;
const path = '/api/deals';

describe(`two instances behind nginx, restarted one after the other, ${rounds} times`, function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'restart-'));
  const payer = createAccount();
  let database: PostgresDatabase | undefined;
  let chain: TestChain | undefined;
  let nginx: ChildProcess | undefined;
  let url = '';
  let environment: Readonly<Record<string, string>> = {};
  let ports: readonly number[] = [];
  let servers: ChildProcess[] = [];

  before(async function () {
    database = await createPostgresDatabase(requirePostgres(this));
    requireProgram(this, 'nginx');
    chain = await startTestChain(84532);
    await chain.fund(payer.address, funds);
    const port = await freePort();
    ports = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${port}`;
    environment = {
      NETWORK: 'eip155:84532',
      PAY_TO: createAccount().address,
      RPC_URL: chain.rpcUrl,
      RELAYER_PRIVATE_KEYS: await createRelayerKeys(chain, 3),
      PUBLIC_BASE_URL: url,
      DATABASE_URL: database.url,
      SERVER_SECRET: randomBytes(32).toString('hex'),
      DATA_DIR: folder,
      TRUSTED_PROXIES: 'loopback',
      LOG_LEVEL: 'silent',
      DRAIN_SECONDS: '1',
      UNPAID_CALLS_PER_MINUTE: '100000',
      PAID_CALLS_PER_PAYER: '1000',
    };
    await publishLicensed(database.url, environment['SERVER_SECRET'] ?? '');
    servers = ports.map(start);
    for (const each of ports) await waitUntilReady(each);
    nginx = await startNginx({ folder, port, upstreams: ports });
  });
  after(async () => {
    for (const child of [...servers, nginx]) child?.kill('SIGKILL');
    await chain?.stop();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(port: number): ChildProcess {
    const { PATH } = process.env;
    const env = { PATH, PORT: String(port), OPERATOR_PORT: '0', INSTANCE_NAME: `on-${port}`, ...environment };
    return spawn(process.execPath, [findProjectFile('dist/bin/main.js')], { cwd: folder, env, stdio: 'ignore' });
  }

  async function waitUntilReady(port: number): Promise<void> {
    for (;;) {
      const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      if (reply?.status === 200) return;
      await delay(50);
    }
  }

  it('sell on: no buyer sees an error or a connection that is refused', async () => {
    assert.ok(chain);
    const faults: string[] = [];
    let sold = 0;
    let isOver = false;
    async function buyOn(): Promise<void> {
      while (!isOver) {
        await buy().catch((fault: unknown) => faults.push(String(fault).slice(0, 300)));
        await delay(pauseMs);
      }
    }
    async function buy(): Promise<void> {
      const asked = await fetch(url + path);
      assert.equal(asked.status, 402, `unpaid: ${asked.status}`);
      const header = await signPayment(readPrice(asked), { signer: payer });
      assertPaid(await payAt(url + path, header));
      sold++;
    }
    const buying = Promise.all(Array.from({ length: buyers }, buyOn));
    for (let round = 0; round < rounds; round++)
      for (const [index, port] of ports.entries()) {
        const server = servers[index] ?? assert.fail();
        server.kill('SIGTERM');
        assert.deepEqual(await once(server, 'exit'), [0, null]);
        servers[index] = start(port);
        await waitUntilReady(port);
      }
    isOver = true;
    await buying;
    assert.deepEqual(faults, []);
    assert.ok(sold > rounds * 2, `${sold} sales`);
    const price = 50_000n;
    assert.equal(await chain.balanceOf(payer.address), funds - price * BigInt(sold));
  });
});
