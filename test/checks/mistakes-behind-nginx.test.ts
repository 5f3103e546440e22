import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findProjectFile } from '../../src/project-file.js';
import { freePort, requireProgram, startNginx } from '../support/nginx.js';
import { production } from '../support/read-settings.js';
import { startSepoliaApp, type SepoliaApp } from '../support/sepolia-app.js';
import { payTo } from './look.js';

interface Mistake {
  readonly what: string;
  /** Until the certificate ends. */
  readonly days?: number;
  /** By the doctor; by default it is. */
  readonly isTrusted?: boolean;
  /** Of ops/nginx.conf: a text, and the one in its place. */
  readonly change?: readonly [string, string];
  readonly sentence?: string;
  readonly cure?: string;
}

describe('the doctor tells what nginx and its certificate do to a real service', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'proxies-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  let sepolia: SepoliaApp | undefined;
  let nginx: ChildProcess | undefined;
  let port = 0;

  before(async function () {
    requireProgram(this, 'nginx');
    port = await freePort();
    sepolia = await startSepoliaApp(`https://localhost:${port}`);
  });
  afterEach(async () => {
    nginx?.kill('SIGTERM');
    if (nginx?.exitCode === null) await once(nginx, 'exit');
  });
  after(async () => {
    await sepolia?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** As a process of its own: by its environment alone it trusts the certificate. */
  async function diagnose(
    isTrusted: boolean,
  ): Promise<{ readonly sentence: string | null; readonly cure: string | null }> {
    const environment = {
      ...production,
      NETWORK: 'eip155:84532',
      PAY_TO: payTo,
      PUBLIC_BASE_URL: `https://localhost:${port}`,
      RPC_URL: 'http://127.0.0.1:1',
      DATABASE_URL: 'postgres://deals@127.0.0.1:1/deals',
      DATA_DIR: folder,
      ...(isTrusted && { NODE_EXTRA_CA_CERTS: certificate }),
    };
    const { PATH } = process.env;
    const child = spawn(process.execPath, [findProjectFile('dist/bin/cli.js'), 'doctor', '--json'], {
      cwd: folder,
      env: { PATH, ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { checks } = JSON.parse(await text(child.stdout)) as {
      checks: { id: string; state: string; sentence: string | null; cure: string | null; reason?: string }[];
    };
    const reach = checks.find(({ id }) => id === 'public.reach') ?? assert.fail();
    assert.notEqual(reach.state, 'skipped', reach.reason);
    return { sentence: reach.sentence?.replace(String(port), '<port>') ?? null, cure: reach.cure };
  }

  const base = 'https://localhost:<port>';
  const cases: readonly Mistake[] = [
    { what: 'nothing where it is as in ops/nginx.conf' },
    {
      what: 'a certificate that ends soon',
      days: 10,
      sentence: 'The certificate of PUBLIC_BASE_URL ends in 9 days.',
      cure: 'Renew it.',
    },
    {
      what: 'a certificate of an authority that this machine does not know',
      isTrusted: false,
      sentence: `The certificate of ${base} is not trusted here: DEPTH_ZERO_SELF_SIGNED_CERT.`,
      cure: 'Take one of a known authority, or set NODE_EXTRA_CA_CERTS to the file of yours.',
    },
    {
      what: 'another Host',
      change: ['Host $host;', 'Host deals_feed;'],
      sentence: `What stands before ${base} rewrites Host: /mcp refuses it.`,
      cure: 'proxy_set_header Host $host;',
    },
    {
      what: 'headers that are cut',
      change: ['proxy_buffer_size 8k;', 'proxy_buffer_size 1k;'],
      sentence: `What stands before ${base} cuts the headers of a 402.`,
      cure: 'proxy_buffer_size 8k;',
    },
  ];
  it('public.proxy: nginx itself, once it has forwarded for two callers', async () => {
    const app = sepolia?.app ?? assert.fail();
    const upstreams = [Number(new URL(app.url).port)];
    nginx = await startNginx({ folder, port, upstreams });
    for (const localAddress of ['127.0.0.2', '127.0.0.3']) {
      assert.equal(app.watch.looked().find(({ id }) => id === 'public.proxy')?.state, 'ok');
      const asked = get({ host: '127.0.0.1', port, path: '/healthz', localAddress });
      const [reply] = (await once(asked, 'response')) as [IncomingMessage];
      assert.equal(reply.resume().statusCode, 200);
    }
    // Each minute, it is looked at what rarely changes.
    for (let look = 0; look < 12; look += 1) await app.watch.look();
    const looked = app.watch.looked().find(({ id }) => id === 'public.proxy');
    assert.ok(looked?.state === 'finding');
    assert.equal(looked.finding.cure, 'TRUSTED_PROXIES=loopback');
  });

  for (const { what, days = 30, isTrusted = true, change, sentence = null, cure = null } of cases)
    it(`public.reach: ${what}`, async () => {
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
      const files = ['-keyout', key, '-out', certificate];
      const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', String(days), ...files, ...subject];
      execFileSync('openssl', made, { stdio: 'ignore' });
      const upstreams = [Number(new URL(sepolia?.app.url ?? '').port)];
      nginx = await startNginx({ folder, port, upstreams, tls: { key, certificate }, ...(change && { change }) });
      assert.deepEqual(await diagnose(isTrusted), { sentence, cure });
    });
});
