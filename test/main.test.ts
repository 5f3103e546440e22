import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProjectFile } from '../src/project-file.js';
import { shortLived } from './support/short-lived.js';

const refusal = /^The configuration is not valid:\n {2}- DEMONSTRATION: not requested, .*\.env does not exist\..*\n$/;

describe('a process of the service, started without a terminal', function () {
  // A pure limit: each test starts a process, or two.
  this.timeout(300_000);
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'start-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  function start(environment: Readonly<Record<string, string>>, program = 'main', words: string[] = []) {
    const args = [shortLived, findProjectFile(`dist/bin/${program}.js`), ...words];
    // No local chain: nothing is bought here.
    const { PATH } = process.env;
    const env = {
      PATH,
      PORT: '0',
      OPERATOR_PORT: '0',
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
      ANVIL_BIN: '/nowhere/anvil',
      ...environment,
    };
    return spawn(process.execPath, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  async function finish(
    child: ReturnType<typeof start>,
  ): Promise<{ code: number | null; out: string; complaint: string }> {
    const [out, complaint] = [child.stdout.toArray(), child.stderr.toArray()];
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, out: Buffer.concat(await out).toString(), complaint: Buffer.concat(await complaint).toString() };
  }

  it('ends with 1 and a sentence where no configuration is found, and leaves nothing behind', async () => {
    assert.match((await finish(start({}))).complaint, refusal);
    const cli = await finish(start({}, 'cli', ['ledger', 'report']));
    assert.match(cli.complaint, refusal);
    assert.deepEqual([cli.code, cli.out, readdirSync(directory)], [1, '', []]);
  });

  it('ends so in production by npm start too', async () => {
    const npm = { npm_package_name: 'multifamily-deals-feed-server', npm_lifecycle_event: 'start' };
    const { code, out, complaint } = await finish(start({ NODE_ENV: 'production', ...npm }));
    assert.match(complaint, refusal);
    assert.deepEqual([code, out, readdirSync(directory)], [1, '', []]);
  });

  it("demonstrates by npm start, with its output in a pipe and its log as text, and sells README's first purchase, whose first record README shows, the moment the port is open", async () => {
    const readme = readFileSync(findProjectFile('README.md'), 'utf8');
    const [, command = ''] = /^npm run buy -- (.+)$/m.exec(readme) ?? [];
    const [, sampleText = ''] = /^```json\n([^]*?)^```$/m.exec(readme) ?? [];
    const npm = { npm_package_name: 'multifamily-deals-feed-server', npm_lifecycle_event: 'start' };
    const server = start({ ...npm, ANVIL_BIN: '', LOG_LEVEL: 'info', LOG_FORMAT: 'text' });
    const finished = finish(server);
    let [banner, url] = ['', ''];
    try {
      banner = String((await once(server.stdout, 'data'))[0]);
      url = /http:\/\/[\d.:]+/.exec(banner)?.[0] ?? '';
      const { code, out, complaint } = await finish(
        start({ BASE_URL: url, PAYMENTS_DIR: join(directory, 'payments') }, 'deals-feed', command.split(' ')),
      );
      assert.equal(code, 0, complaint);
      assert.match(complaint, /Deals are published for the first time/);
      const deals = JSON.parse(out) as (Record<string, unknown> & { city: string })[];
      const sample = JSON.parse(sampleText) as Record<string, unknown>;
      assert.deepEqual(Object.fromEntries(Object.keys(sample).map((name) => [name, deals[0]?.[name]])), sample);
      for (const { city } of deals) assert.equal(city, 'Toledo');
    } finally {
      server.kill('SIGTERM');
      const { code, out, complaint } = await finished;
      assert.equal(code, 0, complaint);
      const [, version] = /Multifamily Deals Feed (\S+) on /.exec(banner) ?? [];
      assert.match(out, /THIS IS A DEMONSTRATION/);
      assert.doesNotMatch(banner, /Ready to sell/, 'no deals are on sale yet');
      assert.ok(
        out.endsWith(
          `  Ready to sell: Multifamily Deals Feed ${version} on ${url}. Try it:\n` +
            `    BASE_URL=${url} npm run buy -- deals --state OH\n\n`,
        ),
        out,
      );
      assert.match(complaint, /INFO.*: started/, 'its log is text');
    }
  });

  it('prints help where it is asked for or given words, which it never repeats, and starts nothing', async () => {
    for (const [words, code] of [
      [['--help'], 0],
      [['-h'], 0],
      [[`0x${'ab'.repeat(32)}`], 1],
    ] as const) {
      const ended = await finish(start({ DEMONSTRATION: 'true' }, 'main', [...words]));
      const told = code === 0 ? ended.out : ended.complaint;
      assert.match(told, /^The server takes no words: [^]*npm run cli -- doctor[^]*docs\/settings\.md/);
      assert.deepEqual([ended.code, told.includes('abab'), readdirSync(directory)], [code, false, []]);
    }
  });

  it('says in a sentence that no data directory can be made', async function () {
    if (!existsSync('/proc/self')) this.skip();
    const { code, complaint } = await finish(start({ DEMONSTRATION: 'true', DATA_DIR: '/proc/none' }));
    assert.equal(code, 1);
    assert.match(complaint, /^[^\n]*(?:DATA_DIR|data directory)[^\n]*\n$/);
  });

  it('refuses a payment setting beside DEMONSTRATION=true, and a name near to a setting beside payment settings', async () => {
    writeFileSync(join(directory, '.env'), 'CONFIRMATONS=3\n');
    const { code, complaint } = await finish(start({ DEMONSTRATION: 'true', RPC_URL: 'https://rpc.example.com' }));
    assert.equal(code, 1);
    assert.equal(
      complaint,
      'The configuration is not valid:\n' +
        '  - DEMONSTRATION: cannot be combined with payment settings: RPC_URL. ' +
        'To sell, remove DEMONSTRATION; else remove them.\n' +
        '  - CONFIRMATONS is not a setting: did you mean CONFIRMATIONS?\n',
    );
  });

  it('says which .env cannot be read, and no stack', async () => {
    // Nobody can read a directory as a file.
    mkdirSync(join(directory, '.env'));
    const { code, complaint } = await finish(start({ DEMONSTRATION: 'true' }));
    assert.equal(code, 1);
    assert.match(
      complaint,
      /^\/.*\/\.env cannot be read \(EISDIR\)\. Let the user of this process read it, or remove it\.\n$/,
    );
  });
});
