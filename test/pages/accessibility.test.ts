import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { loadContract } from '../../src/contract/load-contract.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { shareBrowser } from '../support/browser.js';
import { buy } from '../support/pay.js';
import { findViolations } from './find-violations.js';
import { viewports, watchPage, type WatchedPage } from './watch-page.js';
import { deep } from '../support/depth.js';

const widths = { ...viewports, narrow: { width: 360, height: 780 }, tablet: { width: 768, height: 1024 } };
const windows = Object.entries(widths).flatMap(([width, viewport]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, viewport, colorScheme })),
);
const sold = new Set(loadContract().operations.flatMap(({ path, priceUsd }) => (priceUsd === undefined ? [] : [path])));

describe('the pages in a browser, at the widths of phones, tablet and desktop, light and dark', function () {
  let app: SharedApp;
  let browser: Browser;
  let report: string;

  before(async function () {
    browser = await shareBrowser(this as never);
    app = await shareApp();
    report = await (
      await buy(`${app.url}/api/deals/${app.feeds.deals.current().records.at(0)?.id ?? ''}/report`)
    ).text();
  });

  /** Each page, the viewer empty and with a report, in each window; in an ordinary test run each in one window. */
  async function everywhere(look: (watched: WatchedPage, where: string) => Promise<void>): Promise<void> {
    for (const [index, path] of ['/', '/deals', '/errors', '/report', '/report with a report'].entries()) {
      const turn = index % windows.length;
      for (const { width, viewport, colorScheme } of deep(windows, windows.slice(turn, turn + 1))) {
        const watched = await watchPage(browser, app.url + (path.split(' ')[0] ?? ''), { viewport, colorScheme });
        if (path.includes('with')) {
          const file = { name: 'report.json', mimeType: 'application/json', buffer: Buffer.from(report) };
          await watched.page.setInputFiles('#file', file);
          await watched.page.locator('#evidence').waitFor();
        }
        await look(watched, `${path}, ${width}, ${colorScheme}`);
        await watched.close();
      }
    }
  }

  it('break no rule of axe, report no error, send nothing to other hosts, and do not scroll sideways', async () => {
    const found: string[] = [];
    await everywhere(async (watched, where) => {
      watched.assertClean();
      const overhang = await watched.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overhang, 0, where);
      found.push(...(await findViolations(watched.page)).map((violation) => `${where}: ${violation}`));
      watched.assertClean();
    });
    assert.deepEqual(found, []);
  });

  it('are readable without scripts', async () => {
    for (const path of ['/', '/deals', '/errors', '/report']) {
      const { page, close } = await watchPage(browser, app.url + path, { javaScriptEnabled: false });
      assert.ok((await page.locator('main').innerText()).length > 300, path);
      assert.ok(await page.getByRole('heading', { level: 1 }).isVisible());
      await close();
    }
  });

  it('link to each other, and every link resolves', async () => {
    const known = new Map<string, number>();
    for (const path of ['/', '/deals', '/errors', '/report', '/docs']) {
      const { page, close } = await watchPage(browser, app.url + path);
      const links = await page
        .locator('header a, main a, footer a')
        .evaluateAll((each) => each.map((link) => (link as HTMLAnchorElement).href));
      const anchors = await page.evaluate(() => [...document.querySelectorAll('[id]')].map(({ id }) => id));
      for (const link of path === '/docs' ? [] : links) {
        const { origin, pathname, hash } = new URL(link);
        assert.equal(origin, app.url, link);
        if (pathname === path && hash !== '') assert.ok(anchors.includes(hash.slice(1)), link);
        if (!known.has(pathname)) known.set(pathname, (await fetch(app.url + pathname)).status);
        assert.equal(known.get(pathname), sold.has(pathname.replace(/[0-9a-f-]{36}/, '{id}')) ? 402 : 200, link);
      }
      await close();
    }
    for (const path of ['/', '/deals', '/docs', '/errors', '/report']) assert.ok(known.has(path), path);
  });
});
