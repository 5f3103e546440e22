import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page in a real browser, with its errors. */
export interface WatchedPage {
  readonly page: Page;
  /** Request addresses since the page was opened, without inline resources. */
  readonly requests: readonly string[];
  /** Fails if the page reported an error, violated its policy, or sent a request to another host. */
  assertClean(): void;
  close(): Promise<void>;
}

/** The tested widths: a phone and a desktop. */
export const viewports = {
  phone: { width: 390, height: 844 },
  paymentStatus: { width: 1280, height: 900 },
} as const;

/** Opens an address in a window of its own. */
export async function watchPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: viewports.paymentStatus, ...options });
  const page = await context.newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => request.url().startsWith('http') && requests.push(request.url()));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(url, { waitUntil: 'networkidle' });
  return {
    page,
    requests,
    assertClean() {
      assert.deepEqual(errors, []);
      const hosts = new Set(requests.map((address) => new URL(address).host));
      assert.deepEqual([...hosts], [new URL(url).host]);
    },
    close: () => context.close(),
  };
}
