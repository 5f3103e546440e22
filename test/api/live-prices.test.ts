import assert from 'node:assert/strict';
import { publicPath } from '../../src/contract/contract.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { toAtomicUnits } from '../../src/payments/chain/token-amount.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { livePath } from '../support/live-path.js';
import { askPrice } from '../support/pay.js';
import { ask } from '../support/raw-http.js';

describe('every operation of the running server', () => {
  let app: SharedApp;
  before(async () => (app = await shareApp()));

  for (const { operationId, path, priceUsd } of loadContract().operations) {
    if (priceUsd === undefined) {
      it(`never requires payment when the contract says free: ${operationId}`, async () => {
        const { status, headers } = await ask(app.url, livePath(app, path));
        assert.notEqual(status, 402);
        assert.equal(headers['payment-required'], undefined);
      });
      continue;
    }
    it(`requires the contract's price: ${operationId}`, async () => {
      const asked = livePath(app, path);
      const { accepts, resource } = await askPrice(app.url + asked);
      assert.deepEqual(
        accepts.map(({ amount, scheme, payTo, network }) => [amount, scheme, payTo, network]),
        [[String(toAtomicUnits(priceUsd)), 'exact', app.selling.terms.payTo, app.selling.terms.network.id]],
      );
      assert.equal(resource.url, app.url + (path.includes('{') ? asked : publicPath(path)));
    });
  }
});
