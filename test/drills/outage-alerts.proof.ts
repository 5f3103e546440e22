import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { privateKeyToAccount } from 'viem/accounts';
import { findProjectFile } from '../../src/project-file.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { createAccount, startTestChain, type TestChain } from '../support/chain.js';
import { startCuttableProxy, type CuttableProxy } from '../support/cuttable-proxy.js';
import { createRelayerKeys, publishLicensed } from '../support/licensed-shop.js';
import { freePort } from '../support/nginx.js';
import { createPostgresDatabase, requirePostgres, type PostgresDatabase } from '../support/postgres.js';

const withinMs = 120_000;

interface Shop {
  readonly database: CuttableProxy;
  readonly node: CuttableProxy;
  setGas(wei: Hex): Promise<unknown>;
  /** The names of the alerts that fire. */
  readAlerts(): Promise<readonly string[]>;
}

interface Outage {
  begin(shop: Shop): unknown;
  end(shop: Shop): unknown;
}

const outages: Readonly<Record<string, Outage>> = {
  'the database is gone': {
    begin: ({ database }) => database.set('cut'),
    end: ({ database }) => database.set('open'),
  },
  'the node does not answer': { begin: ({ node }) => node.set('hung'), end: ({ node }) => node.set('open') },
  'the relayer has no gas': { begin: ({ setGas }) => setGas('0x0'), end: ({ setGas }) => setGas('0xde0b6b3a7640000') },
};

describe('a shop that Prometheus watches by ops/prometheus.yml and ops/alerts.yml', function () {
  // The outages happen at the same time, each in a shop of its own.
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'outages-'));
  const running: ChildProcess[] = [];
  const databases: PostgresDatabase[] = [];
  const proxies: CuttableProxy[] = [];
  let serverUrl = '';
  let programs = '';
  let chain: TestChain | undefined;
  let stopMining = (): void => undefined;

  before(async function () {
    serverUrl = requirePostgres(this);
    const kept = join(tmpdir(), 'deals-feed-prometheus');
    const { status, stdout } = spawnSync('sh', [findProjectFile('.ci/prometheus.sh'), kept], { encoding: 'utf8' });
    if (status !== 0) {
      process.stderr.write('    SKIPPED: Prometheus cannot be had (.ci/prometheus.sh)\n');
      return this.skip();
    }
    programs = stdout.trim();
    chain = await startTestChain(84532);
    stopMining = chain.mineEvery(2_000);
  });
  after(async () => {
    for (const child of running) child.kill('SIGKILL');
    for (const proxy of proxies) await proxy.stop();
    for (const database of databases) await database.drop();
    stopMining();
    await chain?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function putBefore(url: string): Promise<[CuttableProxy, string]> {
    const { hostname: host, port } = new URL(url);
    const proxy = await startCuttableProxy({ host, port: Number(port) });
    proxies.push(proxy);
    return [proxy, Object.assign(new URL(url), { port: String(proxy.port) }).href];
  }

  async function open(name: string): Promise<Shop> {
    const { rpcUrl, ask } = chain ?? assert.fail();
    const own = join(folder, String(databases.length));
    mkdirSync(own);
    const { url, drop, ...rest } = await createPostgresDatabase(serverUrl);
    databases.push({ url, drop, ...rest });
    const [secret, operatorToken] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    await publishLicensed(url, secret);
    const [database, databaseUrl] = await putBefore(url);
    const [node, nodeUrl] = await putBefore(rpcUrl);
    const key = await createRelayerKeys(chain ?? assert.fail(), 1);
    const [port, operatorPort, prometheusPort] = [await freePort(), await freePort(), await freePort()];
    const { PATH } = process.env;
    const settings = {
      PORT: String(port),
      OPERATOR_PORT: String(operatorPort),
      NETWORK: 'eip155:84532',
      PAY_TO: createAccount().address,
      RPC_URL: nodeUrl,
      RELAYER_PRIVATE_KEYS: key,
      PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: databaseUrl,
      SERVER_SECRET: secret,
      DATA_DIR: own,
      OPERATOR_TOKEN: operatorToken,
      LOG_LEVEL: 'silent',
    };
    run(process.execPath, [findProjectFile('dist/bin/main.js')], { PATH, ...settings });
    const [file, token] = [join(own, 'prometheus.yml'), join(own, 'token')];
    writeFileSync(token, operatorToken);
    const configuration = readFileSync(findProjectFile('ops/prometheus.yml'), 'utf8')
      .replaceAll('15s', '5s')
      .replace('[alerts.yml]', `['${findProjectFile('ops/alerts.yml')}']`)
      .replace(/alerting:\n.*\n/, '')
      .replace('/run/secrets/operator_token', token)
      .replace(/dns_sd_configs: .*/, `static_configs: [{ targets: ['127.0.0.1:${operatorPort}'] }]`);
    writeFileSync(file, configuration);
    const listen = `--web.listen-address=127.0.0.1:${prometheusPort}`;
    const args = [`--config.file=${file}`, `--storage.tsdb.path=${join(own, 'series')}`, listen];
    run(join(programs, 'prometheus'), args, { PATH });
    await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200, `${name}: ready`);
    const address = privateKeyToAccount(key as Hex).address;
    return {
      database,
      node,
      setGas: (wei) => ask('anvil_setBalance', [address, wei]),
      async readAlerts() {
        const reply = await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/alerts`);
        const { data } = (await reply.json()) as {
          data: { alerts: { state: string; labels: { alertname: string } }[] };
        };
        return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
      },
    };
  }

  function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
    running.push(spawn(program, args, { cwd: folder, env, stdio: 'ignore' }));
  }

  /** How long it takes, in milliseconds. */
  async function until(holds: () => Promise<boolean>, what: string): Promise<number> {
    const begun = performance.now();
    while (!(await holds().catch(() => false))) {
      assert.ok(performance.now() - begun < withinMs, `not within two minutes: ${what}`);
      await delay(500);
    }
    return performance.now() - begun;
  }

  it('tells of each outage within two minutes by its one alert, and of its end within two minutes', async () => {
    const shops: [string, Outage, Shop][] = [];
    for (const [what, outage] of Object.entries(outages)) shops.push([what, outage, await open(what)]);
    await Promise.all(
      shops.map(async ([what, { begin, end }, shop]) => {
        await until(async () => (await shop.readAlerts()).length === 0, `${what}: calm before`);
        await begin(shop);
        await until(async () => (await shop.readAlerts()).length > 0, what);
        assert.deepEqual(await shop.readAlerts(), ['NothingForSale'], what);
        await end(shop);
        await until(async () => (await shop.readAlerts()).length === 0, `the end: ${what}`);
      }),
    );
  });
});
