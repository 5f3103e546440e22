import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProjectFile } from '../../src/project-file.js';

export interface NginxOptions {
  /** For its files. */
  readonly folder: string;
  readonly port: number;
  /** The ports of the instances. */
  readonly upstreams: readonly number[];
  /** Files; without them it speaks plain HTTP. */
  readonly tls?: { readonly key: string; readonly certificate: string };
  /** Of ops/nginx.conf: a text, and what stands in its place. */
  readonly change?: readonly [string, string];
}

/** Starts nginx with ops/nginx.conf, but for ports, names and files; it listens then. Its caller ends it. */
export async function startNginx({
  folder,
  port,
  upstreams,
  tls,
  change = ['', ''],
}: NginxOptions): Promise<ChildProcess> {
  const servers = upstreams.map((each) => `server 127.0.0.1:${each} max_fails=0;`);
  const site = readFileSync(findProjectFile('ops/nginx.conf'), 'utf8')
    .replace(...change)
    .replace('server 127.0.0.1:4021 max_fails=0;', servers.join('\n'))
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}${tls === undefined ? '' : ' ssl'}`)
    .replace(/server \{\s+listen 80;[^}]*\}/, '')
    .replaceAll('deals.example.com;', 'localhost;')
    .replace(/ssl_certificate .*/, tls === undefined ? '' : `ssl_certificate ${tls.certificate};`)
    .replace(/ssl_certificate_key .*/, tls === undefined ? '' : `ssl_certificate_key ${tls.key};`)
    .replace(/ssl_protocols .*/, (line) => (tls === undefined ? '' : line));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  const frame = `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')}`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `${frame}\n${site}\n}`);
  execFileSync('nginx', ['-t', '-q', '-c', file], { stdio: 'pipe' });
  const { PATH } = process.env;
  const nginx = spawn('nginx', ['-c', file], { cwd: '/', env: { PATH }, stdio: 'ignore' });
  while (!(await isListening(port))) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`);
    await delay(20);
  }
  return nginx;
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A port of this machine that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Skips a test, with a message, where a program of Debian is not installed. */
export function requireProgram(test: Mocha.Context, program: 'nginx' | 'caddy' | 'pgbouncer' | 'pgbackrest'): void {
  if (spawnSync(program, ['--version']).error === undefined) return;
  process.stderr.write(`    skipped: ${program} is not installed (.ci/programs.sh)\n`);
  test.skip();
}
