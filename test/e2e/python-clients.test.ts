import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { decodePaymentResponseHeader } from '@x402/fetch';
import { findProjectFile } from '../../src/project-file.js';
import { startSepoliaApp, type SepoliaApp } from '../support/sepolia-app.js';

const run = promisify(execFile);

describe('the official Python client, unmodified, on Base Sepolia', () => {
  let shop: SepoliaApp;

  before(async () => {
    shop = await startSepoliaApp('https://deals.example');
  });
  after(() => shop?.stop());

  for (const version of ['2.2.0', '2.25.0']) {
    it(`${version} buys, gets the data, and is charged once`, async function () {
      const home = findProjectFile(`node_modules/.cache/x402-python-${version}`);
      if (!existsSync(`${home}/complete`)) {
        process.stderr.write(`SKIPPED: x402 ${version} of Python is not installed; run sh .ci/python-clients.sh\n`);
        this.skip();
      }
      const before = await shop.balances();
      const environment = { env: { PRIVATE_KEY: shop.payerKey }, timeout: 60_000 };
      const command = [findProjectFile('test/support/buy-with-x402.py'), `${shop.app.url}/api/deals/hot?limit=1`];
      const { stdout } = await run(`${home}/bin/python`, command, environment);
      const reply = JSON.parse(stdout) as { readonly status: number; readonly receipt: string; readonly text: string };
      assert.equal(reply.status, 200, reply.text);
      assert.match(reply.text, /100 Example Ave/);
      assert.equal(decodePaymentResponseHeader(reply.receipt).success, true);
      const after = await shop.balances();
      assert.deepEqual([before.payer - after.payer, after.payTo - before.payTo], [20_000n, 20_000n]);
    });
  }
});
