import assert from 'node:assert/strict';
import { parseArguments, UsageError } from '../../src/client/parse-arguments.js';

describe('the command line', () => {
  it('takes a path as it stands, a table and ten cents by default', () => {
    assert.deepEqual(parseArguments(['/api/deals?state=OH&city=St. Louis']), {
      path: '/api/deals?state=OH&city=St. Louis',
      origin: undefined,
      format: 'table',
      all: false,
      dryRun: false,
      maxPriceAtomic: 100_000n,
    });
  });

  it('takes all options, wherever they stand', () => {
    assert.deepEqual(parseArguments(['--max', '$1.50', '--csv', '/api/deals', '--all', '--dry-run']), {
      path: '/api/deals',
      origin: undefined,
      format: 'csv',
      all: true,
      dryRun: true,
      maxPriceAtomic: 1_500_000n,
    });
  });

  it('takes a whole address, as a reply may name one', () => {
    const parsed = parseArguments(['https://deals.example:8443/api/deals?a=b']);
    assert.ok(parsed !== 'help');
    assert.deepEqual([parsed.origin, parsed.path], ['https://deals.example:8443', '/api/deals?a=b']);
  });

  it('helps whatever else is said', () => {
    assert.equal(parseArguments(['--help']), 'help');
    assert.equal(parseArguments(['-h', '/api/deals']), 'help');
  });

  for (const [args, says] of [
    [[], /Say what to buy/],
    [['/api/deals', 'state=OH'], /second one/],
    [['api/deals'], /starts with a slash/],
    [['ftp://host/api'], /starts with a slash/],
    [['https://host'], /starts with a slash/],
    [['/api/deals', '--json', '--csv'], /not both/],
    [['/api/deals', '--max', 'a dollar'], /takes dollars/],
    [['/api/deals', '--max'], /--max/],
    [['/api/deals', '--jsn'], /--jsn/],
  ] as const) {
    it(`refuses ${args.join(' ') || 'nothing at all'}, saying why`, () => {
      assert.throws(
        () => parseArguments(args),
        (error: unknown) => error instanceof UsageError && says.test(error.message),
      );
    });
  }
});
