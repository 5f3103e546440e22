import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { isSecretFile } from '../../src/config/secret-files.js';
import { settings } from '../../src/config/settings.js';
import { findProjectFile } from '../../src/project-file.js';

interface Service {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<'postgres' | 'service' | 'caddy' | 'prometheus' | 'alertmanager', Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const textOf = (name: string): string => readFileSync(findProjectFile(join('ops', name)), 'utf8');
const isSetting = (name: string): boolean => Object.hasOwn(settings, name) || isSecretFile(name);

describe('the files for an installation', () => {
  const compose = load(textOf('compose.yml')) as Compose;

  it('compose.yml: each variable of the service is a setting, and each secret is a file that it is told of', () => {
    const { environment = {}, secrets = [] } = compose.services.service;
    assert.deepEqual(
      Object.keys(environment).filter((name) => !isSetting(name)),
      [],
    );
    const files = Object.entries(environment).flatMap(([name, path]) =>
      name.endsWith('_FILE') && isSecretFile(name) ? [path] : [],
    );
    assert.deepEqual(files.sort(), secrets.map((name) => `/run/secrets/${name}`).sort());
    for (const name of secrets) assert.equal(compose.secrets[name]?.file, `./secrets/${name}`);
  });

  it('compose.yml: only the proxy is reached from outside, and each image has an exact version', () => {
    for (const [name, { ports, image = '' }] of Object.entries(compose.services)) {
      assert.equal(ports !== undefined, name === 'caddy', name);
      assert.match(image, /:v?\d+\.\d+/, name);
    }
    const { service, prometheus } = compose.services;
    assert.deepEqual(compose.services.caddy.ports, ['80:80', '443:443']);
    assert.ok((service.secrets ?? []).includes('operator_token'));
    assert.deepEqual(prometheus.networks, ['inner']);
  });

  it('compose.yml, prometheus.yml: each path is there, or is named among what to write before', () => {
    const text = textOf('compose.yml');
    const [before = ''] = text.split('\nname:');
    const paths = [...text.matchAll(/['" ]\.\/([\w./-]+)/g)].map(([, path = '']) => path);
    assert.ok(paths.length > 8);
    const missing = paths.filter((path) => !existsSync(findProjectFile(join('ops', path))));
    for (const path of missing) assert.ok(before.includes(`ops/${path.split('/')[0]}`), path);
    const used = Object.values(compose.services).flatMap(({ secrets = [] }) => secrets);
    assert.deepEqual([...new Set(used)].sort(), Object.keys(compose.secrets).sort());
    const read = ['prometheus.yml', 'alertmanager.yml'].flatMap((name) => [
      ...textOf(name).matchAll(/\/run\/secrets\/(\w+)/g),
    ]);
    for (const [, name = ''] of read) assert.ok(name in compose.secrets, name);
  });

  it('Dockerfile: every file that it copies is there, and no secret is a variable of it', () => {
    const lines = textOf('Dockerfile').split('\n');
    const copied = lines.flatMap((line) => (/^COPY (?!--)(.*) \S+$/.exec(line)?.[1] ?? '').split(' ').filter(Boolean));
    assert.ok(copied.length > 2);
    for (const path of copied) assert.ok(existsSync(findProjectFile(path)), path);
    const variables = lines.flatMap((line) =>
      (line.startsWith('ENV ') ? [...line.matchAll(/([A-Z_]+)=/g)] : []).map(([, name = '']) => name),
    );
    for (const name of ['NODE_ENV', 'HOST', 'DATA_DIR']) assert.ok(variables.includes(name), name);
    for (const name of variables) assert.ok(!isSecretFile(`${name}_FILE`), name);
  });

  it('deals-feed.service: each variable is a setting, and each credential is a file that it is told of', () => {
    const lines = textOf('deals-feed.service').split('\n');
    const variables = lines.flatMap((line) => (/^Environment=(.*)$/.exec(line)?.[1] ?? '').split(' ').filter(Boolean));
    assert.deepEqual(
      variables.filter((each) => !isSetting(each.split('=')[0] ?? '')),
      [],
    );
    const credentials = lines.flatMap((line) => /^LoadCredential=(\w+):/.exec(line)?.[1] ?? []);
    const told = variables.flatMap((each) => /=%d\/(\w+)$/.exec(each)?.[1] ?? []);
    assert.deepEqual(told.sort(), credentials.sort());
  });

  it('Dockerfile: hadolint finds nothing', function () {
    const kept = join(tmpdir(), 'deals-feed-hadolint');
    const { status, stdout } = spawnSync('sh', [findProjectFile('.ci/hadolint.sh'), kept], { encoding: 'utf8' });
    if (status !== 0) return skipWithout(this, 'hadolint');
    const found = spawnSync(stdout.trim(), [findProjectFile('ops/Dockerfile')], { encoding: 'utf8' });
    assert.deepEqual([found.status, found.stdout], [0, '']);
  });

  it('deals-feed.service: systemd understands it, and finds little to expose', function () {
    const path = findProjectFile('ops/deals-feed.service');
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    // Node.js may be elsewhere on this machine.
    const faults = (verified.stderr ?? '').split('\n').filter((line) => line !== '' && !line.includes('/usr/bin/node'));
    assert.deepEqual(faults, []);
    const { status, stdout, error } = spawnSync('systemd-analyze', ['security', '--offline=true', path], {
      encoding: 'utf8',
    });
    if (error !== undefined || status === null) return skipWithout(this, 'systemd-analyze');
    const [, level] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    assert.ok(Number(level) <= 2, stdout.slice(-300));
  });
});

function skipWithout(test: Mocha.Context, program: string): never {
  process.stdout.write(`SKIPPED: ${program} is not installed\n`);
  return test.skip();
}
