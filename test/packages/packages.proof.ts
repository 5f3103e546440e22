import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { buyer } from '../../src/demo/chain/accounts.js';
import { findProjectFile } from '../../src/project-file.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shareBrowser } from '../support/browser.js';
import { startSepoliaApp, type SepoliaApp } from '../support/sepolia-app.js';

// Run by `npm run test:packages`, after `npm run packages`. Installs from the registry.

const run = promisify(execFile);
const packed = findProjectFile('dist/packages');
const { version } = JSON.parse(readFileSync(findProjectFile('package.json'), 'utf8')) as { version: string };
const tarball = (name: string): string => join(packed, `${name}-${version}.tgz`);
const compiler = findProjectFile('node_modules/typescript/bin/tsc');

/** Buys in 15 lines; each way to load the package runs it unchanged but for its first lines. */
const program = `
async function main() {
  const client = createDealsClient({
    baseUrl: process.env.BASE_URL ?? '',
    account: privateKeyToAccount(process.env.PRIVATE_KEY as \`0x\${string}\`),
    storage: createFileStorage(process.env.PAYMENTS_DIR ?? ''),
  });
  const { data, paid } = await client.hotDeals({ limit: 1 });
  const [deal] = data;
  console.log(JSON.stringify({ address: deal?.address, paid: paid?.amount, cap: decimal(deal?.cap_rate)?.toFixed(1) }));
}
void main();
`;
const imports = [
  "import { createDealsClient, decimal } from 'multifamily-deals-feed';",
  "import { createFileStorage } from 'multifamily-deals-feed/file-storage';",
  "import { privateKeyToAccount } from 'viem/accounts';",
].join('\n');
const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };

describe('the packages, from their tarballs in empty projects', () => {
  let directory: string;
  let client: string;
  let app: TestApp;
  let sepolia: SepoliaApp;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'packages-'));
    client = await install('client', [tarball('multifamily-deals-feed'), 'viem']);
    app = await startTestApp();
    sepolia = await startSepoliaApp('https://deals.example');
  });
  after(async () => {
    await app?.stop();
    await sepolia?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function install(name: string, packages: readonly string[], type = 'module'): Promise<string> {
    const folder = join(directory, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, type, private: true }));
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: folder });
    return folder;
  }

  /** A program that buys, in a folder of its own that has the installed client. */
  function project(name: string, type: string, files: Readonly<Record<string, string>>): string {
    const folder = join(client, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, type, private: true }));
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    return folder;
  }

  /** Runs a program against the demonstration and against a server on Base Sepolia; it must buy from both. */
  async function assertBuys(command: string, args: readonly string[], cwd: string): Promise<void> {
    const shops = [
      [app.url, buyer.privateKey],
      [sepolia.app.url, sepolia.payerKey],
    ] as const;
    for (const [url, key] of shops) {
      const payments = mkdtempSync(join(directory, 'payments-'));
      const env = {
        PATH: process.env['PATH'],
        BASE_URL: url,
        PRIVATE_KEY: key,
        PAYMENTS_DIR: payments,
        HOME: payments,
      };
      const { stdout } = await run(command, [...args], { cwd, env, timeout: 120_000 });
      const { address, paid, cap } = JSON.parse(stdout) as Readonly<Record<string, string>>;
      assert.deepEqual([paid, /^\d+\.\d$/.test(cap ?? '')], ['0.02', true], stdout);
      assert.match(address ?? '', /^\d+ /);
    }
  }

  it('are small: the client 150 kB packed and 15 packages with viem, the command 350 kB and one', () => {
    assert.ok(statSync(tarball('multifamily-deals-feed')).size <= 150_000);
    assert.ok(statSync(tarball('deals-feed')).size <= 350_000);
    const { packages } = JSON.parse(readFileSync(join(client, 'package-lock.json'), 'utf8')) as { packages: object };
    const installed = Object.keys(packages).filter((path) => path !== '');
    assert.ok(installed.length <= 15, installed.join());
    const { dependencies } = JSON.parse(readFileSync(findProjectFile('packages/deals-feed/package.json'), 'utf8')) as {
      dependencies?: object;
    };
    assert.equal(dependencies, undefined);
  });

  for (const [name, type, options] of [
    ['node', 'module', { module: 'NodeNext', types: ['node'], skipLibCheck: false }],
    ['commonjs', 'commonjs', { module: 'NodeNext', types: ['node'], skipLibCheck: true }],
    ['bundler', 'module', { module: 'ESNext', moduleResolution: 'bundler', types: ['node'], skipLibCheck: true }],
  ] as const)
    it(`compile and buy with strict TypeScript: ${name}`, async () => {
      const folder = project(name, type, { 'program.ts': imports + program });
      const typeRoots = [findProjectFile('node_modules/@types')];
      const compilerOptions = { ...strict, ...options, typeRoots, target: 'ES2022', lib: ['ES2023', 'DOM'] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
      await run(process.execPath, [compiler, '-p', folder]).catch(({ stdout }: { readonly stdout: string }) =>
        assert.fail(stdout),
      );
      await assertBuys(process.execPath, ['program.js'], folder);
    });

  it('buy with plain require', async () => {
    const required = imports.replaceAll(/import (.*) from (.*);/g, 'const $1 = require($2);');
    const folder = project('require', 'commonjs', { 'program.cjs': untyped(required + program) });
    await assertBuys(process.execPath, ['--no-warnings', 'program.cjs'], folder);
  });

  it('buy with Bun', async () => {
    const bun = await install('bun', ['@oven/bun-linux-x64@1.4.5']);
    const folder = project('with-bun', 'module', { 'program.ts': imports + program });
    await assertBuys(join(bun, 'node_modules/@oven/bun-linux-x64/bin/bun'), ['program.ts'], folder);
  });

  it('buy in a page that Vite has built', async function () {
    const browser = await shareBrowser(this as never);
    const vite = await install('vite', ['vite@8.4.0']);
    const page = `
      import { createDealsClient, createWebStorage } from 'multifamily-deals-feed';
      import { privateKeyToAccount } from 'viem/accounts';
      globalThis.buy = async (baseUrl, key) => {
        const client = createDealsClient({ baseUrl, account: privateKeyToAccount(key), storage: createWebStorage() });
        const { data, paid } = await client.hotDeals({ limit: 1 });
        return { address: data[0]?.address, paid: paid?.amount };
      };`;
    const html = '<!doctype html><title>Buyer</title><script type="module" src="/page.js"></script>';
    const folder = project('page', 'module', { 'page.js': page, 'index.html': html });
    await run(process.execPath, [join(vite, 'node_modules/vite/bin/vite.js'), 'build'], { cwd: folder });
    const site = createServer(({ url = '/' }, response) => {
      const path = url.endsWith('.js') ? url : '/index.html';
      response.setHeader('Content-Type', path.endsWith('.js') ? 'text/javascript' : 'text/html');
      response.end(readFileSync(join(folder, 'dist', path)));
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const tab = await browser.newPage();
    try {
      await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
      for (const [url, key] of [
        [app.url, buyer.privateKey],
        [sepolia.app.url, sepolia.payerKey],
      ] as const) {
        const bought = await tab.evaluate(
          ([at, with_]) => (globalThis as never as { buy: (...of: string[]) => Promise<unknown> }).buy(at, with_),
          [url, key] as const,
        );
        assert.equal((bought as { readonly paid: string }).paid, '0.02');
      }
    } finally {
      await tab.close();
      await new Promise((resolve) => site.close(resolve));
    }
  });

  it('have an example for each method, which compiles', async () => {
    const methods = readFileSync(findProjectFile('generated/methods.gen.ts'), 'utf8');
    const examples = [...methods.matchAll(/@example (.*)/g)].map(
      ([, line = '']) => `  { ${line}${line.includes('{ data }') ? ' void data;' : ''} }`,
    );
    assert.equal(examples.length, [...methods.matchAll(/^ {4,8}\w+: '\w+';$/gm)].length);
    const body = `${imports.split('\n')[0]}\nexport async function all(client: ReturnType<typeof createDealsClient>) {\n${examples.join('\n')}\n}\nvoid decimal;\n`;
    const folder = project('examples', 'module', { 'examples.ts': body });
    const compilerOptions = {
      ...strict,
      module: 'NodeNext',
      target: 'ES2022',
      lib: ['ES2023', 'DOM'],
      noEmit: true,
      skipLibCheck: true,
      types: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['examples.ts'] }));
    await run(process.execPath, [compiler, '-p', folder]).catch(({ stdout }: { readonly stdout: string }) =>
      assert.fail(stdout),
    );
  });

  it('have the example programs, which buy as they stand', async () => {
    const folder = project('example', 'module', {});
    cpSync(join(client, 'node_modules/multifamily-deals-feed/examples/read-deals.ts'), join(folder, 'read-deals.ts'));
    const tsx = findProjectFile('node_modules/tsx/dist/cli.mjs');
    const env = { PATH: process.env['PATH'], BASE_URL: app.url, PRIVATE_KEY: buyer.privateKey, HOME: folder };
    const { stdout } = await run(process.execPath, [tsx, 'read-deals.ts'], { cwd: folder, env });
    assert.ok(stdout.split('\n').length > 100);
  });

  describe('the command', () => {
    let bin: string;
    before(async () => {
      bin = join(await install('command', [tarball('deals-feed')]), 'node_modules/.bin/deals-feed');
    });

    it('is one package, and starts', async () => {
      assert.deepEqual(readdirSync(join(directory, 'command/node_modules')).sort(), [
        '.bin',
        '.package-lock.json',
        'deals-feed',
      ]);
      const { stdout } = await run(bin, ['--help']);
      assert.match(stdout, /Verbs/);
    });

    it('buys from both', async () => {
      for (const [url, key] of [
        [app.url, buyer.privateKey],
        [sepolia.app.url, sepolia.payerKey],
      ] as const) {
        const env = {
          PATH: process.env['PATH'],
          BASE_URL: url,
          PRIVATE_KEY: key,
          HOME: mkdtempSync(join(directory, 'home-')),
        };
        const { stdout, stderr } = await run(bin, ['hot-deals', '--limit', '1'], { env });
        assert.equal((JSON.parse(stdout) as unknown[]).length, 1, stderr);
        assert.match(stderr, /Paid \$0\.02/);
      }
    });

    it('is the bridge of an agent, which pays within its budget', async () => {
      const agent = new Client({ name: 'agent', version: '1.0.0' });
      const env = { PATH: process.env['PATH'] ?? '', BASE_URL: app.url, PRIVATE_KEY: buyer.privateKey };
      await agent.connect(new StdioClientTransport({ command: bin, args: ['mcp', '--budget', '0.03'], env }));
      try {
        const called = await agent.callTool({ name: 'hot_deals', arguments: { limit: 1 } });
        assert.notEqual(called.isError, true);
        const [text] = (await agent.callTool({ name: 'hot_deals', arguments: { limit: 2 } })).content;
        assert.match(text?.type === 'text' ? text.text : '', /budget_exceeded/);
      } finally {
        await agent.close();
      }
    });
  });
});

/** The program without its types, for Node's own loader of CommonJS. */
const untyped = (text: string): string => text.replaceAll(/ as `0x\$\{string\}`/g, '');
