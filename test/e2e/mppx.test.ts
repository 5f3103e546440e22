import assert from 'node:assert/strict';
import { extractReceiptFromResponse, isEIP712SignedReceipt } from '@x402/extensions/offer-receipt';
import { Mppx } from 'mppx/client';
import { charge } from 'mppx/evm/client';
import { privateKeyToAccount } from 'viem/accounts';
import { buyer } from '../../src/demo/chain/accounts.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';

/** A client that pays only for the very address that it has asked for. */
describe('mppx 0.10, unmodified, on the demonstration', () => {
  let app: SharedApp;
  before(async () => {
    app = await shareApp();
  });

  it('buys a filtered list and a report, and its receipts name them', async () => {
    const { network } = app.selling.terms;
    const { fetch: pay } = Mppx.create({
      methods: [
        charge({
          account: privateKeyToAccount(buyer.privateKey),
          networks: [network.chainId],
          currencies: [network.asset],
        }),
      ],
      polyfill: false,
    });
    const report = `/api/deals/${app.feeds.deals.current().records.at(0)?.id}/report`;
    for (const path of ['/api/deals?state=OH', report]) {
      const reply = await pay(app.url + path);
      assert.equal(reply.status, 200, await reply.clone().text());
      const receipt = extractReceiptFromResponse(reply);
      assert.ok(receipt && isEIP712SignedReceipt(receipt));
      assert.equal(receipt.payload.resourceUrl, app.url + path);
    }
  });
});
