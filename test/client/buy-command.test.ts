import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { runBuyCommand } from '../../src/client/buy-command.js';
import { createMemoryStorage } from '../../src/client/memory-storage.js';
import { priced, problem, requirementOf, sold, startStandIn, type Answer } from './stand-in-server.js';

const link = (token: string) => ({ Link: `</api/pages/${token}>; rel="next"`, 'X-Total-Count': '3' });
const free = (body: unknown, headers: Record<string, string> = {}): Answer => ({ status: 200, headers, body });

async function run(script: readonly Answer[], args: readonly string[], privateKey?: string) {
  const server = await startStandIn(script);
  let out = '';
  let error = '';
  try {
    const code = await runBuyCommand(args, {
      baseUrl: server.url,
      privateKey,
      writeOut: (text) => void (out += text),
      writeError: (text) => void (error += text),
      width: 100,
      sleep: async () => undefined,
      storage: createMemoryStorage(),
      now: () => new Date(),
      random: () => 0,
      randomBytes,
    });
    return { code, out, error, paths: server.requests.map(({ url }) => url), presented: server.signatures().length };
  } finally {
    await server.stop();
  }
}

describe('the command', () => {
  it('shows price, records and receipt together at a terminal', async () => {
    const { code, out, error } = await run([priced(), sold([{ id: 'a' }])], ['/api/deals']);
    assert.deepEqual([code, error], [0, '']);
    assert.match(out, /^Price: \$0\.05 on local demonstration chain \(eip155:31337\), to 0x3C44/);
    assert.match(
      out,
      /\nid\n──\na\n1 of 1 records\.\nPaid \$0\.05 on eip155:31337\nTransaction 0xabab\w+\nPayer 0xf39f\w+\n$/,
    );
  });

  it('puts the body alone on standard output with --json, byte for byte', async () => {
    const { code, out, error } = await run([priced(), sold('[ {"a": 1.50} ]')], ['/api/deals', '--json']);
    assert.deepEqual([code, out], [0, '[ {"a": 1.50} ]']);
    assert.match(error, /^Price: \$0\.05[^]*Transaction 0xabab/);
  });

  it('puts CSV alone on standard output with --csv', async () => {
    const { out, error } = await run([priced(), sold([{ a: 1, b: null }])], ['/api/deals', '--csv']);
    assert.equal(out, 'a,b\r\n1,\r\n');
    assert.match(error, /Payer 0xf39f/);
  });

  it('prints what is no list as it came, and says so, with --csv', async () => {
    const { code, out, error } = await run([free('plain', { 'Content-Type': 'text/plain' })], ['/llms.txt', '--csv']);
    assert.deepEqual([code, out], [0, 'plain']);
    assert.match(error, /no list of records/);
  });

  it('prints what was paid for even when it is not the JSON that it claims to be', async () => {
    const { code, out } = await run([priced(), sold('[{')], ['/api/deals']);
    assert.equal(code, 0);
    assert.match(out, /\n\[\{\nPaid \$0\.05/);
  });

  it('shows the price and pays nothing with --dry-run', async () => {
    const { code, out, presented } = await run([priced([requirementOf({ amount: '1500000' })])], ['/r', '--dry-run']);
    assert.deepEqual([code, presented], [0, 0]);
    assert.match(out, /^Price: \$1\.50 [^\n]*\n$/);
    assert.equal((await run([free([])], ['/api/meta', '--dry-run'])).out, 'Price: free\n');
  });
});

describe('the command and further pages', () => {
  const pages = [priced(), sold([{ n: 1 }], link('t1')), free([{ n: 2 }], link('t2')), free([{ n: 3 }])];

  it('fetches them with --all, free, and joins them', async () => {
    const { out, paths, presented } = await run(pages, ['/api/deals?limit=1', '--all', '--json']);
    assert.deepEqual(JSON.parse(out), [{ n: 1 }, { n: 2 }, { n: 3 }]);
    assert.deepEqual(paths.slice(2), ['/api/pages/t1', '/api/pages/t2']);
    assert.equal(presented, 1);
  });

  it('stops at the first one without --all and says that there is more', async () => {
    const { out, paths } = await run(pages, ['/api/deals?limit=1']);
    assert.equal(paths.length, 2);
    assert.match(out, /1 of 3 records\. --all fetches the rest, free\./);
  });

  it('prints the pages that it has when a later one cannot be had, and fails', async () => {
    const script = [...pages.slice(0, 3), problem(410, 'cursor_expired')];
    const { code, out, error } = await run(script, ['/api/deals', '--all', '--json']);
    assert.equal(code, 1);
    assert.deepEqual(JSON.parse(out), [{ n: 1 }, { n: 2 }]);
    assert.match(error, /cursor_expired/);
  });

  it('pays for no page', async () => {
    const { code, error, presented } = await run([...pages.slice(0, 2), priced()], ['/api/deals', '--all', '--json']);
    assert.deepEqual([code, presented], [1, 1]);
    assert.match(error, /another payment/);
  });

  it('follows no link to another server and none in a circle', async () => {
    for (const target of ['https://elsewhere.example/p', '//elsewhere.example/p']) {
      const script = [free([{ n: 1 }], { Link: `<${target}>; rel="next"` })];
      const { code, error, paths } = await run(script, ['/api/deals', '--all', '--json']);
      assert.deepEqual([code, paths.length], [1, 1], target);
      assert.match(error, /not on the server that was asked/);
    }
    const circle = await run([free([{ n: 1 }], link('t1'))], ['/api/deals', '--all', '--json']);
    assert.deepEqual([circle.code, circle.paths.length], [0, 2]);
  });
});

describe('the exit code', () => {
  const usdcOnBase = { network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' };
  const openOutcome = problem(503, 'settlement_unknown', {
    payment: 'unknown',
    retryable: true,
    retry_same_payment: true,
  });
  const cases: readonly (readonly [string, number, RegExp, readonly Answer[], readonly string[], string?])[] = [
    ['0 for help', 0, /^$/, [free([])], ['--help']],
    ['1 when nothing matched', 1, /no_records_match[^]*Nothing was charged/, [priced(), problem(404, 'no_records_match')], ['/d']],
    ['1 for a faulty request, naming the fault', 1, /stat: Unknown\. Did you mean state\?/,
      [priced(undefined, { errors: [{ parameter: 'stat', reason: 'unknown_parameter', detail: 'Unknown.', nearest: 'state' }] })], ['/d']],
    ['2 for a command line that makes no sense', 2, /--help says more/, [free([])], []],
    ['2 for a key that is none, without repeating it', 2, /^PRIVATE_KEY must be(?![^]*secret-words)/, [free([])], ['/d'], 'secret-words'],
    ['3 above the limit, saying how to raise it', 3, /\$1\.50[^]*--max/, [priced([requirementOf({ amount: '1500000' })])], ['/d']],
    ['3 without a key where money is real', 3, /Set PRIVATE_KEY/, [priced([requirementOf(usdcOnBase)])], ['/d']],
    ['3 for a payment that is refused', 3, /payment_invalid/, [priced(), priced(undefined, { reason: 'payment_invalid' })], ['/d']],
    ['3 while the outcome is open, with what to look for', 3, /may have been charged[^]*0xf39F\w+ with nonce 0x[0-9a-f]{64}/, [priced(), openOutcome], ['/d']],
    ['4 when nothing answers, saying how to start the server', 4, /Nothing answers at http[^]*npm start/, ['hang_up'], ['/d']],
  ]; // prettier-ignore
  for (const [what, expected, says, script, args, key] of cases) {
    it(`is ${what}`, async () => {
      const { code, out, error } = await run(script, args, key);
      assert.equal(code, expected, error);
      assert.match(error, says);
      if (args[0] === '--help') assert.match(out, /Exit codes/);
    });
  }
});
