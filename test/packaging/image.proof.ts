import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProjectFile } from '../../src/project-file.js';
import { assertPaid, payAt } from '../payments/answer.js';
import { createAccount, startTestChain, type TestChain } from '../support/chain.js';
import { createRelayerKeys, publishLicensed } from '../support/licensed-shop.js';
import { freePort } from '../support/nginx.js';
import { readPrice, signPayment } from '../support/pay.js';
import { createPostgresDatabase, requirePostgres, type PostgresDatabase } from '../support/postgres.js';
import { measureReferenceCpu } from '../support/reference-cpu.js';

/** As an engine of containers: the root is read-only but for /data and /tmp, and the user can become no other. */
const enter = `
set -e
root=$1 data=$2 user=$3 folder=$4
shift 4
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
exec setpriv --no-new-privs --inh-caps=-all chroot --userspec="$user" --groups= "$root" env --chdir="$folder" "$@"`;

interface Configuration {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly Volumes: object;
}

const path = '/api/deals';
const mostKilobytes = 30 * 1024;
/** CPU of the process in times the reference work, so that it holds on a busy machine: 2 s where that takes 0.25 s. */
const mostStartCpu = 8;
const tickMs = 10;

describe('the image that buildah makes of ops/Dockerfile', function () {
  // A pure limit: the packages are installed twice.
  this.timeout(900_000);
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  const data = join(folder, 'data');
  const payer = createAccount();
  const running: ChildProcess[] = [];
  let database: PostgresDatabase | undefined;
  let chain: TestChain | undefined;
  let root = '';
  let configuration: Configuration;
  let settings: Readonly<Record<string, string>> = {};

  before(async function () {
    const serverUrl = requirePostgres(this);
    const { status, stdout, stderr } = spawnSync('sh', [findProjectFile('.ci/image.sh'), folder], { encoding: 'utf8' });
    if (status === 2) {
      process.stderr.write(`    SKIPPED: ${stderr}`);
      return this.skip();
    }
    assert.equal(status, 0, stderr.slice(-5_000));
    root = stdout.trim();
    const { Docker } = JSON.parse(readFileSync(join(folder, 'image.json'), 'utf8')) as {
      Docker: { config: Configuration };
    };
    configuration = Docker.config;
    mkdirSync(data);
    chownSync(data, 10_001, 10_001);
    database = await createPostgresDatabase(serverUrl);
    chain = await startTestChain(84532);
    await chain.fund(payer.address);
    settings = {
      // The image listens on every address of its container; here that is this machine.
      HOST: '127.0.0.1',
      OPERATOR_PORT: '0',
      NETWORK: 'eip155:84532',
      PAY_TO: createAccount().address,
      RPC_URL: chain.rpcUrl,
      RELAYER_PRIVATE_KEYS: await createRelayerKeys(chain, 2),
      PUBLIC_BASE_URL: 'http://127.0.0.1:4021',
      DATABASE_URL: database.url,
      SERVER_SECRET: randomBytes(32).toString('hex'),
      DRAIN_SECONDS: '1',
    };
    await publishLicensed(database.url, settings['SERVER_SECRET'] ?? '');
  });
  after(async () => {
    for (const child of running) child.kill('SIGKILL');
    await chain?.stop();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command of the image, with an empty HOME. */
  function run(command: readonly string[], port: number): ChildProcess {
    const { User, Env, WorkingDir } = configuration;
    const own = Object.fromEntries(Env.map((each) => each.split(/=(.*)/s)));
    const child = spawn('unshare', ['--mount', 'sh', '-c', enter, 'enter', root, data, User, WorkingDir, ...command], {
      env: { ...own, HOME: '', ...settings, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running.push(child);
    return child;
  }

  /** The server, once it can sell. */
  async function start() {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const server = run(configuration.Cmd, port);
    let log = '';
    server.stderr?.setEncoding('utf8').on('data', (text: string) => (log += text));
    while ((await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) {
      assert.equal(server.exitCode, null, log);
      await delay(20);
    }
    // The fields after the name in brackets: user and system time are the 14th and 15th of all.
    const [user, system] = readFileSync(`/proc/${server.pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(11);
    return { url, port, server, cpuMs: (Number(user) + Number(system)) * tickMs };
  }

  async function sellAt(url: string): Promise<void> {
    const header = await signPayment(readPrice(await fetch(url + path)), { signer: payer });
    assertPaid(await payAt(url + path, header));
  }

  it('adds at most 30 MB to its base, has one volume, and holds nothing but the server', () => {
    const [base = 0, whole = 0] = [join(folder, 'base'), root].map((each) =>
      Number.parseInt(execFileSync('du', ['-sk', each], { encoding: 'utf8' })),
    );
    assert.ok(whole > base && whole - base <= mostKilobytes, `${whole - base} kB`);
    assert.deepEqual(Object.keys(configuration.Volumes), ['/data']);
    assert.equal(spawnSync('find', [join(root, 'app'), '-not', '-user', '0'], { encoding: 'utf8' }).stdout, '');
  });

  it('starts on a read-only root as a user without rights, sells, is rolled, and stops in order', async () => {
    const times: number[] = [];
    let old = await start();
    for (let round = 0; round < 3; round++) {
      const status = readFileSync(`/proc/${old.server.pid}/status`, 'utf8');
      assert.match(status, /^Uid:\t10001\t10001\t10001\t10001$/m);
      assert.match(status, /^CapEff:\t0+$/m);
      const [, ...health] = configuration.Healthcheck.Test;
      assert.deepEqual(await once(run(health, old.port), 'exit'), [0, null]);
      await sellAt(old.url);
      const next = await start();
      times.push(next.cpuMs / measureReferenceCpu());
      old.server.kill('SIGTERM');
      assert.deepEqual(await once(old.server, 'exit'), [0, null]);
      await sellAt(next.url);
      old = next;
    }
    assert.notDeepEqual(await once(run(configuration.Healthcheck.Test.slice(1), 1), 'exit'), [0, null]);
    old.server.kill('SIGTERM');
    assert.deepEqual(await once(old.server, 'exit'), [0, null]);
    assert.ok(Math.min(...times) <= mostStartCpu, `${times.join(', ')} times`);
  });
});
