import assert from 'node:assert/strict';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { extractDiscoveryInfo } from '@x402/extensions/bazaar';
import { askPrice } from '../../support/pay.js';
import { assertPaid } from '../answer.js';
import { openFacilitatorShop, type FacilitatorShop } from '../facilitator-shop.js';
import { payloadIn } from '../shop.js';

const path = '/api/deals';

interface Sent {
  readonly paymentPayload: PaymentPayload;
  readonly paymentRequirements: PaymentRequirements;
}

describe('what a facilitator is told of a payment', () => {
  let at: FacilitatorShop;
  let header: string;
  let sent: readonly Sent[];

  before(async () => {
    at = await openFacilitatorShop();
    at.reset();
    header = await at.shop.sign(path, {
      alter: (payload) => ({
        ...payload,
        resource: { url: `${at.shop.app.url}${path}?min_price=12345`, description: 'secret-of-the-buyer' },
        extensions: {
          'payment-identifier': { info: { required: false, id: 'secret-of-the-buyer' } },
          bazaar: { info: { input: { type: 'http', method: 'GET', queryParams: { forged: 1 } } }, schema: {} },
        },
      }),
    });
    assertPaid(await at.shop.pay(`${path}?min_price=12345`, header));
    sent = [...at.first.bodiesOf('/verify'), ...at.first.bodiesOf('/settle')] as Sent[];
    assert.equal(sent.length, 2);
  });
  after(() => at?.close());

  it("is what this service knows, and nothing of the buyer's own", () => {
    const { accepted, payload } = payloadIn(header);
    for (const each of sent) {
      const { resource, extensions, ...rest } = each.paymentPayload;
      assert.deepEqual(
        { ...each, paymentPayload: rest },
        {
          x402Version: 2,
          paymentPayload: { x402Version: 2, accepted, payload },
          paymentRequirements: accepted,
        },
      );
      assert.equal(resource?.url, `https://deals.example${path}`);
      assert.deepEqual(Object.keys(extensions ?? {}), ['bazaar']);
      assert.doesNotMatch(JSON.stringify(each), /secret-of|forged|12345/);
    }
  });

  it('is what the official catalog reads: the operation as the 402 names it, its parameters and an example', async () => {
    const required = (await askPrice(at.shop.app.url + path)) as unknown as PaymentRequired;
    const declared = required.extensions as { readonly bazaar: { readonly info: { readonly input: object } } };
    for (const { paymentPayload, paymentRequirements } of sent) {
      const found = extractDiscoveryInfo(paymentPayload, paymentRequirements);
      assert.ok(found);
      assert.equal(found.resourceUrl, `https://deals.example${path}`);
      // The header has no room for the whole description.
      assert.ok(found.description?.startsWith(`${required.resource.description}. `));
      assert.equal(found.serviceName, required.resource.serviceName);
      assert.deepEqual(found.discoveryInfo.input, declared.bazaar.info.input);
      assert.ok(found.discoveryInfo.output?.example);
    }
  });
});
