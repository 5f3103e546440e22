import assert from 'node:assert/strict';
import {
  extractDiscoveryInfo,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar';
import type { QueryDiscoveryExtension } from '@x402/extensions/bazaar';
import {
  extractOffersFromPaymentRequired,
  findAcceptsObjectFromSignedOffer,
  verifyOfferSignatureEIP712,
  type EIP712SignedOffer,
} from '@x402/extensions/offer-receipt';
import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  validatePaymentIdentifier,
} from '@x402/extensions/payment-identifier';
import type { PaymentRequired } from '@x402/core/types';
import { publicPath } from '../../../src/contract/contract.js';
import { loadContract } from '../../../src/contract/load-contract.js';
import { receiptSigner } from '../../../src/demo/chain/accounts.js';
import { createChallenges } from '../../../src/payments/gate/challenge.js';
import { requirementsFor } from '../../../src/payments/terms.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createInstantSettler } from '../../support/instant-settler.js';
import { livePath } from '../../support/live-path.js';
import { ask, type RawReply } from '../../support/raw-http.js';

const contract = loadContract();
const priced = contract.operations.filter(({ priceUsd }) => priceUsd !== undefined);
const hourMs = 3_600_000;

describe('what a 402 declares', () => {
  let app: TestApp;
  let time = new Date('2026-11-21T12:59:59.000Z');

  before(async () => {
    app = await startTestApp({ settler: createInstantSettler(), now: () => time });
  });
  after(() => app.stop());

  const inHeader = ({ headers }: RawReply): PaymentRequired =>
    JSON.parse(Buffer.from(String(headers['payment-required']), 'base64').toString('utf8')) as PaymentRequired;

  for (const operation of priced) {
    describe(`for ${operation.path}`, () => {
      let reply: RawReply;
      let required: PaymentRequired;
      before(async () => {
        reply = await ask(app.url, livePath(app, operation.path));
        assert.equal(reply.status, 402);
        required = inHeader(reply);
      });

      it('fits the headers that proxies buffer and clients send back', () => {
        assert.ok(String(reply.headers['payment-required']).length <= 3_400, 'PAYMENT-REQUIRED');
        const all = Object.entries(reply.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
        assert.ok(all.join('').length <= 5_120, 'all headers');
      });

      it('stands in the body as it stands in the header', () => {
        const body = JSON.parse(reply.body.toString()) as Record<string, unknown>;
        for (const [name, value] of Object.entries(required)) assert.deepEqual(body[name], value, name);
      });

      it('offers no sign-in: a buyer who has bought before buys fresh data', () => {
        assert.deepEqual(Object.keys(required.extensions ?? {}), ['payment-identifier', 'bazaar', 'offer-receipt']);
      });

      it('satisfies the official catalog, with every query parameter and its limits', () => {
        const { bazaar } = required.extensions as { bazaar: QueryDiscoveryExtension & Record<string, unknown> };
        assert.deepEqual(validateDiscoveryExtensionSpec(bazaar), { valid: true });
        assert.deepEqual(validateDiscoveryExtension(bazaar), { valid: true });
        const [accepted] = required.accepts;
        assert.ok(accepted);
        const found = extractDiscoveryInfo({ ...required, accepted, payload: {} }, accepted);
        assert.equal(found?.resourceUrl, app.url + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'));
        assert.equal(found.discoveryInfo.input.type, 'http');
        const names = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
        assert.deepEqual(Object.keys(querySchemaOf(bazaar)), names);
        assert.ok(Object.values(querySchemaOf(bazaar)).every(({ type }) => type !== undefined));
      });

      it('shows no record in full', () => {
        const { bazaar } = required.extensions as { bazaar: { info: { output?: { example: object | object[] } } } };
        for (const record of [bazaar.info.output?.example ?? []].flat()) assert.ok(Object.keys(record).length <= 6);
      });

      it('lets a buyer name its payment, as the official extension declares it', () => {
        const extensions = structuredClone(required.extensions ?? {});
        assert.deepEqual(extensions['payment-identifier'], declarePaymentIdentifierExtension(false));
        appendPaymentIdentifierToExtensions(extensions, 'order-0123456789abcdef');
        assert.deepEqual(validatePaymentIdentifier(extensions['payment-identifier']), { valid: true });
      });

      it('signs what it asks for with the published key', async () => {
        const [offer, ...others] = extractOffersFromPaymentRequired(required) as EIP712SignedOffer[];
        assert.ok(offer);
        assert.deepEqual(others, []);
        const { signer, payload } = await verifyOfferSignatureEIP712(offer);
        assert.equal(signer, receiptSigner.address);
        assert.equal(payload.resourceUrl, required.resource.url);
        assert.deepEqual(findAcceptsObjectFromSignedOffer(offer, required.accepts), required.accepts[0]);
      });
    });
  }

  it('stays the same for an hour, whatever is asked, and is signed anew for the next', async () => {
    const offersAt = async (at: string, query: string) => {
      time = new Date(at);
      return inHeader(await ask(app.url, `/api/deals${query}`));
    };
    const first = await offersAt('2026-11-21T13:00:00.000Z', '');
    assert.deepEqual(await offersAt('2026-11-21T13:59:59.999Z', '?state=OH'), first);
    const next = await offersAt('2026-11-21T14:00:00.000Z', '');
    assert.notDeepEqual(next, first);
    assert.deepEqual({ ...next, extensions: {} }, { ...first, extensions: {} });
  });

  it('holds its terms for as long as a payment may take, also at the end of an hour', async () => {
    for (const at of ['2026-11-21T15:00:00.000Z', '2026-11-21T15:59:59.999Z']) {
      time = new Date(at);
      const [offer] = extractOffersFromPaymentRequired(
        inHeader(await ask(app.url, '/api/deals')),
      ) as EIP712SignedOffer[];
      const remainingMs = (offer?.payload.validUntil ?? 0) * 1000 - time.getTime();
      assert.ok(remainingMs >= 300_000 && remainingMs <= hourMs + 300_000, String(remainingMs));
    }
  });

  it('keeps to the limits under a long public address too, with less to show', async () => {
    const { terms, issuer } = app.selling;
    const requirements = requirementsFor(terms, 50_000n);
    for (const operation of priced) {
      const sizes = ['https://a.example', `https://${'market.'.repeat(30)}example`].map((address) => {
        const resourceUrl = address + publicPath(operation.path);
        const challengeAt = createChallenges({ ...contract, operation, requirements, resourceUrl, issuer });
        return challengeAt(time).header('insufficient_funds').length;
      });
      assert.ok(Math.max(...sizes) <= 4_096, `${operation.path}: ${sizes.join(' and ')}`);
    }
  });

  it('promises no signature where no key is configured', () => {
    const [operation] = priced;
    assert.ok(operation);
    const requirements = requirementsFor(app.selling.terms, 50_000n);
    const ports = { ...contract, operation, requirements, resourceUrl: 'https://deals.example', issuer: undefined };
    const { members } = createChallenges(ports)(time);
    assert.deepEqual(Object.keys(members.extensions), ['payment-identifier', 'bazaar']);
  });

  it('publishes the key by address and by name, where buyers look for it', async () => {
    const known = JSON.parse((await ask(app.url, '/.well-known/x402')).body.toString()) as Record<string, unknown>;
    const { address } = receiptSigner;
    assert.deepEqual(known['offerReceipt'], { format: 'eip712', signer: address, kid: `did:pkh:eip155:1:${address}` });
  });
});

/** The schema of the query, by parameter. */
function querySchemaOf(bazaar: { readonly schema: unknown }): Record<string, { readonly type?: unknown }> {
  const schema = bazaar.schema as {
    properties: { input: { properties: { queryParams: { properties: Record<string, { type?: unknown }> } } } };
  };
  return schema.properties.input.properties.queryParams.properties;
}
