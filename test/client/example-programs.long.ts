import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import { build } from 'esbuild';
import type { Deal } from '../../src/client/entry.js';
import { buyer } from '../../src/demo/chain/accounts.js';
import { findProjectFile } from '../../src/project-file.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { buy } from '../support/pay.js';
import { assertHarmless, hostileCells } from './hostile-cells.js';
import { startMockServer } from './mock-server.js';

/** Resolves the name of the package to the sources, unbuilt. */
const alias = {
  'multifamily-deals-feed/file-storage': findProjectFile('src/client/file-storage.ts'),
  'multifamily-deals-feed': findProjectFile('src/client/entry.ts'),
};

describe('the example programs, against the running service', () => {
  let app: SharedApp;
  let directory: string;

  before(async () => {
    app = await shareApp();
  });
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'example-'))));
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Runs an example as a separate process; returns its output lines. */
  async function run(name: string, args: readonly string[] = [], environment = {}): Promise<readonly string[]> {
    const outfile = join(directory, `${name}.mjs`);
    const entryPoints = [findProjectFile(`examples/${name}.ts`)];
    await build({
      entryPoints,
      outfile,
      alias,
      bundle: true,
      format: 'esm',
      platform: 'node',
      // CommonJS dependencies require Node.js modules through createRequire.
      banner: { js: `import { createRequire as from } from 'node:module'; const require = from(import.meta.url);` },
      logLevel: 'silent',
    });
    const { out } = await finish(outfile, args, environment);
    return out.split('\n').slice(0, -1);
  }

  /** Runs a program to its end, which is 0; returns its output. */
  async function finish(file: string, args: readonly string[], environment = {}) {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: directory,
      env: { BASE_URL: app.url, PRIVATE_KEY: buyer.privateKey, HOME: directory, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out = '', error = ''] = await Promise.all(
      [child.stdout, child.stderr].map((stream) => stream.toArray().then((parts) => Buffer.concat(parts).toString())),
    );
    if (child.exitCode === null) await once(child, 'close');
    assert.equal(child.exitCode, 0, `${args.join(' ')}\n${error}`);
    return { out, error };
  }

  it('are in docs/buying.md as they run', () => {
    const program = readFileSync(findProjectFile('examples/read-deals.ts'), 'utf8');
    assert.ok(readFileSync(findProjectFile('docs/buying.md'), 'utf8').includes(`\`\`\`ts\n${program}\`\`\`\n`));
  });

  it('and the commands in docs/buying.md and docs/agents.md run too', async function () {
    // A pure limit: each command is a process.
    this.timeout(300_000);
    const command = findProjectFile('dist/bin/deals-feed.js');
    const [deal] = app.feeds.deals.current().records;
    const { error } = await finish(command, ['deals', '--city', 'Toledo', '--min-cap', '8.5', '--table']);
    const [paymentId = ''] = /(?<=^Payment )0x[0-9a-f]{64}$/m.exec(error) ?? [];
    const lines = ['docs/buying.md', 'docs/agents.md'].flatMap((page) => [
      ...readFileSync(findProjectFile(page), 'utf8').matchAll(/^(?:deals-feed|npm run buy --) (.+?)(?: +#.*)?$/gm),
    ]);
    assert.ok(lines.length >= 15, `${lines.length} commands`);
    for (const [, line = ''] of lines) {
      const given = line.replace('<id>', deal?.id ?? '').replace('<payment id>', paymentId);
      const words = [...given.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
      // Nobody is there to be asked about a price above --max.
      await finish(command, words[0] === 'report' ? [...words, '--max', '1.50'] : words);
    }
  });

  it('read all deals of a state', async () => {
    const lines = await run('read-deals');
    assert.ok(lines.length > 100, `${lines.length} lines`);
    for (const line of lines) assert.match(line, /^.+ (\d+|undefined) (\d+\.\d+|[a-z_]+)$/);
  });

  it('buy the report of the best hot deal', async () => {
    const [found, advice, spent] = await run('buying-agent');
    assert.match(found ?? '', /^\d+ of \d+ deals are hot\.$/);
    assert.match(advice ?? '', /^.+: asks [\d.]+, offer [\d.]+ to [\d.]+\.$/);
    assert.equal(spent, 'Spent $1.52 today.');
  });

  it('keep to the daily budget, over several runs', async () => {
    const perDay = { PER_DAY: '1.51' };
    await run('buying-agent', [], perDay);
    const lines = await run('buying-agent', [], perDay);
    assert.match(lines.at(-2) ?? '', /\$0\.02 of the \$1\.51 for each day are spent/);
    assert.equal(lines.at(-1), 'Spent $0.02 today.');
  });

  it('copy all deals into a file, for one payment', async () => {
    await run('nightly-csv', ['all.csv']);
    const rows: readonly Record<string, string>[] = parse(readFileSync(join(directory, 'all.csv')), { columns: true });
    const meta = (await (await fetch(`${app.url}/api/meta`)).json()) as { coverage: { active_records: number } };
    assert.equal(rows.length, meta.coverage.active_records);
  });

  it('copy hostile texts as harmless cells', async () => {
    const server = await startMockServer([{ status: 200, body: hostileCells.map((address) => ({ address })) }]);
    await run('nightly-csv', ['all.csv'], { BASE_URL: server.url }).finally(() => server.stop());
    const [, ...rows]: string[][] = parse(readFileSync(join(directory, 'all.csv')));
    assert.equal(rows.length, hostileCells.length);
    for (const [cell] of rows) assertHarmless(cell);
  });

  it('underwrite deals with the wanted cap rate, the furthest below its worth first', async () => {
    const lines = await run('underwrite', ['TX', '8.5']);
    const upsides = lines.map((line) => Number(/\((-?[\d.]+) % over\)$/.exec(line)?.[1]));
    assert.ok(upsides.length > 0);
    assert.deepEqual(
      upsides,
      upsides.toSorted((a, b) => b - a),
    );
  });

  describe('with a scripted model instead of a language model', () => {
    const loaded = `--import ${pathToFileURL(findProjectFile('dist/test/client/mock-model.js')).href}`;
    const environment = { MODEL: 'mock server', NODE_OPTIONS: loaded };

    it("pay for the model's requests, and the model answers from the records", async () => {
      const [answer, spent] = await run('agent-framework-tool', ['{"state":"TX","min_cap":7}'], environment);
      const sold = await buy(`${app.url}/api/deals?state=TX&min_cap=7&limit=10`);
      const [best, ...others] = (await sold.json()) as Deal[];
      assert.equal(answer, `${best?.address} before ${others.length} others: ${best?.why_this_is_interesting}`);
      assert.equal(spent, 'Spent $0.05 today.');
    });

    it('tell the model that nothing matched, and pay nothing', async () => {
      const [answer, spent] = await run('agent-framework-tool', ['{"state":"TX","min_cap":99}'], environment);
      assert.match(answer ?? '', /error-text.*No active deal matches all filters/);
      assert.equal(spent, 'Spent $0.00 today.');
    });
  });
});
