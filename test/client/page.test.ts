import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { tokenAbi } from '../../src/payments/chain/token-abi.js';
import { createChainClient } from '../../src/payments/chain/clients.js';
import { buyer } from '../../src/demo/chain/accounts.js';
import { findProjectFile } from '../../src/project-file.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { shareBrowser } from '../support/browser.js';
import type { PageResult } from './page-program.js';

describe('a page that buys', function () {
  let app: SharedApp;
  let site: Server;
  let page: Page;

  before(async function () {
    const browser = await shareBrowser(this as never);
    app = await shareApp();
    const { outputFiles } = await build({
      entryPoints: [findProjectFile('test/client/page-program.ts')],
      bundle: true,
      format: 'iife',
      platform: 'browser',
      write: false,
      logLevel: 'silent',
    });
    const html = `<!doctype html><title>Buyer</title><script>${outputFiles[0]?.text.replaceAll('</script', '<\\/script') ?? ''}</script>`;
    site = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(html));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`); // it listens on a port, not a pipe
  });
  after(async () => {
    await page?.close();
    await new Promise((resolve) => (site === undefined ? resolve(undefined) : site.close(resolve)));
  });

  const buy = (): Promise<PageResult> =>
    page.evaluate(
      ([url, key]) =>
        (globalThis as unknown as { buyInPage(url: string, key: string): Promise<PageResult> }).buyInPage(url, key),
      [app.url, buyer.privateKey] as const,
    );

  /** Atomic units of the buyer on the local chain. */
  async function balance(): Promise<bigint> {
    const client = createChainClient({ rpcUrl: app.selling.localRpcUrl ?? '' });
    const { asset } = app.selling.terms.network;
    return client.readContract({ address: asset, abi: tokenAbi, functionName: 'balanceOf', args: [buyer.address] });
  }

  it('pays once when the reply is lost and the page is reloaded, and keeps its budget', async () => {
    const before = await balance();
    let isLost = false;
    await page.route('**/api/deals?*', async (route) => {
      if (isLost || route.request().headers()['payment-signature'] === undefined) return route.continue();
      await route.fetch();
      isLost = true;
      return route.abort();
    });
    assert.deepEqual(await buy(), { count: 0, transaction: undefined, isOutcomeUnknown: true, lastHour: '0.05' });
    assert.equal(before - (await balance()), 50_000n);
    await page.reload();
    const bought = await buy();
    assert.deepEqual([bought.count, bought.isOutcomeUnknown, bought.lastHour], [3, false, '0.05']);
    assert.match(bought.transaction ?? '', /^0x[0-9a-f]{64}$/);
    assert.equal(before - (await balance()), 50_000n);
    await page.reload();
    assert.equal((await buy()).lastHour, '0.10');
    await assert.rejects(buy(), /budget_exceeded|of the \$0\.10 for each hour/);
    assert.equal(before - (await balance()), 100_000n);
  });
});
