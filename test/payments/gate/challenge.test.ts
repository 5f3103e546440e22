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
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import type { PaymentRequired } from '@x402/core/types';
import { loadContract } from '../../../src/contract/load-contract.js';
import { createValidators } from '../../../src/contract/validators.js';
import { createDecode } from '../../../src/operations/decode.js';
import { receiptSigner } from '../../../src/demo/chain/accounts.js';
import type { BazaarDeclaration } from '../../../src/payments/gate/bazaar.js';
import { createChallenges } from '../../../src/payments/gate/challenge.js';
import { createSoldResources, type ResourceInfo } from '../../../src/payments/gate/sold-resource.js';
import { encodeJsonHeader } from '../../../src/payments/json-header.js';
import { requirementsFor } from '../../../src/payments/terms.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createInstantSettler } from '../../support/instant-settler.js';
import { livePath } from '../../support/live-path.js';
import { ask, type RawReply } from '../../support/raw-http.js';

const contract = loadContract();
const validators = createValidators(contract);
const priced = contract.operations.filter(({ priceUsd }) => priceUsd !== undefined);
const hourMs = 3_600_000;

describe('what a 402 declares', () => {
  let app: TestApp;
  let time = new Date();
  /** The end of an hour. */
  const hour = new Date(Math.floor(time.getTime() / hourMs) * hourMs);
  const atHour = (ms: number) => new Date(hour.getTime() + ms);

  let soldResources: ReturnType<typeof createSoldResources>;

  before(async () => {
    app = await startTestApp({ settler: createInstantSettler(), now: () => time });
    soldResources = createSoldResources(contract, app.url);
    time = atHour(-1_000);
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
        assert.ok(String(reply.headers['payment-required']).length <= 3_700, 'PAYMENT-REQUIRED');
        const all = Object.entries(reply.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
        assert.ok(`HTTP/1.1 402 Payment Required\r\n${all.join('')}\r\n`.length <= 4_096, 'all headers');
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
        // The filters of deals do not fit: the contract has them.
        const isLong = /^\/api\/(deals|events)/.test(operation.path) && !operation.path.endsWith('/report');
        const declared = querySchemaOf(bazaar) as ReturnType<typeof querySchemaOf> | undefined;
        if (isLong && declared === undefined) return;
        assert.deepEqual(Object.keys(declared ?? {}), names);
        assert.ok(Object.values(declared ?? {}).every(({ type }) => type !== undefined || isLong));
      });

      it('shows no record in full', () => {
        const { bazaar } = required.extensions as { bazaar: { info: { output?: { example: object | object[] } } } };
        assert.ok(JSON.stringify(bazaar.info.output?.example ?? '').length <= 700);
      });

      it('tells a catalog what it is, its parameters, that nothing found is not billed, an icon and a short record', () => {
        const sold = soldResources({ operationId: operation.operationId, resource: livePath(app, operation.path) });
        const { description, tags, iconUrl } = sold?.resource as ResourceInfo;
        assert.ok(description.length >= 120 && description.length <= 500, `${description.length}: ${description}`);
        assert.ok(description.startsWith(`${operation.summary}.`) && description.includes('Not billed'), description);
        const [first] = operation.parameters.filter((each) => each.in === 'query');
        assert.ok(first === undefined || description.includes(`Parameters: ${first.name}`), description);
        assert.ok(tags?.includes('real-estate') && tags.length <= 5);
        assert.equal(iconUrl, `${app.url}/favicon.svg`);
        assert.deepEqual(PaymentRequiredV2Schema.parse(required).resource, required.resource);
        const { output } = (sold?.extensions as { bazaar: BazaarDeclaration }).bazaar.info;
        const { example } = output as { example: object | object[] };
        const text = JSON.stringify(example);
        assert.ok(text.length >= 100 && text.length <= 700, text);
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

  it('stays the same for an hour for equal requests, and is signed anew for the next', async () => {
    const offersAt = async (ms: number, query: string) => {
      time = atHour(ms);
      return inHeader(await ask(app.url, `/api/deals${query}`));
    };
    const first = await offersAt(0, '?state=OH&min_cap=8.5');
    assert.deepEqual(await offersAt(hourMs - 1, '?min_cap=8.50&state=O%48'), first);
    const next = await offersAt(hourMs, '?state=OH&min_cap=8.5');
    assert.notDeepEqual(next, first);
    assert.deepEqual({ ...next, extensions: {} }, { ...first, extensions: {} });
  });

  it('holds its terms for as long as a payment may take, also at the end of an hour', async () => {
    for (const ms of [2 * hourMs, 3 * hourMs - 1]) {
      time = atHour(ms);
      const [offer] = extractOffersFromPaymentRequired(
        inHeader(await ask(app.url, '/api/deals')),
      ) as EIP712SignedOffer[];
      const remainingMs = (offer?.payload.validUntil ?? 0) * 1000 - time.getTime();
      assert.ok(remainingMs >= 300_000 && remainingMs <= hourMs + 300_000, String(remainingMs));
    }
  });

  describe('whose request or public address is long', () => {
    const requirements = () => requirementsFor(app.selling.terms, 50_000n);
    const deals = priced.find(({ operationId }) => operationId === 'listDeals');
    assert.ok(deals);
    const decode = createDecode(deals, validators);

    function challengesOf(publicBaseUrl: string, elapsedMs = () => 0) {
      return createChallenges({ ...contract, publicBaseUrl, issuer: app.selling.issuer, now: () => time, elapsedMs });
    }

    it('keeps to the limit, with less to show', () => {
      for (const address of ['https://a.example', `https://${'market.'.repeat(30)}example`]) {
        for (const operation of priced) {
          const asked = createDecode(operation, validators)('', { id: '3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11' });
          const challenge = challengesOf(address).forOperation(operation, requirements())(asked);
          assert.ok(
            encodeJsonHeader({ ...challenge.members, error: 'x'.repeat(60) }).length <= 3_550,
            `${operation.path} at ${address}`,
          );
        }
      }
    });

    it('leaves out the example first, then the descriptions, then the offer, and never what is paid for', () => {
      const shown = [10, 150, 250, 440, 505].map((length) => {
        const query = { city: 'x'.repeat(length) };
        const asked = { ...decode('', {}), query, resource: `/api/deals?city=${query.city}` };
        const of = challengesOf('https://deals.example').forOperation(deals, requirements());
        const { extensions, resource, accepts } = of(asked).members;
        assert.equal(resource.url, `https://deals.example/api/deals?city=${query.city}`);
        assert.deepEqual(accepts, [requirements()]);
        assert.ok(extensions['payment-identifier']);
        const { bazaar } = extensions;
        return [
          bazaar?.info.output !== undefined,
          JSON.stringify(bazaar?.schema ?? '').includes('"description"'),
          extensions['offer-receipt'] !== undefined,
        ];
      });
      for (const [index, now] of shown.entries()) {
        assert.deepEqual([...now].sort(), now, 'what is left out later stays longer');
        const before = shown[index - 1] ?? now;
        assert.ok(
          now.every((isShown, part) => !isShown || before[part]),
          'longer requests show less',
        );
      }
      assert.notDeepEqual(shown[0], shown.at(-1));
    });

    it('signs at most 200 offers that nobody has asked for yet in a second, and those that are known at once', () => {
      let elapsed = 10_000;
      const of = challengesOf('https://deals.example', () => elapsed).forOperation(deals, requirements());
      const hasOffer = (price: number) =>
        of(decode(`min_price=${price}`, {})).members.extensions['offer-receipt'] !== undefined;
      const prices = Array.from({ length: 250 }, (_, price) => price);
      assert.equal(prices.filter(hasOffer).length, 200);
      assert.ok(hasOffer(0), 'signed before');
      assert.ok(!hasOffer(249));
      elapsed += 1_000;
      assert.ok(hasOffer(249), 'signed a second later');
    });

    it('shares 2,000 of them among all operations', () => {
      const all = challengesOf('https://deals.example', () => elapsed++ * 1_000);
      let elapsed = 0;
      const of = all.forOperation(deals, requirements());
      const first = of(decode('min_price=0', {}));
      for (let price = 1; price < 2_000; price++) of(decode(`min_price=${price}`, {}));
      assert.equal(of(decode('min_price=0', {})), first);
      for (let price = 2_000; price < 4_000; price++) of(decode(`min_price=${price}`, {}));
      assert.notEqual(of(decode('min_price=0', {})), first);
    });

    it('promises no signature where no key is configured', () => {
      const ports = {
        ...contract,
        publicBaseUrl: 'https://deals.example',
        issuer: undefined,
        now: () => time,
        elapsedMs: () => 0,
      };
      const { members } = createChallenges(ports).forOperation(deals, requirements())(decode('', {}));
      assert.deepEqual(Object.keys(members.extensions), ['payment-identifier', 'bazaar']);
    });
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
