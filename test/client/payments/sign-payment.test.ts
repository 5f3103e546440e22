import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { createAuthorizationVerifier } from '../../../src/payments/chain/eip3009.js';
import { networks } from '../../../src/wire/networks.js';
import { chooseOffer, type Offer } from '../../../src/client/payments/choose-offer.js';
import { choosePayer, demonstrationKey } from '../../../src/client/payments/choose-payer.js';
import { PurchaseError } from '../../../src/client/payments/purchase-error.js';
import { draftPayment, signPayment } from '../../../src/client/payments/sign-payment.js';
import {
  authorizationOf,
  readPaymentIdentifier,
  type PaymentPayload,
} from '../../../src/payments/gate/read-payment.js';
import { buyer } from '../../../src/demo/chain/accounts.js';
import { challengeOf, localToken, payTo, requirementOf } from '../mock-server.js';

const account = privateKeyToAccount(demonstrationKey);
const now = () => new Date('2026-11-20T12:00:00.000Z');
const nowSeconds = now().getTime() / 1000;
/** Predictable bytes for tests. */
const sevens = (length: number) => new Uint8Array(length).fill(7);
const nonce = `0x${'07'.repeat(32)}`;

const offerOf = (changes: Record<string, unknown> = {}): Offer => chooseOffer(challengeOf([requirementOf(changes)]));
const decode = (header: string): PaymentPayload => JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
const isReason = (reason: string) => (error: unknown) => error instanceof PurchaseError && error.reason === reason;

const draft = (offer: Offer, draw: (length: number) => Uint8Array = randomBytes) =>
  draftPayment(offer, account.address, { now, randomBytes: draw });

/** The payload for an offer. */
async function sign(offer: Offer, draw?: (length: number) => Uint8Array): Promise<PaymentPayload> {
  return decode(await signPayment(draft(offer, draw), account));
}

describe('choosing an offer', () => {
  it('chooses the cheapest payable option, in any position', () => {
    const challenge = challengeOf([
      requirementOf({ scheme: 'upto', amount: '1' }),
      requirementOf({ amount: '60000' }),
      requirementOf({ amount: '50000' }),
      requirementOf({ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', amount: '2' }),
    ]);
    assert.equal(chooseOffer(challenge).priceAtomic, 50_000n);
  });

  for (const [what, changes] of [
    ['a network that it does not know', { network: 'eip155:1' }],
    ['a token whose amounts need not be dollars', { asset: '0x7e57000000000000000000000000000000000002' }],
    ['the token of another network', { network: 'eip155:8453' }],
    ['an amount of zero', { amount: '0' }],
    ['an amount that is no whole number', { amount: '0.05' }],
    ['a receiver that is no address', { payTo: '0x1234' }],
    ['a window of no time', { maxTimeoutSeconds: 0 }],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(() => offerOf(changes), isReason('no_acceptable_payment'));
    });
  }

  it('names what the server accepts and what it could pay', () => {
    assert.throws(() => offerOf({ network: 'eip155:1' }), /exact on eip155:1 in 0x7e57.*eip155:8453/);
    assert.throws(() => chooseOffer(challengeOf([])), /no payment at all/);
  });
});

describe('choosing a payer', () => {
  it("has the key of the demonstration's buyer built in", () => {
    assert.equal(demonstrationKey, buyer.privateKey);
  });

  const realOffer = offerOf({ network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' });

  it('uses the public demonstration key on the local chain only', () => {
    assert.equal(choosePayer(offerOf(), undefined).address, buyer.address);
    assert.throws(() => choosePayer(realOffer, undefined), isReason('key_needed'));
  });

  it('uses the given key everywhere', () => {
    const key = `0x${'11'.repeat(32)}` as const;
    const { address } = privateKeyToAccount(key);
    assert.deepEqual([choosePayer(offerOf(), key).address, choosePayer(realOffer, key).address], [address, address]);
  });
});

describe('signing a payment', () => {
  for (const network of networks) {
    it(`signs what the token on ${network.label} accepts`, async () => {
      const extra = { name: 'Anything', version: '9' };
      const payload = await sign(offerOf({ network: network.id, asset: network.asset, extra }));
      const verifier = await createAuthorizationVerifier({
        ...network.domain,
        chainId: network.chainId,
        verifyingContract: network.asset,
      });
      assert.equal(verifier.isSignedByPayer(authorizationOf(payload)), true);
    });
  }

  it('builds the payload of x402 v2: exactly the price, to the receiver, in a window around now', async () => {
    const { payload, ...envelope } = await sign(offerOf(), sevens);
    const { resource } = challengeOf();
    assert.deepEqual(envelope, { x402Version: 2, resource, accepted: requirementOf() });
    assert.deepEqual(payload.authorization, {
      from: buyer.address,
      to: payTo,
      value: '50000',
      validAfter: String(nowSeconds - 600),
      validBefore: String(nowSeconds + 300),
      nonce,
    });
  });

  it('sends a requirement back unchanged, including unknown members', async () => {
    const requirement = requirementOf({
      asset: localToken.toUpperCase().replace('X', 'x'),
      extra: { a: [1] },
      more: 7,
    });
    assert.deepEqual((await sign(chooseOffer(challengeOf([requirement])))).accepted, requirement);
  });

  it('caps the lifetime of a signature at ten minutes, whatever the server requests', async () => {
    const { payload } = await sign(offerOf({ maxTimeoutSeconds: 31_536_000 }));
    assert.equal(payload.authorization.validBefore, String(nowSeconds + 600));
  });

  it('generates a new nonce of 32 bytes and a new identifier for each payment', () => {
    const drafts = [1, 2, 3].map(() => draft(offerOf()));
    assert.equal(new Set(drafts.map(({ authorization }) => authorization.nonce)).size, 3);
    assert.equal(new Set(drafts.map(({ identifier }) => identifier)).size, 3);
    for (const { authorization } of drafts) assert.match(authorization.nonce, /^0x[0-9a-f]{64}$/);
  });

  it('adds an identifier when the server supports it, which a reader of the chain does not know', async () => {
    const extensions = { 'payment-identifier': { info: { required: false } }, bazaar: { info: {} } };
    const payload = await sign(chooseOffer({ ...challengeOf(), extensions }), sevens);
    assert.equal(readPaymentIdentifier(payload), `pay_${'07'.repeat(16)}`);
  });

  it('encodes text that is not ASCII', async () => {
    const challenge = {
      ...challengeOf(),
      resource: { url: 'https://deals.example/api/deals', description: '8,5\u202f% – „gut“' },
    };
    assert.deepEqual((await sign(chooseOffer(challenge))).resource, challenge.resource);
  });
});
