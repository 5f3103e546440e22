import assert from 'node:assert/strict';
import { parseCommand } from '../../../src/client/cli/parse-command.js';
import { UsageError } from '../../../src/client/buyer-environment.js';

const off = { all: false, wide: false, full: false, open: false, dryRun: false };
const bare = { do: 'get', origin: undefined, format: undefined, ...off, maxPrice: undefined };

describe('the command line', () => {
  it('accepts a path unchanged, with or without a verb before it', () => {
    const expected = { ...bare, name: '/api/deals', path: '/api/deals?state=OH&city=St. Louis' };
    assert.deepEqual(parseCommand([expected.path]), expected);
    assert.deepEqual(parseCommand(['buy', expected.path]), expected);
  });

  it('accepts options in any position', () => {
    assert.deepEqual(parseCommand(['--max', '$1.50', '--csv', '/api/deals', '--all', '--dry-run']), {
      ...bare,
      name: '/api/deals',
      path: '/api/deals',
      format: 'csv',
      all: true,
      dryRun: true,
      maxPrice: '1.50',
    });
  });

  it('accepts a whole address, as named in a reply', () => {
    const parsed = parseCommand(['https://deals.example:8443/api/deals?a=b']);
    assert.ok(parsed.do === 'get');
    assert.deepEqual([parsed.origin, parsed.path], ['https://deals.example:8443', '/api/deals?a=b']);
  });

  for (const [args, path] of [
    [['deals', '--state', 'OH', '--min-cap', '8.5'], '/api/deals?min_cap=8.5&state=OH'],
    [['--min_cap=8.5', 'deals', '--city=St. Louis'], '/api/deals?city=St.%20Louis&min_cap=8.5'],
    [['signals', '--has-address', '--limit', '5'], '/api/signals?has_address=true&limit=5'],
    [['signals', '--has-address=false'], '/api/signals?has_address=false'],
    [['deals', '--min-price', '-1'], '/api/deals?min_price=-1'],
    [['lookup', '1 Main St #2 & Co'], '/api/lookup?address=1%20Main%20St%20%232%20%26%20Co'],
    [['lookup', '--address', '1 Main St'], '/api/lookup?address=1%20Main%20St'],
    [['report', 'a/b'], '/api/deals/a%2Fb/report'],
    [['payment', '0x1'], '/api/payments/0x1'],
    [['payment-reply', '0x1', '--token', 't'], '/api/payments/0x1/response?token=t'],
    [['price', 'deals', '--state', 'OH'], '/api/deals?state=OH'],
    [['hot', '--limit', '5'], '/api/deals/hot?limit=5'],
    [['exclusive'], '/api/leads/exclusive'],
    [['report-', 'a'], '/api/deals/a/report/preview'],
    [['price', 'dea'], '/api/deals'],
  ] as const) {
    it(`converts ${args.join(' ')} to ${path}`, () => {
      const parsed = parseCommand(args);
      assert.ok(parsed.do === 'get');
      assert.deepEqual([parsed.path, parsed.dryRun], [path, args[0] === 'price']);
    });
  }

  it('shows the help for any other arguments, of the verb if there is one', () => {
    assert.deepEqual(parseCommand(['--help']), { do: 'help', verb: undefined });
    assert.deepEqual(parseCommand(['-h', '/api/deals']), { do: 'help', verb: undefined });
    for (const args of [
      ['help', 'deals'],
      ['help', 'dea'],
      ['deals', '--help', '--state', 'OH'],
    ])
      assert.deepEqual(parseCommand(args), { do: 'help', verb: 'deals' });
  });

  for (const [args, says] of [
    [[], /Say what to do/],
    [['buy'], /Say what to buy/],
    [['/api/deals', 'state=OH'], /second one/],
    [['api/deals'], /starts with a slash/],
    [['ftp://host/api'], /starts with a slash/],
    [['https://host'], /starts with a slash/],
    [['/api/deals', '--json', '--csv'], /--json or --csv, not both/],
    [['/api/deals', '--max', 'a dollar'], /takes dollars/],
    [['/api/deals', '--max'], /--max takes a value/],
    [['deals', '--dry-run=false'], /--dry-run takes no value/],
    [['deals', '--state', '--json'], /--state takes a value/],
    [['deals', '--state', 'OH', '--state', 'TX'], /--state is given twice/],
    [['/api/deals', '--jsn'], /no option --jsn\. Did you mean --json\?/],
    [['/api/deals', '--state', 'OH'], /buy has no option --state/],
    [['signals', '--min-cap', '9'], /signals has no option --min-cap/],
    [['deals', '--min-cpa', '9'], /Did you mean --min-cap\?/],
    [['deals', '--colour', 'red'], /no option --colour\.$/],
    [['deals', 'OH'], /"OH" is not understood after deals/],
    [['auctoins'], /no verb "auctoins"\. Did you mean auctions\?/],
    [['xyzzy'], /no verb "xyzzy"\.$/],
    [['l', '--limit', '5'], /^"l" may be leads or lookup\. Write more of it\.$/],
    [['help', 'dels'], /Did you mean deals\?/],
    [['report'], /^Which one\? report 3 of the last list, or an id from: deals-feed ids$/],
    [['report', ' '], /^Which one\?/],
    [['completion', 'csh'], /^Say which shell: bash, zsh, fish\.$/],
    [['deals', '--full'], /deals has no option --full/],
    [['lookup', '1', 'Main', 'St'], /"Main" is not understood after lookup\. Quote/],
    [['payment', '0x1', '--token', 't'], /payment has no option --token/],
    [['wallet', 'x'], /Nothing follows wallet/],
    [['wallet', '--max', '1'], /wallet has no option --max/],
    [['price', 'wallet'], /wallet buys nothing/],
    [['price', 'walet'], /no verb "walet"\. Did you mean wallet\?/],
  ] as const) {
    it(`refuses ${args.join(' ') || 'nothing at all'}, with the reason`, () => {
      assert.throws(
        () => parseCommand(args),
        (error: unknown) => error instanceof UsageError && says.test(error.message),
      );
    });
  }
});
