import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page in a real browser, and what went wrong on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Requests since the page was opened, by address; what is inline is none. */
  readonly requests: readonly string[];
  /** Fails if the page reported an error, broke its policy, or asked another host for anything. */
  assertClean(): void;
  close(): Promise<void>;
}

/** The widths that pages are looked at: a phone and a desk. */
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
