import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buyer } from '../../src/demo/chain/accounts.js';
import { findProjectFile } from '../../src/project-file.js';
import { ask } from '../support/raw-http.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { attributeOf, readHtml, textOf } from './read-html.js';

const run = promisify(execFile);

describe('the samples of the API reference run as they stand', () => {
  let app: SharedApp;
  let directory: string;
  /** By operation, then by language. */
  const samples = new Map<string, Map<string, string>>();

  before(async () => {
    app = await shareApp();
    const elements = readHtml((await ask(app.url, '/docs')).body.toString());
    let operation = '';
    for (const element of elements) {
      if (attributeOf(element, 'class') === 'operation') operation = attributeOf(element, 'id') ?? '';
      const [language] = attributeOf(element, 'aria-label')?.split(': sample') ?? [];
      if (element.tagName !== 'pre' || !attributeOf(element, 'aria-label')?.endsWith(': sample')) continue;
      const known = samples.get(operation) ?? new Map<string, string>();
      samples.set(operation, known.set(language ?? '', textOf(element)));
    }
    const parent = findProjectFile('dist/samples');
    mkdirSync(parent, { recursive: true });
    directory = mkdtempSync(join(parent, 'run-'));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  const environment = () => ({ ...process.env, PRIVATE_KEY: buyer.privateKey, PAYMENTS_DIR: join(directory, 'paid') });

  async function start(operation: string, language: string, file: string, command: readonly string[]): Promise<string> {
    const path = join(directory, file);
    writeFileSync(path, samples.get(operation)?.get(language) ?? assert.fail(`${operation} ${language}`));
    const [program = '', ...words] = command;
    const { stdout } = await run(program, [...words, path], {
      env: environment(),
      cwd: findProjectFile('.'),
      maxBuffer: 50_000_000,
    });
    return stdout;
  }

  it('are there for every operation but the assets of pages, in four languages', () => {
    for (const [operation, languages] of samples) assert.equal(languages.size, 4, operation);
    assert.ok(samples.has('getReport') && samples.has('getPayment') && !samples.has('getPageAsset'));
  });

  for (const [operation, expected] of [
    ['getMeta', /"pricing"/],
    ['previewReport', /"report_price":"\$1\.50"/],
    ['listHotDeals', /cap_rate/],
    ['getReport', /underwriting/],
  ] as const)
    it(`${operation} in TypeScript`, async () => {
      const out = await start(operation, 'TypeScript', `${operation}.ts`, [process.execPath, '--import', 'tsx']);
      assert.match(out, expected);
    });

  for (const [operation, expected] of [
    ['getMeta', /"pricing"/],
    ['previewReport', /"report_price":"\$1\.50"/],
    ['listHotDeals', /"cap_rate"/],
    ['getReport', /"underwriting/],
  ] as const)
    it(`${operation} in Python`, async function () {
      const isPaid = ['listHotDeals', 'getReport'].includes(operation);
      const home = findProjectFile('node_modules/.cache/x402-python-2.25.0');
      const python = isPaid ? `${home}/bin/python` : 'python3';
      const isThere = isPaid
        ? existsSync(`${home}/complete`)
        : await run('python3', ['--version']).then(
            () => true,
            () => false,
          );
      if (!isThere) {
        process.stderr.write('SKIPPED: Python or its x402 client is not installed; run sh .ci/python-clients.sh\n');
        this.skip();
      }
      assert.match(await start(operation, 'Python', `${operation}.py`, [python]), expected);
    });

  for (const operation of ['previewReport', 'getReport'])
    it(`${operation} with curl, of a live deal`, async function () {
      if (
        !(await run('curl', ['--version']).then(
          () => true,
          () => false,
        ))
      )
        this.skip();
      const out = await start(operation, 'curl', `${operation}.sh`, ['sh']);
      assert.match(out, operation === 'getReport' ? /^HTTP\/1\.1 402 / : /^HTTP\/1\.1 200 /);
    });
});
