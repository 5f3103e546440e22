import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { loadContract } from '../../src/contract/load-contract.js';
import { shareBrowser } from '../support/browser.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { findViolations } from './find-violations.js';
import { viewports, watchPage, type WatchedPage } from './watch-page.js';

describe('the deals in a browser', function () {
  let app: SharedApp;
  let browser: Browser;
  let watched: WatchedPage;

  before(async function () {
    browser = await shareBrowser(this as never);
    app = await shareApp();
  });
  afterEach(() => watched?.close());
  const open = async (path: string, viewport: (typeof viewports)[keyof typeof viewports] = viewports.phone) =>
    (watched = await watchPage(browser, app.url + path, { viewport })).page;
  const answer = () => watched.page.locator('#preview .answer');

  it('take the filters of GET /api/deals, name for name', async () => {
    const parametersOf = (id: string) =>
      loadContract()
        .operations.find(({ operationId }) => operationId === id)
        ?.parameters.filter((each) => each.in === 'query')
        .map(({ name }) => name);
    assert.deepEqual(parametersOf('getDealsPage'), parametersOf('listDeals'));
    const page = await open('/deals?state=OH&min_units=5');
    const fields = await page
      .locator('.filters [name]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('name')));
    assert.deepEqual(fields.sort(), [...(parametersOf('listDeals') ?? [])].sort());
    assert.equal(await page.locator('#f-state').inputValue(), 'OH');
    assert.equal(await page.locator('#f-min_units').inputValue(), '5');
  });

  it('show a faulty filter at its field, with its status, and sell nothing until it is right', async () => {
    for (const [query, field] of [
      ['min_cap=abc', '#f-min_cap'],
      ['maxprice=1', '.filters > .fault'],
      ['first_seen_since=2026-59-70', '#f-first_seen_since-fault'],
    ] as const) {
      const page = await open(`/deals?${query}`);
      assert.equal(
        await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.toJSON().responseStatus as number),
        400,
      );
      assert.equal(await page.locator(field).count(), 1, query);
      assert.equal(await page.locator('#buy').count(), 0, query);
      assert.match(await answer().innerText(), /Correct the marked filters/);
      await watched.close();
    }
    assert.equal((await fetch(`${app.url}/deals?maxprice=1`)).headers.get('content-type'), 'application/problem+json');
  });

  it('follow the filters: preview, price and address, without another page', async () => {
    const page = await open('/deals', viewports.paymentStatus);
    const all = await answer().innerText();
    await page.locator('#f-state').fill('OH');
    await answer().filter({ hasNotText: all }).waitFor();
    assert.match(page.url(), /\/deals\?state=OH$/);
    assert.equal(await page.locator('#buy').getAttribute('data-path'), '/api/deals?state=OH');
    await page.locator('#f-min_cap').fill('abc');
    await page.locator('#f-min_cap-fault').waitFor();
    assert.equal(await page.locator('#buy').count(), 0);
    await page.locator('#f-min_cap').fill('');
    await page.locator('#buy').waitFor();
    assert.deepEqual(await findViolations(page), []);
  });

  it('tell that nothing matches, which is never billed', async () => {
    await open('/deals?min_units=4000');
    assert.match(await answer().innerText(), /^Nothing matches\. An empty result is never billed\.$/);
  });

  it('lead from the overview in three clicks to a drawn list, in five to a drawn report, and keep both', async () => {
    const page = await open('/', viewports.paymentStatus);
    const click = (role: 'link' | 'button', name: string) =>
      page.getByRole(role, { name, exact: true }).first().click();
    await click('link', 'Deals');
    await click('button', 'Buy this list, $0.05');
    await click('button', 'Pay $0.05');
    await page.locator('#bought tbody tr').first().waitFor();
    await page.locator('.purchase').waitFor();
    assert.deepEqual(await findViolations(page), []);
    await click('button', 'Report $1.50');
    await click('button', 'Pay $1.50');
    await page.locator('#evidence').waitFor();
    await page.goto(`${app.url}/deals`);
    await page.locator('.purchase').nth(1).waitFor();
    await click('button', 'Delete');
    await page.locator('.purchase').nth(1).waitFor({ state: 'detached' });
  });

  it('show a bought list as a table or cards, in any order, with its counties on the map and its further pages, free', async () => {
    const page = await open('/deals?limit=5', viewports.paymentStatus);
    const bought = page.locator('#bought');
    await page.getByRole('button', { name: 'Buy this list, $0.05' }).click();
    await page.getByRole('button', { name: 'Pay $0.05' }).click();
    await bought.locator('tbody tr').nth(4).waitFor();
    await bought.getByRole('button', { name: 'Next page, free' }).click();
    await bought.locator('tbody tr').nth(9).waitFor();
    await bought.getByLabel('Sort by').selectOption('list_price up');
    const told = await bought.locator('td[data-label="Price"]').allInnerTexts();
    const prices = told.filter((price) => price !== '—').map((price) => Number(price.replace(/[$,]/g, '')));
    assert.ok(prices.length > 5 && prices.every((price) => price > 0));
    assert.deepEqual(
      prices,
      [...prices].sort((one, other) => one - other),
    );
    await bought.getByRole('button', { name: 'Show as cards' }).click();
    assert.equal(await bought.locator('table.as-cards').count(), 1);
    assert.deepEqual(await findViolations(page), []);
    const dots = await page.locator('.map circle:not(.empty) title').allTextContents();
    assert.ok(dots.length > 0);
    for (const dot of dots) assert.match(dot, /^[A-Z].+, [A-Z]{2}: \d+ of your list$/);
    await page.reload();
    await page.locator('.purchase').getByRole('button', { name: 'Open' }).click();
    await bought.locator('tbody tr').nth(9).waitFor();
  });

  it('open a sample of a report, free', async () => {
    const page = await open('/report');
    await page.getByRole('link', { name: 'Open a sample report' }).click();
    await page.locator('#evidence').waitFor();
    assert.match(await page.locator('#told').innerText(), /free sample/);
    watched.assertClean();
  });
});
