import assert from 'node:assert/strict';
import { createMemoryStorage, type PaymentStorage } from '../../../src/client/payments/payment-storage.js';
import { priced, problem, requirementOf, sold, startMockServer, type Answer } from '../mock-server.js';
import { free, run } from './run.js';

const dealId = '3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11';

describe('the command', () => {
  it('shows records as a table on a terminal, and reports the payment beside them', async () => {
    const { code, out, error } = await run([priced(), sold([{ id: 'a' }])], ['/api/deals'], { isThere: true });
    assert.deepEqual([code, out], [0, 'id\n──\na\n']);
    assert.match(
      error,
      /^Price: \$0\.05 on local demonstration chain \(eip155:31337\), to 0x3C44\w+\n1 of 1 records\.\nPaid \$0\.05 on eip155:31337\nTransaction 0xabab\w+\nPayer 0xf39f\w+\nPayment 0x[0-9a-f]{64}\n$/,
    );
  });

  it('writes only the body to standard output when that is not a terminal, byte for byte', async () => {
    for (const words of [['/api/deals'], ['deals', '--json']]) {
      const { code, out, error } = await run([priced(), sold('[ {"a": 1.50} ]')], words);
      assert.deepEqual([code, out], [0, '[ {"a": 1.50} ]']);
      assert.match(error, /^Price: \$0\.05[^]*Transaction 0xabab/);
    }
  });

  it('writes only CSV or JSON lines to standard output', async () => {
    const script = [priced(), sold([{ a: 1, b: null }, { a: 2 }])];
    for (const [option, expected] of [
      ['--csv', 'a,b\r\n1,\r\n2,\r\n'],
      ['--ndjson', '{"a":1,"b":null}\n{"a":2}\n'],
    ] as const) {
      const { out, error } = await run(script, ['deals', option], { isThere: true });
      assert.equal(out, expected);
      assert.match(error, /Payer 0xf39f/);
    }
  });

  it('prints a reply that is no list unchanged, with a note, for --csv', async () => {
    const { code, out, error } = await run([free('plain', { 'Content-Type': 'text/plain' })], ['/llms.txt', '--csv']);
    assert.deepEqual([code, out], [0, 'plain']);
    assert.match(error, /no list of records/);
  });

  it('prints a paid reply even when it is not the JSON that it claims to be', async () => {
    const { code, out, error } = await run([priced(), sold('[{')], ['/api/deals'], { isThere: true });
    assert.deepEqual([code, out], [0, '[{\n']);
    assert.match(error, /Paid \$0\.05/);
  });

  it('shows the price and signs nothing with --dry-run, at any limit, and so does price', async () => {
    const script = [priced([requirementOf({ amount: '1500000' })])];
    for (const words of [
      ['report', dealId, '--dry-run'],
      ['price', 'report', dealId],
      ['/r', '--dry-run'],
    ]) {
      const { code, out, presented } = await run(script, words, { isThere: true, says: true });
      assert.deepEqual([code, presented], [0, 0]);
      assert.match(out, /^Price: \$1\.50 [^\n]*\n$/);
    }
    const { out } = await run(script, ['price', 'report', dealId]);
    assert.deepEqual((JSON.parse(out) as { price: string }).price, '1.50');
    assert.equal((await run([free([])], ['meta', '--dry-run'], { isThere: true })).out, 'Price: free\n');
  });

  it('requests what its arguments say, and sends nothing for invalid arguments', async () => {
    const { paths } = await run([free([])], ['deals', '--state', 'OH', '--min_cap=8.5']);
    assert.deepEqual(paths, ['/api/deals?min_cap=8.5&state=OH']);
    for (const [words, says] of [
      [['deals', '--stat', 'OH'], /deals has no option --stat\. Did you mean --state\?/],
      [['dels'], /no verb "dels"\. Did you mean deals\?/],
    ] as const) {
      const refused = await run([free([])], words);
      assert.deepEqual([refused.code, refused.paths], [2, []]);
      assert.match(refused.error, says);
    }
  });

  it('shows payer, spent amounts and open payments, without a request', async () => {
    const { code, out, paths } = await run([free([])], ['wallet'], { isThere: true });
    assert.deepEqual([code, paths], [0, []]);
    assert.match(
      out,
      /^Address   0xf39F\w+\nNetworks  local demonstration chain \(eip155:31337\)\nBalance   unknown[^\n]*\nSpent     \$0\.00 in/,
    );
    const told = JSON.parse((await run([free([])], ['wallet', '--json'])).out) as object;
    assert.deepEqual(Object.keys(told), ['address', 'networks', 'balances', 'lastHour', 'lastDay', 'held', 'open']);
  });
});

describe('the command, before the first publication', () => {
  const detail = 'Deals are published for the first time; first data in about 10 seconds.';
  const unpublished = problem(503, 'not_yet_published', { detail, retryable: true }, { 'Retry-After': '5' });

  it('waits for it with one line, then buys', async () => {
    const script = [...Array.from({ length: 20 }, () => unpublished), priced(), sold([{ id: 'a' }])];
    const { code, out, error, presented } = await run(script, ['deals'], { isThere: true });
    assert.deepEqual([code, out, presented], [0, 'id\n──\na\n', 1]);
    assert.equal(error.split(detail).length - 1, 1);
    assert.match(error, /Deals are published for the first time[^\n]*Waiting for it\.\n[^\n]*Price: /);
  });

  it('gives up after 120 seconds, unpaid', async () => {
    const { code, error, paths } = await run([unpublished], ['deals'], { isThere: true });
    assert.deepEqual([code === 0, paths.length], [false, 25]);
    assert.match(error, /not_yet_published/);
  });
});

describe('the command, when payments cannot be stored', () => {
  it('gives the reason and the directory', async () => {
    const storage: PaymentStorage = { update: () => Promise.reject(new Error('EACCES: permission denied')) };
    const { code, error, presented } = await run([priced()], ['deals'], { storage });
    assert.deepEqual([code, presented], [3, 0]);
    assert.match(
      error,
      /EACCES: permission denied\. Payments are stored in PAYMENTS_DIR[^]*Nothing was charged[^]*Reason: storage_failed/,
    );
  });
});

describe('the command, after an unknown outcome', () => {
  it('lists the payment in the wallet, and presents it again on the next run', async () => {
    const open = problem(503, 'settlement_unknown', { payment: 'unknown', retryable: true, retry_same_payment: true });
    const script = [priced(), open, open, open, open, open, open, sold([{ id: 'a' }])];
    const server = await startMockServer(script);
    const person = { server, storage: createMemoryStorage(), isThere: true };
    try {
      const first = await run(script, ['deals'], person);
      assert.deepEqual([first.code, first.out], [3, '']);
      const { out: wallet } = await run(script, ['wallet'], person);
      assert.match(
        wallet,
        /\nSpent {5}\$0\.05 in the last hour, \$0\.05 in the last day\nOpen {6}\$0\.05 for http:[^ ]*\/api\/deals, /,
      );
      const again = await run(script, ['deals', '--json'], person);
      assert.deepEqual([again.code, again.out], [0, '[{"id":"a"}]']);
      assert.match(again.error, /Paid \$0\.05[^]*This is the payment of an earlier run; no new one was made\.\n$/);
      assert.equal(new Set(server.signatures()).size, 1);
      assert.match((await run(script, ['wallet'], person)).out, /\nOpen {6}none\n$/);
    } finally {
      await server.stop();
    }
  });
});

describe('the command, above its limit', () => {
  const script = [priced([requirementOf({ amount: '1500000' })]), priced([requirementOf({ amount: '1500000' })]),
    priced([requirementOf({ amount: '1500000' })]), sold({ id: 'r' })]; // prettier-ignore

  it('asks the person at the terminal, and buys at the confirmed price', async () => {
    const { code, asked, presented } = await run(script, ['report', dealId], { isThere: true, says: true });
    assert.deepEqual([code, asked.length, presented], [0, 1, 1]);
    assert.match(
      asked[0] ?? '',
      /^It costs \$1\.50 on local demonstration chain \(eip155:31337\), above the limit \(--max\)\. Buy it\? \[y\/N\] $/,
    );
  });

  it('signs nothing when the answer is no', async () => {
    const { code, error, presented } = await run(script, ['report', dealId], { isThere: true, says: false });
    assert.deepEqual([code, presented], [3, 0]);
    assert.match(error, /not_approved/);
  });

  it('signs nothing when the price has risen since the question', async () => {
    const dearer = [...script.slice(0, 2), priced([requirementOf({ amount: '1500001' })])];
    const { code, error, presented } = await run(dearer, ['report', dealId], { says: true });
    assert.deepEqual([code, presented], [3, 0]);
    assert.match(error, /price_above_limit/);
  });

  it('refuses without a person to ask, and names the option that raises the limit', async () => {
    const { code, error, presented } = await run(script, ['report', dealId]);
    assert.deepEqual([code, presented], [3, 0]);
    assert.match(error, /--max/);
    assert.equal((await run([script[0] ?? priced(), sold({})], ['report', dealId, '--max', '1.50'])).code, 0);
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
    ['1 when nothing matched', 1, /Nothing was charged[^]*\n {2}Reason: no_records_match\n/, [priced(), problem(404, 'no_records_match')], ['/d']],
    ['1 for a faulty request, naming the fault', 1, /^stat: unknown; did you mean state\?\n  max: .*\n/,
      [priced(undefined, { errors: [{ parameter: 'stat', reason: 'unknown_parameter', detail: 'unknown; did you mean state?', nearest: 'state' }, { parameter: 'max', reason: 'unknown_parameter', detail: 'unknown; known: state' }] })], ['/d']],
    ['1 for a refusal, whose server has said what of the money', 1, /Nothing was billed\.(?![^]*charged)/,
      [priced(), problem(404, 'no_records_match', { detail: 'Nothing matches. Nothing was billed.' })], ['/d']],
    ['3 when nothing matched after an answer was lost', 3, /may have been charged[^]*with nonce 0x/,
      [priced(), 'hang_up', problem(404, 'no_records_match', { detail: 'Nothing matches. Nothing was billed.' })], ['/d']],
    ['4 when the server cannot answer now', 4, /temporarily_unavailable/, [problem(503, 'temporarily_unavailable')], ['/d']],
    ['2 for a command line that makes no sense', 2, /--help says more/, [free([])], []],
    ['2 for a key that is none, without repeating it', 2, /^PRIVATE_KEY must be(?![^]*secret-words)/, [free([])], ['/d'], 'secret-words'],
    ['2 for a key that no account has', 2, /^PRIVATE_KEY must be(?![^]*0x0)/, [free([])], ['meta'], `0x${'0'.repeat(64)}`],
    ['3 above the limit, saying how to raise it', 3, /\$1\.50[^]*Raise it with --max 1\.50\.\n/, [priced([requirementOf({ amount: '1500000' })])], ['/d']],
    ['3 without a key where money is real', 3, /Set PRIVATE_KEY/, [priced([requirementOf(usdcOnBase)])], ['/d']],
    ['3 for a payment that is refused', 3, /payment_invalid/, [priced(), priced(undefined, { reason: 'payment_invalid' })], ['/d']],
    ['3 while the outcome is open, with what to look for', 3, /may have been charged[^]*0xf39F\w+ with nonce 0x[0-9a-f]{64}\. What became of it: payment 0x[0-9a-f]{64}\n/, [priced(), openOutcome], ['/d']],
    ['4 when nothing answers, saying how to start the server', 4, /Nothing answers at http[^]*npm start/, ['hang_up'], ['/d']],
  ]; // prettier-ignore
  for (const [what, expected, says, script, args, key] of cases) {
    it(`is ${what}`, async () => {
      const { code, out, error } = await run(script, args, { privateKey: key });
      assert.equal(code, expected, error);
      assert.match(error, says);
      if (args[0] === '--help') assert.match(out, /Exit codes/);
    });
  }
});
