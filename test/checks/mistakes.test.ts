import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { checks } from '../../src/operator/checks/checks.js';
import type { DatabaseContent, DatabaseFacts } from '../../src/operator/checks/database-reader.js';
import { findProjectFile } from '../../src/project-file.js';
import { judgeMemory, judgeRuntime } from '../../src/operator/checks/machine-checks.js';
import { find, type Environment } from './look.js';

const edit = 'Correct it in .env, or in the environment of the process; .env.example describes each setting.';
const addressOf = (key: Hex) => privateKeyToAccount(key).address;
const published = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

describe('a mistake of the operator is told in a sentence, with its cure', () => {
  it('by checks that each have an id of their own', () => {
    assert.equal(new Set(checks.map(({ id }) => id)).size, checks.length);
  });

  const settings: readonly (readonly [id: string, environment: Environment, sentence: string, cure: string])[] = [
    ['settings.value', { PORT: '99999' }, 'PORT: must be a whole number from 0 to 65535', edit],
    [
      'settings.value',
      { PAY_TO: '0xdaC17F958D2ee523a2206206994597C13D831ec7' },
      'PAY_TO: is mistyped: its checksum is wrong. Copy it again.',
      edit,
    ],
    [
      'settings.missing',
      { SERVER_SECRET: undefined },
      'SERVER_SECRET: needed to sell. Signs page tokens and ETags; the same on all instances. Default: generated at the first start and stored.',
      edit,
    ],
    [
      'settings.unknown',
      { CONFIRMATONS: '3' },
      'CONFIRMATONS is not a setting: did you mean CONFIRMATIONS?',
      'Correct the name, or remove it.',
    ],
    [
      'settings.exposure',
      { PUBLIC_BASE_URL: 'http://deals.example.org' },
      'PUBLIC_BASE_URL: must be an https address where real money is paid. Put a proxy with TLS in front.',
      edit,
    ],
    [
      'keys.role',
      { RELAYER_PRIVATE_KEYS: published },
      'PAY_TO or one of RELAYER_PRIVATE_KEYS is a public test account: whoever likes could take what is paid on Base.',
      'Make a new key for each role.',
    ],
    ...[`0x${'ab'.repeat(32)},0x${'AB'.repeat(32)}`, `0x${'ab'.repeat(32)}, 0x${'ab'.repeat(32)}`].map(
      (RELAYER_PRIVATE_KEYS) =>
        ['settings.value', { RELAYER_PRIVATE_KEYS }, 'RELAYER_PRIVATE_KEYS: must not have a key twice', edit] as const,
    ),
    [
      'keys.role',
      { RELAYER_PRIVATE_KEYS: `0x${'ab'.repeat(32)},0x${'cd'.repeat(32)}`, PAY_TO: addressOf(`0x${'cd'.repeat(32)}`) },
      'RELAYER_PRIVATE_KEYS must not have the key of PAY_TO.',
      'Make a new key for each role.',
    ],
    [
      'keys.role',
      { RECEIPT_PRIVATE_KEY: `0x${'cd'.repeat(32)}`, PAY_TO: addressOf(`0x${'cd'.repeat(32)}`) },
      "RECEIPT_PRIVATE_KEY must be a key of its own: neither that of PAY_TO nor the relayer's.",
      'Make a new key for each role.',
    ],
    [
      'keys.role',
      // Of Hardhat, which prints twenty.
      { PAY_TO: '0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199' },
      'PAY_TO or one of RELAYER_PRIVATE_KEYS is a public test account: whoever likes could take what is paid on Base.',
      'Make a new key for each role.',
    ],
    [
      'keys.role',
      { RECEIPT_PRIVATE_KEY: `0x${'5ec2e7'.repeat(10)}5ec2` },
      "RECEIPT_PRIVATE_KEY must be a key of its own: neither that of PAY_TO nor the relayer's.",
      'Make a new key for each role.',
    ],
    [
      'keys.role',
      { RECEIPT_PRIVATE_KEY: published },
      'RECEIPT_PRIVATE_KEY is a public test key: whoever likes could sign receipts with it.',
      'Make a new key for each role.',
    ],
    ...['p@ss/secret-of:rd#1', 'a%zz'].map(
      (password) =>
        [
          'database.login',
          { DATABASE_URL: `postgres://deals:${password}@127.0.0.1:1/deals` },
          'DATABASE_URL is not read as it is meant: its password has characters of an address.',
          'In DATABASE_URL percent-encode @ : / # % in the password, as %40 %3A %2F %23 %25.',
        ] as const,
    ),
    [
      'database.reach',
      { DATABASE_URL: 'postgres://deals:secret-of-it@127.0.0.1:1/deals' },
      'The database in DATABASE_URL does not answer: nothing listens there.',
      'Start it, or correct the host and port in DATABASE_URL.',
    ],
    [
      'data.local',
      { SOURCES_FILE: '/nowhere/sources.json' },
      'SOURCES_FILE /nowhere/sources.json is not there.',
      'Put it there, or correct SOURCES_FILE.',
    ],
    [
      'machine.port',
      { HOST: '192.0.2.1' },
      '192.0.2.1 is no address of this machine (EADDRNOTAVAIL).',
      'Correct HOST.',
    ],
    [
      'facilitator.reach',
      { FACILITATOR_URL: 'http://127.0.0.1:1/key-of-it', RELAYER_PRIVATE_KEYS: undefined },
      'The facilitator 127.0.0.1:1 does not answer.',
      'Look at its status page, or set another FACILITATOR_URL.',
    ],
    [
      'chain.reach',
      { RPC_URL: 'http://127.0.0.1:1/secret-of-the-rpc' },
      'The node in RPC_URL does not answer: HTTP request failed. fetch failed',
      'Look at its status and at the limits of its plan, or set another RPC_URL.',
    ],
  ];
  for (const [id, environment, sentence, cure] of settings)
    it(`${id}: ${Object.keys(environment).join(' and ')}`, async () =>
      assert.deepEqual(await find(id, environment), { sentence, cure }));

  it('data.rates: mortgage rates of more than 45 days, and of more than 180', async () => {
    const on = (day: string) => ({ now: () => new Date(day) });
    const cure = 'Set MORTGAGE_RATES to rates of today, with their day and source.';
    const sentence = 'The mortgage rates are of 2025-11-26: more than 45 days old.';
    assert.equal(await find('data.rates', {}, on('2026-01-10')), undefined);
    assert.deepEqual(await find('data.rates', {}, on('2026-01-11')), { sentence, cure });
    const stale = `${sentence.replace('45', '180')} No deal is Hot.`;
    assert.deepEqual(await find('data.rates', {}, on('2026-05-27')), { sentence: stale, cure });
  });

  it('finds nothing wrong with good settings', async () => {
    for (const { id } of checks.filter((each) => /^(settings|keys)/.test(each.id)))
      assert.equal(await find(id), undefined, id);
    assert.equal(await find('database.login', { DATABASE_URL: undefined }).catch(() => 'skipped'), 'skipped');
  });

  it('settings.demonstration and settings.env_file: where nothing was asked for, and others can read', async () => {
    const envFile = { path: '/srv/.env', names: undefined };
    const nothing = Object.fromEntries(
      ['PAY_TO', 'RPC_URL', 'RELAYER_PRIVATE_KEYS', 'PUBLIC_BASE_URL'].map((name) => [name, undefined]),
    );
    assert.deepEqual(await find('settings.demonstration', nothing, { launch: { onTerminal: false, envFile } }), {
      sentence:
        'DEMONSTRATION: not requested, and nothing to sell is configured: /srv/.env does not exist. To sell, start in the ' +
        'directory of your .env, or give its settings as environment variables. To demonstrate, set DEMONSTRATION=true.',
      cure: edit,
    });
    const open = { onTerminal: true, envFile: { ...envFile, names: [], isPublic: true } };
    assert.deepEqual(await find('settings.env_file', {}, { launch: open }), {
      sentence: '/srv/.env can be read by others. Run: chmod 600 /srv/.env',
      cure: 'chmod 600 .env',
    });
  });

  it('data.local: a file of sources that wants a secret which is not set, or is no file of sources', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sources-'));
    try {
      const file = join(directory, 'sources.json');
      const { sources } = JSON.parse(readFileSync(findProjectFile('sources.example.json'), 'utf8')) as {
        sources: { name: string; secret?: string }[];
      };
      const entry = sources.find(({ secret }) => secret !== undefined) ?? assert.fail();
      const { name, secret = '' } = entry;
      writeFileSync(file, JSON.stringify({ sources: [{ ...entry, enabled: true }] }));
      assert.deepEqual(await find('data.local', { SOURCES_FILE: file }), {
        sentence: `${secret} is not set, and the source ${name} needs it.`,
        cure: `Set ${secret}.`,
      });
      const given = { SOURCES_FILE: file, [secret]: 'secret-of-the-source' };
      const readContent = async () => ({ instances: 1, differing: [] }) as unknown as DatabaseContent;
      assert.equal(await find('data.local', given, { readContent }), undefined);
      writeFileSync(file, '{');
      assert.deepEqual(await find('data.local', given), {
        sentence: `${file} is not JSON. Check it with a JSON tool; comments go into "comment".`,
        cure: 'Correct the file, or SOURCES_FILE.',
      });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('machine.data_dir: a folder that cannot be made', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'box-'));
    try {
      writeFileSync(join(directory, 'file'), '');
      const data = join(directory, 'file', 'data');
      assert.deepEqual(await find('machine.data_dir', { DATA_DIR: data }), {
        sentence: `DATA_DIR ${data} cannot be written.`,
        cure: `chown "$(id -un)" ${data}`,
      });
      assert.equal(await find('machine.data_dir', { DATA_DIR: directory }), undefined);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('machine.port: taken by another program, and not by this service', async () => {
    let body = 'another program';
    const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const environment = { PORT: String(port), HOST: '127.0.0.1' };
    assert.deepEqual(await find('machine.port', environment), {
      sentence: `Port ${port} on 127.0.0.1 is taken.`,
      cure: 'Stop what listens there, or set another PORT.',
    });
    body = '{"status":"alive"}';
    assert.equal(await find('machine.port', environment), undefined);
    server.closeAllConnections();
    server.close();
  });

  it('machine.runtime: an old Node.js, and few open files', () => {
    assert.deepEqual(judgeRuntime('20.18.9', 100_000), {
      sentence: 'Node.js 20.18.9 is too old.',
      cure: 'Install Node.js 24.',
    });
    assert.deepEqual(judgeRuntime('24.0.0', 1_024), {
      sentence: 'This process may open 1024 files, which is few for its connections.',
      cure: 'ulimit -n 4096',
      severity: 'warn',
    });
    assert.deepEqual([judgeRuntime('20.19.0', 4_096), judgeRuntime('24.1.0', undefined)], [undefined, undefined]);
  });

  it('machine.runtime: less memory than what is published takes', async () => {
    const records = { deals: 100_000, signals: 1_000_000, leads: 1_000_000 };
    assert.deepEqual(judgeMemory(1_559_000_000, records), {
      sentence: 'This process may use 1559 MB of memory, and with what is published it needs 1560 MB.',
      cure: 'Give it 1560 MB or more: the limit of its container or unit, and NODE_OPTIONS=--max-old-space-size=1560',
      figures: { has: 1559, needs: 1560 },
      severity: 'warn',
    });
    assert.equal(judgeMemory(1_560_000_000, records), undefined);
    const readFacts = async () => ({ records: { deals: 10 ** 9 } }) as unknown as DatabaseFacts;
    assert.match((await find('machine.runtime', {}, { readFacts }))?.sentence ?? '', / it needs 8100150 MB\.$/);
    assert.equal(await find('machine.runtime'), undefined);
  });

  it('facilitator.reach: one that takes the question, and never answers', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const environment = { FACILITATOR_URL: `http://${host}/key-of-it`, RELAYER_PRIVATE_KEYS: undefined };
    assert.deepEqual(await find('facilitator.reach', environment), {
      sentence: `The facilitator ${host} does not answer.`,
      cure: 'Look at its status page, or set another FACILITATOR_URL.',
    });
    server.closeAllConnections();
    server.close();
  }).timeout(60_000);

  it('facilitator.reach: one that does not take the network', async () => {
    const environment = { FACILITATOR_URL: 'https://pay.example/key-of-it', RELAYER_PRIVATE_KEYS: undefined };
    assert.deepEqual(await find('facilitator.reach', environment, { askFacilitator: async () => 'unsupported' }), {
      sentence: 'The facilitator pay.example does not take scheme exact of x402 version 2 on eip155:8453.',
      cure: 'Change FACILITATOR_URL or NETWORK.',
    });
    assert.equal(await find('facilitator.reach', environment, { askFacilitator: async () => 'unlisted' }), undefined);
  });
});
