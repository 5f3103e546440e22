import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { parseCommand } from '../../src/client/cli/parse-command.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { operationAsText } from '../../src/pages/docs/operation-text.js';
import { commandOf } from '../../src/pages/home/ways-to-buy.js';
import { shareBrowser } from '../support/browser.js';
import { ask } from '../support/raw-http.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';

const { operations } = loadContract();

describe('the API reference', () => {
  let app: SharedApp;
  let browser: Browser | undefined;

  before(async function () {
    browser = await shareBrowser(this as never);
    app = await shareApp();
  });

  async function open(width = 1280) {
    assert.ok(browser);
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const [hosts, errors]: [Set<string>, string[]] = [new Set(), []];
    page.on('request', (request) => request.url().startsWith('http') && hosts.add(new URL(request.url()).host));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${app.url}/docs`);
    return { page, hosts, errors };
  }

  it('has each operation once, products first, sends nothing to other hosts, and reports no error', async () => {
    const { page, hosts, errors } = await open();
    const ids = await page.locator('.operation').evaluateAll((all) => all.map(({ id }) => id));
    assert.deepEqual(ids.toSorted(), operations.map(({ operationId }) => operationId).toSorted());
    const products = operations.filter(({ priceUsd }) => priceUsd !== undefined).map(({ operationId }) => operationId);
    assert.deepEqual(ids.slice(0, products.length), products);
    assert.deepEqual([[...hosts], errors], [[new URL(app.url).host], []]);
    await page.close();
  });

  it('shows what is looked for alone, and never scrolls sideways', async () => {
    for (const width of [360, 1600]) {
      const { page } = await open(width);
      await page.getByLabel('Find').fill('sheriff');
      assert.ok(await page.locator('#listAuctions').isVisible());
      assert.ok(!(await page.locator('#getSkill').isVisible()));
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(sideways <= 0, `${width}: ${sideways}`);
      await page.close();
    }
  });

  it('names the errors that each operation can give, each with its entry of /errors, and the fields of fields', async () => {
    const html = (await ask(app.url, '/docs')).body.toString('utf8');
    const guide = (await ask(app.url, '/errors')).body.toString('utf8');
    const [, report = ''] = html.split('id="getReport"');
    const [own = ''] = report.split('</article>');
    for (const reason of ['unknown_deal', 'payment_expired', 'settlement_unknown', 'rate_limited'])
      assert.ok(own.includes(`href="/errors#${reason}"`), reason);
    assert.ok(!own.includes('/errors#no_events'));
    for (const [, reason] of html.matchAll(/href="\/errors#(\w+)"/g))
      assert.ok(guide.includes(`id="${reason}"`), reason);
    assert.match(own, /<details><summary>Its \d+ fields<\/summary>/);
  });

  it('has one select in place of the list on a phone, which leads to an operation', async () => {
    const { page } = await open(390);
    await page.getByLabel('Operation', { exact: true }).selectOption('getReport');
    await page.waitForURL(/#getReport$/);
    assert.equal(await page.locator('.contents ul').first().isVisible(), false);
    await page.close();
    const { page: wide } = await open(1280);
    assert.equal(await wide.locator('#go').isVisible(), false);
    await wide.close();
  });

  it('has samples that run as they stand: each address answers, each command line is understood', async () => {
    const { body } = await ask(app.url, '/docs');
    const html = body.toString('utf8').replaceAll('&#39;', "'").replaceAll('&#34;', '"').replaceAll('&#38;', '&');
    const addresses = [...html.matchAll(/curl -i '([^']+)'/g)].map(([, url = '']) => new URL(url));
    assert.ok(addresses.length > 20);
    for (const { pathname, search } of addresses) {
      const { status } = await ask(app.url, `${pathname}${search}`);
      assert.ok([200, 402].includes(status), `${status} ${pathname}${search}`);
    }
    const commands = [...html.matchAll(/npm run buy -- ([^<]+)</g)].map(([, words = '']) => words);
    assert.ok(commands.length > 10);
    for (const line of commands)
      parseCommand(
        [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, three]) => one ?? two ?? three ?? ''),
      );
  });

  it('has a text of each operation for a language model, 3,000 characters at most', () => {
    for (const operation of operations) {
      const text = operationAsText(operation);
      assert.ok(text.length <= 3_000, operation.operationId);
      for (const { name, in: place } of operation.parameters)
        if (place !== 'header') assert.ok(text.includes(`- ${name}`), `${operation.operationId} ${name}`);
    }
  });

  it('names a package only where its owner has published it', async () => {
    assert.equal(commandOf({}), 'npm run buy --');
    assert.equal(commandOf({ clientPackage: 'deals-feed@1.0.0' }), 'npx -y deals-feed@1.0.0');
    for (const path of ['/', '/docs']) assert.doesNotMatch((await ask(app.url, path)).body.toString(), /npx /, path);
  });
});
