import assert from 'node:assert/strict';
import { privateKeyToAccount } from 'viem/accounts';
import { createAuthorizationVerifier } from '../../src/chain/eip3009.js';
import { networks } from '../../src/chain/networks.js';
import { chooseOffer, type Offer } from '../../src/client/choose-offer.js';
import { choosePayer, demonstrationKey } from '../../src/client/choose-payer.js';
import { pay } from '../../src/client/pay.js';
import { PurchaseError } from '../../src/client/purchase-error.js';
import { authorizationOf, type PaymentPayload } from '../../src/payments/payment-header.js';
import { buyer } from '../../src/demo/chain/accounts.js';
import { challengeOf, localToken, payTo, requirementOf } from './stand-in-server.js';

const account = privateKeyToAccount(demonstrationKey);
const now = () => new Date('2026-11-20T12:00:00.000Z');
const nowSeconds = now().getTime() / 1000;
const nonce = () => `0x${'07'.repeat(32)}` as const;

const offerOf = (changes: Record<string, unknown> = {}): Offer => chooseOffer(challengeOf([requirementOf(changes)]));
const decode = (header: string): PaymentPayload => JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
const isReason = (reason: string) => (error: unknown) => error instanceof PurchaseError && error.reason === reason;

/** The account with a count of what it was asked to sign. */
function countingAccount() {
  const counting = {
    signed: 0,
    address: account.address,
    signTypedData: ((parameters) => {
      counting.signed += 1;
      return account.signTypedData(parameters);
    }) as typeof account.signTypedData, // generic: a literal cannot restate it
  };
  return counting;
}

describe('choosing an offer', () => {
  it('chooses the cheapest of what it can pay, wherever it stands', () => {
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

  it('says what was asked for and what it could pay', () => {
    assert.throws(() => offerOf({ network: 'eip155:1' }), /exact on eip155:1 in 0x7e57.*eip155:8453/);
    assert.throws(() => chooseOffer(challengeOf([])), /no payment at all/);
  });
});

describe('choosing who pays', () => {
  const realOffer = offerOf({ network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' });

  it('takes the public demonstration key on the local chain only', () => {
    assert.equal(choosePayer(offerOf(), undefined).address, buyer.address);
    assert.throws(() => choosePayer(realOffer, undefined), isReason('key_needed'));
  });

  it('takes the given key everywhere', () => {
    const key = `0x${'11'.repeat(32)}` as const;
    const { address } = privateKeyToAccount(key);
    assert.deepEqual([choosePayer(offerOf(), key).address, choosePayer(realOffer, key).address], [address, address]);
  });
});

describe('paying an offer', () => {
  for (const network of networks) {
    it(`signs what the token on ${network.label} takes`, async () => {
      const offer = offerOf({ network: network.id, asset: network.asset, extra: { name: 'Anything', version: '9' } });
      const payload = decode((await pay(offer, account, { now })).header);
      const verifier = await createAuthorizationVerifier({
        ...network.domain,
        chainId: network.chainId,
        verifyingContract: network.asset,
      });
      assert.equal(verifier.isSignedByPayer(authorizationOf(payload)), true);
    });
  }

  it('builds the payload of x402 v2: exactly the price, to the receiver, in a window around now', async () => {
    const payment = await pay(offerOf(), account, { now, nonce });
    const { payload, ...envelope } = decode(payment.header);
    const { resource } = challengeOf();
    assert.deepEqual(envelope, { x402Version: 2, resource, accepted: requirementOf() });
    assert.deepEqual(payload.authorization, {
      from: buyer.address,
      to: payTo,
      value: '50000',
      validAfter: String(nowSeconds - 600),
      validBefore: String(nowSeconds + 300),
      nonce: nonce(),
    });
    assert.deepEqual([payment.payer, payment.nonce], [buyer.address, nonce()]);
  });

  it('sends a requirement back as it came, with members that it does not know', async () => {
    const requirement = requirementOf({
      asset: localToken.toUpperCase().replace('X', 'x'),
      extra: { a: [1] },
      more: 7,
    });
    const payment = await pay(chooseOffer(challengeOf([requirement])), account, { now });
    assert.deepEqual(decode(payment.header).accepted, requirement);
  });

  it('lets no signature live longer than ten minutes, however long the server would like', async () => {
    const { payload } = decode((await pay(offerOf({ maxTimeoutSeconds: 31_536_000 }), account, { now })).header);
    assert.equal(payload.authorization.validBefore, String(nowSeconds + 600));
  });

  it('draws a new nonce of 32 bytes for each payment', async () => {
    const nonces = await Promise.all([1, 2, 3].map(async () => (await pay(offerOf(), account)).nonce));
    assert.equal(new Set(nonces).size, 3);
    for (const each of nonces) assert.match(each, /^0x[0-9a-f]{64}$/);
  });

  it('signs at the limit and nothing above it', async () => {
    const payer = countingAccount();
    await pay(offerOf({ amount: '50000' }), payer, { maxPriceAtomic: 50_000n });
    assert.equal(payer.signed, 1);
    await assert.rejects(
      pay(offerOf({ amount: '50001' }), payer, { maxPriceAtomic: 50_000n }),
      (error: unknown) => isReason('price_above_limit')(error) && /\$0\.050001.*\$0\.05\b/.test(String(error)),
    );
    assert.equal(payer.signed, 1);
  });

  it('pays ten cents and no more unless told otherwise', async () => {
    await pay(offerOf({ amount: '100000' }), account);
    await assert.rejects(pay(offerOf({ amount: '100001' }), account), isReason('price_above_limit'));
  });
});
