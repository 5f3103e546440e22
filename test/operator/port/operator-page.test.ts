import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { shareBrowser } from '../../support/browser.js';
import { createInstantSettler } from '../../support/instant-settler.js';
import { buy } from '../../support/pay.js';
import { findViolations } from '../../pages/find-violations.js';
import { viewports, watchPage } from '../../pages/watch-page.js';
import { startWatchedApp, type WatchedApp } from '../watched-app.js';

describe("the operator's page", function () {
  let watched: WatchedApp;

  before(async () => {
    watched = await startWatchedApp({ settler: createInstantSettler() });
    const { app } = watched;
    for (const path of ['/api/deals?limit=5', '/api/signals', '/api/auctions', '/api/deals?limit=9'])
      assert.equal((await buy(app.url + path)).status, 200, path);
    for (const query of [
      'state=OH&min_price=999999999',
      'metro=cleveland&min_units=4000',
      'state=WY',
      'state=WY&city=X',
    ])
      assert.equal((await buy(`${app.url}/api/deals?${query}`)).status, 404, query);
    await app.database.knex.raw(oneSaleForEachOf30Days);
    // Two ether for what has earned 58 dollars and more.
    await app.database.knex.raw(
      "update payments set fee_gwei = 1000000000 where amount = 2000000 and claimed_at > now() - interval '3 days'",
    );
    await app.database.knex.raw(aWeekOfRuns);
    await app.database.knex.raw(anotherInstance);
    assert.match(await (await fetch(`${app.url}/api/deals?min_cpa=8`)).text(), /unknown_parameter/);
    await watched.operator.flush();
  });
  after(() => watched?.stop());

  const textOf = async (): Promise<string> => {
    const reply = await fetch(watched.operator.url);
    assert.equal(reply.headers.get('Refresh'), '30');
    assert.match(reply.headers.get('Content-Type') ?? '', /^text\/html/);
    return reply.text();
  };
  const rowOf = (page: string, head: string): string[] => {
    const row = page.split('<tr>').find((each) => each.startsWith(`<th scope="row">${head}<`)) ?? '';
    return [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, ''));
  };

  it('answers in one look: can it sell, what it earns beside the usual, who buys what, what is not found, what is late, the gas', async () => {
    const page = await textOf();
    assert.match(page, /<span class="chip fresh">yes<\/span>/);
    const figureOf = (label: string) => new RegExp(`<dt>${label}</dt><dd>([^<]*)</dd>`).exec(page)?.[1];
    assert.equal(figureOf('sales today'), '4');
    assert.equal(figureOf('today so far'), '$0.16');
    assert.equal(figureOf('mean of the same weekday by now, four weeks'), '$2');
    assert.equal(figureOf('in 30 days'), '$58.16');
    assert.equal(figureOf('gas in 30 days'), '2 ether');
    assert.equal(figureOf('earns while an ether costs less than'), '$2');
    assert.equal(page.match(/<rect /g)?.length, 30 + 7);
    assert.equal(page.match(/<rect class="late"/g)?.length, 1, 'a day on which one run failed');
    assert.deepEqual(rowOf(page, 'unknown_parameter'), ['1', 'listDeals']);
    assert.equal(rowOf(page, watched.app.config.instanceName)[0], 'ready');
    assert.deepEqual(rowOf(page, 'another'), ['ready', '1.0.1', `0x${'ef'.repeat(20)}`]);
    assert.deepEqual(rowOf(page, 'listDeals'), ['6', '2', '4', '$58.10']);
    assert.deepEqual(rowOf(page, 'state'), ['3', '0', '3']);
    assert.deepEqual(rowOf(page, 'WY'), ['2', '0', '2']);
    assert.match(page, /<code>0x[0-9a-f]{40}<\/code><\/th><td class="number">29</, 'who spent most');
    assert.match(page, /in time<\/span>/);
    assert.match(page, /late<\/span>[^]*in time<\/span>/, 'what is late is first');
    assert.match(page.split('Does the ledger equal the chain?')[1] ?? '', /chain less ledger/);
    assert.match(page, /settlements left/);
    assert.ok(page.length <= 60_000, `${page.length} bytes`);
  });

  it('says that nothing can be sold, and why, while that is so', async () => {
    const empty = await startWatchedApp({ withData: false });
    try {
      const page = await (await fetch(empty.operator.url)).text();
      assert.match(page, /<title>NOT SELLING · /);
      assert.match(page, /<span class="chip failed">no<\/span> Not ready: data\.feed: No feed is published yet/);
      assert.match(page, /in 30 days/, 'what can be asked is shown all the same');
    } finally {
      await empty.stop();
    }
  });

  it('escapes what it shows, and names no secret', async () => {
    await watched.app.database.knex.raw(
      "insert into demand select (now() at time zone 'UTC')::date, 'listDeals', 'http', '<b>', '', '', 1, 0, 900",
    );
    await new Promise((resolve) => setTimeout(resolve, 0));
    const page = await textOf();
    assert.doesNotMatch(page, /<b>(?!npm|Set|Add|Use|Wait|Put)/);
    assert.doesNotMatch(page, /the-secret-of-all-instances/);
  });

  it('breaks no rule of axe, runs no script, asks nobody else, and does not scroll sideways, on phone and desktop, light and dark', async function () {
    const browser: Browser = await shareBrowser(this as never);
    for (const [width, viewport] of Object.entries(viewports))
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, assertClean, close } = await watchPage(browser, watched.operator.url, {
          viewport,
          colorScheme,
        });
        const where = `${width}, ${colorScheme}`;
        assert.deepEqual(await findViolations(page), [], where);
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
          0,
          where,
        );
        assert.equal(await page.locator('script').count(), 0);
        if (process.env['SCREENSHOTS'])
          await page.screenshot({
            path: `${process.env['SCREENSHOTS']}/${width}-${colorScheme}.png`,
            fullPage: true,
          });
        assertClean();
        await close();
      }
  });
});

const aWeekOfRuns = `
  insert into job_runs (job, slot, lane, state, owner, attempts, lease_until, started_at, finished_at)
  select 'signals', now() - each * interval '1 hour', each::text, case each when 5 then 'failed' else 'succeeded' end, 'x', 1, now(),
    now(), now() from generate_series(0, 160, 5) as each`;

const anotherInstance = `
  with made as (insert into instances (owner, name, version, host, started_at, seen_at, ready, draining, beat)
    values ('x', 'another', '1.0.1', '', now(), now(), true, false, 1))
  insert into relayer_leases (chain, relayer, owner, lease_until, next_nonce)
  values ('eip155:1', decode(repeat('ef', 20), 'hex'), 'x', now() + interval '1 hour', 0)`;

/** Two dollars a day of one payer more, for each of the 29 days before the present one. */
const oneSaleForEachOf30Days = `
  insert into payments
  select (jsonb_populate_record(p, jsonb_build_object('payer', '\\x' || repeat('ab', 20), 'amount', 2000000,
    'nonce', '\\x' || lpad(to_hex(ago), 64, '0'), 'payment_id', '\\x' || lpad(to_hex(ago), 64, 'f'), 'client_id_hash', null,
    'claimed_at', (now() at time zone 'UTC')::date - ago, 'settled_at', (now() at time zone 'UTC')::date - ago))).*
  from payments as p, generate_series(1, 29) as ago
  where p.payment_id = (select payment_id from payments where operation_id = 'listDeals' and state = 'settled' limit 1)`;
