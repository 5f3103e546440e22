import { parseArgs } from 'node:util';
import { demonstrationKey, isPrivateKey } from '../../src/client/payments/choose-payer.js';
import { parseUsd } from '../../src/client/payments/usd.js';
import { privateKeyToAccount } from 'viem/accounts';
import { createPurse } from './purse.js';
import { type Outcome, runChecks } from './run-checks.js';

/**
 * Holds a running server against its contract:
 *
 *   npm run contract -- https://deals.example.com                buys nothing
 *   PRIVATE_KEY=0x... npm run contract -- <url> --max 0.10       buys each product twice that costs no more than this
 *   npm run contract -- http://127.0.0.1:4021 --max 2            a demonstration, with its test dollars
 *   npm run contract -- <url> --only /api/deals                  one operation
 *
 * The last line is `N passed, N failed, N untried`. Exits with 1 when anything failed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { max: { type: 'string' }, only: { type: 'string' } },
});
const [baseUrl] = positionals;
const key = process.env.PRIVATE_KEY ?? (isLoopback(baseUrl) ? demonstrationKey : undefined);
const max = parseUsd(values.max ?? '0');
if (baseUrl === undefined || max === undefined || (key !== undefined && !isPrivateKey(key))) {
  process.stderr.write('npm run contract -- <base url> [--max <dollars>], with the key of a payer in PRIVATE_KEY\n');
  process.exit(2);
}

const signs = { passed: '✔', failed: '✖', untried: '-' } as const;
const report = ({ name, result, why }: Outcome): void =>
  void process.stdout.write(`${signs[result]} ${name}${why === undefined ? '' : `\n    ${why}`}\n`);
const account =
  key === undefined || max === 0n ? undefined : { address: privateKeyToAccount(key).address, privateKey: key };
const outcomes = await runChecks(new URL(baseUrl).origin, {
  purse: account && createPurse(account, max),
  only: values.only,
  now: () => new Date(),
  report,
});
const count = (result: Outcome['result']): number => outcomes.filter((each) => each.result === result).length;
process.stdout.write(`${count('passed')} passed, ${count('failed')} failed, ${count('untried')} untried\n`);
process.exitCode = count('failed') > 0 ? 1 : 0;

/** Only a demonstration lives there, or a rehearsal of one's own. */
function isLoopback(url: string | undefined): boolean {
  return url !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}
