import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.js';
import { shareBrowser } from '../support/browser.js';

describe('the API reference in a browser', () => {
  let app: TestApp;
  let browser: Browser | undefined;

  before(async function () {
    browser = await shareBrowser(this as never);
    app = await startTestApp({ withData: false });
  });

  after(() => app?.stop());

  it('draws every operation, sends nothing to other hosts, and reports no error', async () => {
    assert.ok(browser);
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const hosts = new Set<string>();
    const errors: string[] = [];
    page.on('request', (request) => request.url().startsWith('http') && hosts.add(new URL(request.url()).host));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${app.url}/docs`);
    await page.getByRole('heading', { name: 'Multifamily Deals Feed' }).waitFor();
    await page.getByText('Active deals, best first').first().waitFor();
    assert.deepEqual([...hosts], [new URL(app.url).host]);
    assert.deepEqual(errors, []);
    await page.close();
  });
});
