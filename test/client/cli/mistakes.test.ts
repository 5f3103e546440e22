import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { findProjectFile } from '../../../src/project-file.js';
import { shareApp, type SharedApp } from '../../support/shared-app.js';
import { priced, requirementOf, startMockServer } from '../mock-server.js';
import { createMemoryFiles, free, run, type Person } from './run.js';

const key = 'ab'.repeat(32);
const words = 'test test test test test test test test test test test junk';
const usdcOnBase = { network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' };
const today = new Date().toISOString().slice(0, 10);
const dayAfter = (days: number): string => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);

/** What a person types, the query that is sent, and what is said of it. */
const corrected: readonly (readonly [typed: string, sent: string, told: string])[] = [
  ['deals --max-price 150k', 'max_price=150000', 'Read as 150000.'],
  ['deals --max-price $150,000', 'max_price=150000', 'Read as 150000.'],
  ['deals --max-price 0.15M', 'max_price=150000', 'Read as 150000.'],
  ['deals --min-cap 8.5%', 'min_cap=8.5', 'Read as 8.5.'],
  ['deals --status hot', 'status=Hot', 'Read as Hot.'],
  ['deals --state Ohio', 'state=OH', 'Read as OH.'],
  ['deals --state ohio', 'state=OH', 'Read as OH.'],
  ['auctions --from-date 12/01/2026', 'from_date=2026-12-01', 'Read as 2026-12-01, month first.'],
  ['auctions --from-date tomorrow', `from_date=${dayAfter(1)}`, `Read as ${dayAfter(1)}, by UTC.`],
  ['auctions --from-date +7d', `from_date=${dayAfter(7)}`, `Read as ${dayAfter(7)}, by UTC.`],
];

/** What a person types, and the cure in one sentence. */
const refused: readonly (readonly [typed: string, cure: RegExp])[] = [
  ['deals --state OI', /state: no such state\. Did you mean OH, OK, OR\?/],
  ['deals --status warmish', /status: one of Hot, Warm, Pass/],
  ['deals --min-cap abc', /min_cap: percent without the sign, such as 8\.5/],
  ['auctions --from-date 13/13/2026', /from_date: a date such as 2026-12-01/],
  ['deals --min-units 5.5', /min_units: a whole number/],
  ['deals --limit 0', /limit: from 1 to 1000/],
  ['deals --limit 5000', /limit: from 1 to 1000/],
  ['deals --zip 4360', /zip: five digits such as 43609/],
  [`payment 0x${'ab'.repeat(20)}`, /payment_id: 0x and 64 hexadecimal digits in lower case; yours has 40/],
  ['deals --maxprice 1', /deals has no option --maxprice\. Did you mean --max-price\?/],
  ['dealz', /There is no verb "dealz"\. Did you mean deals\?/],
  ['report', /Which one\? report 3 of the last list, or an id from: deals-feed ids/],
  ['deals --state OH --max-price 1', /Without max_price=1 \d+ to \d+ records match/],
  ['deals --state AK', /Deals are read in: Jefferson, AL;/],
];

/** What is wrong with the surroundings, with what is typed there, and the cure. */
const misplaced: readonly (readonly [what: string, person: Person, cure: RegExp])[] = [
  ['a server that ends in /api', { environment: { BASE_URL: 'http://127.0.0.1:9/api' } }, /BASE_URL ends in \/api; leave it out\./],
  ['a wrong port', { environment: { BASE_URL: 'http://127.0.0.1:9' } }, /Nothing answers at http:\/\/127\.0\.0\.1:9\./],
  ['no key where money is real', {}, /Set PRIVATE_KEY/],
  ['a key without 0x', { privateKey: key }, /PRIVATE_KEY must be[^.]*0x and 64 hexadecimal digits\./],
  ['a key of 63 digits', { privateKey: `0x${key.slice(1)}` }, /PRIVATE_KEY must be[^.]*0x and 64 hexadecimal digits\./],
  ['words for a key', { privateKey: words }, /PRIVATE_KEY must be[^.]*0x and 64 hexadecimal digits\./],
]; // prettier-ignore

const pattern = /\^|\\d|\[0-9|\[A-Z/;

describe('the mistakes of people', () => {
  let app: SharedApp;
  before(async () => {
    app = await shareApp();
  });

  const ask = (typed: string, person: Person = {}) =>
    run([], typed.split(' '), { environment: { BASE_URL: app.url }, ...person });

  for (const [typed, sent, told] of corrected)
    it(`${typed} is read, and that is told`, async () => {
      const { error, paths } = await run([priced()], [...typed.split(' '), '--dry-run']);
      assert.equal(new URL(paths[0] ?? '', 'http://a').search, `?${sent}`);
      assert.equal(error, `${told}\n`);
    });

  for (const [typed, cure] of refused)
    it(`${typed} is answered with its cure, and nothing is signed`, async () => {
      const { code, out, error } = await ask(typed);
      assert.ok(code === 1 || code === 2, String(code));
      assert.equal(out, '');
      assert.match(error, cure);
      assert.doesNotMatch(error, pattern);
      assert.doesNotMatch(error, /Paid/);
    });

  for (const [what, person, cure] of misplaced)
    it(`${what} is answered with its cure, and no key is repeated`, async () => {
      const { error, presented } = await run([priced([requirementOf(usdcOnBase)])], ['deals'], person);
      assert.match(error, cure);
      assert.equal(presented, 0);
      for (const secret of [key.slice(1), 'junk']) assert.ok(!error.includes(secret));
    });

  it('an account without enough is named with the price, the network and how to see what it holds', async () => {
    const { code, error } = await ask('deals', { environment: { BASE_URL: app.url, PRIVATE_KEY: `0x${key}` } });
    assert.equal(code, 3);
    assert.match(
      error,
      /^Price: \$0\.05 on local demonstration chain [^]*does not hold enough of the token\.\n0x\w{40} pays\./,
    );
    assert.match(error, /Nothing was charged\./);
  });

  it('a price above the limit is answered with the option that raises it, and nothing is signed', async () => {
    const { code, error, presented } = await run([priced([requirementOf({ amount: '1500000' })])], ['deals']);
    assert.deepEqual([code, presented], [3, 0]);
    assert.match(error, /\nRaise it with --max 1\.50\.\n/);
  });

  it('a row that the last list does not have is answered with how many it has', async () => {
    const files = createMemoryFiles();
    const list = [
      {
        id: '10b6e2bb-d130-57e9-a3c1-109daff714fa',
        list_price: '1.00',
        deal_score: 1,
        rental_status: 'Hot',
        address: '1 A St',
      },
    ];
    const server = await startMockServer([free(list)]);
    try {
      await run([], ['deals'], { server, files, isThere: true });
      const { code, error, paths } = await run([], ['report', '99'], { server, files });
      assert.deepEqual([code, error, paths.length], [2, 'The last list has 1 row.\n--help says more.\n', 1]);
    } finally {
      await server.stop();
    }
  });

  it('a folder for payments that cannot be made is one sentence within two seconds, and nothing is signed', async function () {
    if (!existsSync('/proc/self')) this.skip();
    const env = { PATH: process.env['PATH'], BASE_URL: app.url, PAYMENTS_DIR: '/proc/none' };
    const program = findProjectFile('dist/bin/deals-feed.js');
    const failed = await promisify(execFile)(process.execPath, [program, 'deals'], { env }).catch(
      (error: unknown) => error,
    );
    const { code, stdout, stderr } = failed as { code: number; stdout: string; stderr: string };
    assert.deepEqual([code, stdout], [3, '']);
    assert.match(stderr, /Payments cannot be stored, so nothing is paid\.[^]*PAYMENTS_DIR/);
    assert.doesNotMatch(stderr, /Paid/);
  });
});
