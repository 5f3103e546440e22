import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { get } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { findProjectFile } from '../../src/project-file.js';
import { freePort, requireProgram, startNginx } from '../support/nginx.js';
import { createPostgresDatabase, requirePostgres, type PostgresDatabase } from '../support/postgres.js';

/** The user of the image. Only root may become another one; anybody else runs the bundle as himself. */
const user = process.getuid?.() === 0 ? { uid: 10_001, gid: 10_001 } : {};
const mostBytes = 30 * 1024 * 1024;

describe('the bundle', function () {
  // A pure limit: other processes do the work.
  this.timeout(300_000);
  let folder: string;
  let app: string;
  let database: PostgresDatabase | undefined;
  const running: ChildProcess[] = [];

  before(async function () {
    const serverUrl = requirePostgres(this);
    execFileSync('npm', ['run', '--silent', 'bundle'], { cwd: findProjectFile('.'), stdio: 'pipe' });
    folder = mkdtempSync(join(tmpdir(), 'bundle-'));
    chmodSync(folder, 0o755);
    app = join(folder, 'app');
    cpSync(findProjectFile('dist/app'), app, { recursive: true });
    const data = join(folder, 'data');
    mkdirSync(data);
    chmodSync(data, 0o777);
    cpSync(findProjectFile('node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil'), join(folder, 'anvil'));
    database = await createPostgresDatabase(serverUrl);
  });
  afterEach(() => Promise.all(running.splice(0).map(end)));
  after(async () => {
    await database?.drop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Nothing of this machine: no home, no path, another working directory. */
  async function start(
    program: string,
    args: readonly string[],
    settings: Readonly<Record<string, string>>,
    as: object = user,
  ) {
    const child = spawn(program, args, {
      cwd: '/',
      env: { HOME: '', ...settings },
      ...as,
    });
    running.push(child);
    return child;
  }

  const node = (file: string, settings: Readonly<Record<string, string>>) => start(process.execPath, [file], settings);

  /** The server of the bundle, once it listens. */
  async function serve(
    settings: Readonly<Record<string, string>> = {},
  ): Promise<{ url: string; server: ChildProcess }> {
    const [url] = [database?.url ?? assert.fail()];
    const shared = {
      PORT: '0',
      OPERATOR_PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: url,
      LOG_FORMAT: 'json',
      DRAIN_SECONDS: '0',
    };
    const demonstration = { DEMONSTRATION: 'true', NODE_ENV: 'production', ANVIL_BIN: join(folder, 'anvil') };
    const server = await node(join(app, 'main.js'), { ...shared, ...demonstration, ...settings });
    for await (const line of createInterface(server.stderr ?? assert.fail())) {
      const { msg, url } = JSON.parse(line) as { msg: string; url?: string };
      if (msg !== 'started' || url === undefined) continue;
      server.stderr?.resume();
      server.stdout?.resume();
      return { url, server };
    }
    return assert.fail('the bundle does not start');
  }

  /** Buys as a person does; the command waits for the first data. */
  function buy(baseUrl: string, settings: Readonly<Record<string, string>> = {}): readonly unknown[] {
    const args = [findProjectFile('dist/bin/deals-feed.js'), 'hot-deals', '--limit', '3', '--json'];
    const env = {
      PATH: process.env['PATH'],
      BASE_URL: baseUrl,
      PAYMENTS_DIR: mkdtempSync(join(folder, 'payments-')),
      ...settings,
    };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as unknown[];
  }

  it('is one folder of at most 30 MB, without packages, maps and types', () => {
    const files = readdirSync(app, { recursive: true }).map((name) => join(app, String(name)));
    const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
    assert.ok(bytes <= mostBytes, `${bytes} bytes`);
    assert.deepEqual(
      files.filter((path) => /node_modules|\.map$|\.ts$/.test(path)),
      [],
    );
    const { components } = JSON.parse(readFileSync(join(app, 'sbom.json'), 'utf8')) as {
      components: { name: string }[];
    };
    assert.ok(components.some(({ name }) => name === 'express'));
  });

  it('starts on a read-only tree as another user, answers that it is alive, sells, and stops in order', async () => {
    const { url, server } = await serve();
    const health = await start(process.execPath, [join(app, 'cli.js'), 'health'], { PORT: new URL(url).port });
    assert.deepEqual(await once(health, 'close'), [0, null]);
    assert.equal(buy(url).length, 3);
    server.kill('SIGTERM');
    assert.deepEqual(await once(server, 'close'), [0, null]);
  });

  it('says that it has no embedded database', async () => {
    const child = await node(join(app, 'main.js'), { DEMONSTRATION: 'true', DATA_DIR: join(folder, 'data') });
    const said = Buffer.concat(await (child.stderr ?? assert.fail()).toArray()).toString();
    assert.match(said, /The embedded database is not part of this installation\. Set DATABASE_URL/);
  });

  for (const [what, settings, sentence] of [
    [
      'that it finds no configuration in /',
      {},
      '  - DEMONSTRATION: not requested, and nothing to sell is configured: /.env does not exist.',
    ],
    [
      'a misspelled setting',
      { CONFIRMATONS: '3', RPC_URL: 'https://rpc.example.com' },
      '  - CONFIRMATONS is not a setting: did you mean CONFIRMATIONS?\n',
    ],
  ] as const)
    it(`ends with 1 and names ${what}`, async () => {
      const child = await node(join(app, 'main.js'), settings);
      const said = Buffer.concat(await (child.stderr ?? assert.fail()).toArray()).toString();
      assert.ok(said.includes(sentence), said);
      assert.equal(child.exitCode ?? (await once(child, 'exit'))[0], 1);
      assert.doesNotMatch(said, /\n {4}at /, 'a stack is told');
    });

  it('sells through nginx, with TLS and the configuration of ops/nginx.conf', async function () {
    requireProgram(this, 'nginx');
    const [port, upstream] = [await freePort(), await freePort()];
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate, ...subject],
      { stdio: 'ignore' },
    );
    running.push(await startNginx({ folder, port, upstreams: [upstream], tls: { key, certificate } }));
    await sellThrough(`https://localhost:${port}`, upstream, certificate);
  });

  it('sells through Caddy, with TLS and the configuration of ops/Caddyfile', async function () {
    requireProgram(this, 'caddy');
    const [port, upstream, plain] = [await freePort(), await freePort(), await freePort()];
    const settings = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      XDG_DATA_HOME: folder,
      SITE: `localhost:${port}`,
      UPSTREAM: `127.0.0.1:${upstream}`,
    };
    const adapted = execFileSync('caddy', ['adapt', '--config', findProjectFile('ops/Caddyfile')], {
      env: settings,
      encoding: 'utf8',
    });
    const { apps, ...rest } = JSON.parse(adapted) as { apps: { http: object } };
    // This machine's own list of authorities stays as it is, and so does its port 80.
    const pki = { certificate_authorities: { local: { install_trust: false } } };
    const file = join(folder, 'caddy.json');
    writeFileSync(file, JSON.stringify({ ...rest, apps: { ...apps, http: { ...apps.http, http_port: plain }, pki } }));
    const caddy = await start('caddy', ['run', '--config', file], settings, {});
    for await (const line of createInterface(caddy.stderr ?? assert.fail()))
      if (line.includes('serving initial configuration')) break;
    caddy.stderr?.resume();
    await sellThrough(`https://localhost:${port}`, upstream, join(folder, 'caddy/pki/authorities/local/root.crt'));
  });

  async function sellThrough(publicBaseUrl: string, upstream: number, certificate: string): Promise<void> {
    await serve({ PORT: String(upstream), PUBLIC_BASE_URL: publicBaseUrl, TRUSTED_PROXIES: 'loopback' });
    // A proxy that asks whether its upstream is ready does so each two seconds.
    while ((await statusOf(`${publicBaseUrl}/readyz`, certificate)) !== 200) await delay(100);
    assert.equal(buy(publicBaseUrl, { NODE_EXTRA_CA_CERTS: certificate }).length, 3);
  }
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'exit');
  child.kill('SIGKILL');
  await closed;
}

function statusOf(url: string, certificate: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { ca: readFileSync(certificate) }, (reply) => resolve(reply.resume().statusCode));
    asked.once('error', reject);
  });
}
