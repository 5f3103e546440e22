import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { buyer } from '../../../src/demo/chain/accounts.js';
import { encodePayment, type PaymentChanges } from '../../support/pay.js';
import { assertPaid, assertRefused } from '../answer.js';
import { openShop, payloadIn, type Shop } from '../shop.js';

const path = '/api/deals/hot';
const price = 20_000n;
const stranger = '0x00000000000000000000000000000000000e15e0';
const nowSeconds = (): bigint => BigInt(Math.floor(Date.now() / 1000));

/** Changes one member of a signed payload, named by its path; `undefined` takes it out. */
/** `value` may be a function, for what depends on when the payment is made. */
function alter(name: string, value: unknown): PaymentChanges {
  return {
    alter(payload) {
      const now: unknown = typeof value === 'function' ? value() : value;
      const keys = name.split('.');
      const last = keys.pop() ?? '';
      const parent = keys.reduce<Record<string, unknown>>(
        (object, key) => object[key] as Record<string, unknown>,
        payload,
      );
      if (now === undefined) delete parent[last];
      else parent[last] = now;
      return payload;
    },
  };
}

const authorization = 'payload.authorization';
const recipient = 'invalid_exact_evm_payload_recipient_mismatch';
const wrongValue = 'invalid_exact_evm_payload_authorization_value';
const wrongSignature = 'invalid_exact_evm_payload_signature';
const wrongOffer = 'invalid_payment_requirements';
const validAfter = 'invalid_exact_evm_payload_authorization_valid_after';
const validBefore = 'invalid_exact_evm_payload_authorization_valid_before';

/** What is signed or sent wrongly, the reason of the refusal, and the code of x402. */
const refused: readonly (readonly [what: string, changes: PaymentChanges, reason: string, error: string])[] = [
  ['version 1', alter('x402Version', 1), 'payment_invalid', 'invalid_x402_version'],
  ['version 99', alter('x402Version', 99), 'payment_invalid', 'invalid_x402_version'],
  ['a version in words', alter('x402Version', '2'), 'payment_invalid', 'invalid_x402_version'],
  ['no version', alter('x402Version', undefined), 'payment_invalid', 'invalid_x402_version'],
  ['another scheme', alter('accepted.scheme', 'upto'), 'payment_invalid', 'invalid_payload'],
  ['no offer', alter('accepted', undefined), 'payment_invalid', 'invalid_payload'],
  ['no authorization', alter(authorization, undefined), 'payment_invalid', 'invalid_payload'],
  ['a field too many that could be signed', alter(`${authorization}.chainId`, 1), 'payment_invalid', 'invalid_payload'],
  [
    'a nonce of 31 bytes',
    alter(`${authorization}.nonce`, `0x${'ab'.repeat(31)}`),
    'payment_invalid',
    'invalid_payload',
  ],
  [
    'a nonce of 33 bytes',
    alter(`${authorization}.nonce`, `0x${'ab'.repeat(33)}`),
    'payment_invalid',
    'invalid_payload',
  ],
  [
    'a nonce with a NUL',
    alter(`${authorization}.nonce`, `0x${'a'.repeat(63)}\0`),
    'payment_invalid',
    'invalid_payload',
  ],
  [
    'a payer with an RTL mark',
    alter(`${authorization}.from`, `\u202e${buyer.address}`),
    'payment_invalid',
    'invalid_payload',
  ],
  ['an amount as a number', alter(`${authorization}.value`, 20_000), 'payment_invalid', 'invalid_payload'],
  ['an amount in hexadecimal', alter(`${authorization}.value`, '0x4e20'), 'payment_invalid', 'invalid_payload'],
  ['an amount with a leading zero', alter(`${authorization}.value`, '020000'), 'payment_invalid', 'invalid_payload'],
  ['a negative amount', alter(`${authorization}.value`, '-20000'), 'payment_invalid', 'invalid_payload'],
  ['a signature of odd length', alter('payload.signature', '0xabc'), 'payment_invalid', 'invalid_payload'],
  ['real money', alter('accepted.network', 'eip155:8453'), 'payment_invalid', 'invalid_network'],
  ['a chain id off by one', alter('accepted.network', 'eip155:31338'), 'payment_invalid', 'invalid_network'],
  ['a look-alike token', alter('accepted.asset', `0x7e57${'0'.repeat(35)}2`), 'payment_invalid', wrongOffer],
  ['an address without code', alter('accepted.asset', stranger), 'payment_invalid', wrongOffer],
  ['another receiver in the offer', alter('accepted.payTo', stranger), 'payment_invalid', wrongOffer],
  ['an offer of less', alter('accepted.amount', '19999'), 'payment_amount_mismatch', wrongValue],
  ['an offer of more', alter('accepted.amount', '20001'), 'payment_amount_mismatch', wrongValue],
  ['a signature over less', { value: price - 1n }, 'payment_amount_mismatch', wrongValue],
  ['a signature over more', { value: price + 1n }, 'payment_amount_mismatch', wrongValue],
  ['a signature over nothing', { value: 0n }, 'payment_amount_mismatch', wrongValue],
  ['a signature over 12 decimals more', { value: price * 10n ** 12n }, 'payment_amount_mismatch', wrongValue],
  ['a signature over all there is', { value: 2n ** 256n - 1n }, 'payment_amount_mismatch', wrongValue],
  ['an amount past 256 bits', alter(`${authorization}.value`, `${2n ** 256n}`), 'payment_amount_mismatch', wrongValue],
  ['a signature for another receiver', { to: stranger }, 'payment_invalid', recipient],
  [
    'a resource on another server',
    alter('resource.url', 'http://127.0.0.1:1/api/deals/hot'),
    'payment_wrong_resource',
    wrongOffer,
  ],
  ['a resource that is no address', alter('resource.url', 'hot deals'), 'payment_wrong_resource', wrongOffer],
  ['a window that is over', { validBefore: nowSeconds() - 60n }, 'payment_expired', validBefore],
  ['a window that ends in 5 seconds', { validBefore: nowSeconds() + 5n }, 'payment_expired', validBefore],
  ['a window that begins later', { validAfter: nowSeconds() + 86_400n }, 'payment_invalid', validAfter],
  ['a window that ends in a year', { validBefore: nowSeconds() + 31_536_000n }, 'payment_invalid', 'invalid_payload'],
  ['a window that ends never', { validBefore: 2n ** 256n - 1n }, 'payment_invalid', 'invalid_payload'],
  [
    'another nonce than was signed',
    alter(`${authorization}.nonce`, `0x${'ab'.repeat(32)}`),
    'payment_invalid',
    wrongSignature,
  ],
  ['another payer than signed', alter(`${authorization}.from`, stranger), 'payment_invalid', wrongSignature],
  [
    'a longer window than was signed',
    alter(`${authorization}.validBefore`, () => `${nowSeconds() + 300n}`),
    'payment_invalid',
    wrongSignature,
  ],
  ['no signature', alter('payload.signature', '0x'), 'payment_invalid', wrongSignature],
  ['a signature of zeros', alter('payload.signature', `0x${'00'.repeat(65)}`), 'payment_invalid', wrongSignature],
  ['a signature of 2 KB', alter('payload.signature', `0x${'ab'.repeat(2000)}`), 'payment_invalid', wrongSignature],
];

describe('a payment that is refused', () => {
  let shop: Shop;

  before(async () => {
    shop = await openShop();
  });
  after(() => shop.close());

  async function countRows(): Promise<number> {
    const [row] = await shop.app.database.knex('payments').count<{ count: string }[]>();
    return Number(row?.count);
  }

  /** No handler runs, nothing is written, nothing is asked of the chain. */
  async function assertUntouched(header: string, refuse: () => Promise<void>): Promise<void> {
    const [runs, rows] = [shop.handlerRuns(), await countRows()];
    const asked: string[] = [];
    shop.faults.settler.verify = async (each) => {
      asked.push(each.nonce);
      return shop.real.settler.verify(each);
    };
    await refuse();
    shop.mend();
    assert.equal(shop.handlerRuns(), runs, 'the handler must not run');
    assert.deepEqual(asked, [], 'the chain must not be asked');
    assert.equal(await countRows(), rows, `nothing may be written for ${header.slice(0, 40)}`);
  }

  for (const [what, changes, reason, error] of refused) {
    it(`names ${reason} for ${what}, before anything else happens`, async () => {
      const header = await shop.sign(path, changes);
      await assertUntouched(header, async () => {
        assertRefused(await shop.pay(path, header), 402, reason, error);
      });
    });
  }

  it('is malformed when the header is not one base64 text of a JSON object of at most 16 KB', async () => {
    const good = await shop.sign(path);
    const malformed = [
      '',
      '%%%%',
      'abc',
      `${good}=`,
      good.replace(/.$/, '-'),
      `"${good}"`,
      Buffer.from('not JSON').toString('base64'),
      Buffer.from('{"x402Version":2').toString('base64'),
      encodePayment(null),
      encodePayment([payloadIn(good)]),
      encodePayment('text'),
      encodePayment(2),
      Buffer.from([0xff, 0xfe, 0x00]).toString('base64'),
      encodePayment({ ...payloadIn(good), padding: 'x'.repeat(13_000) }),
      `${good}, ${good}`,
    ];
    for (const header of malformed) {
      await assertUntouched(header, async () => {
        assertRefused(await shop.pay(path, header), 400, 'payment_malformed');
      });
    }
  });

  it('is malformed when the header comes twice, even where both are good', async () => {
    const headers = [await shop.sign(path), await shop.sign(path)];
    const status = await sendRaw(shop.app.url + path, { 'PAYMENT-SIGNATURE': headers });
    assert.equal(status, 400);
    assert.equal((await shop.pay(path, headers[0])).status, 200, 'the first of them is still unused');
  });

  it('leaves the server unharmed when the header has a megabyte', async () => {
    assert.equal(await sendRaw(shop.app.url + path, { 'PAYMENT-SIGNATURE': 'A'.repeat(1_000_000) }), 431);
    assert.equal((await shop.pay(path, undefined)).status, 402);
  });

  it('is no payment at all in the header of version 1, alone or beside a payment of version 2', async () => {
    const legacy = { headers: { 'X-PAYMENT': await shop.sign(path) } };
    assertRefused(await shop.pay(path, undefined, legacy), 402, 'payment_required');
    assertPaid(await shop.pay(path, await shop.sign(path), legacy));
    assertRefused(await shop.pay(path, encodePayment({ x402Version: 1 }), legacy), 402, 'payment_invalid');
  });

  it('is refused with a high s, and with a v that no wallet writes', async () => {
    const header = await shop.sign(path);
    const { signature } = payloadIn(header).payload;
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const v = signature.endsWith('1b') ? '1c' : '1b';
    const mirrored = `${signature.slice(0, 66)}${s}${v}`;
    const forged = [
      mirrored,
      `${signature.slice(0, 130)}02`,
      `${signature.slice(0, 130)}1d`,
      `${signature}00`,
      `${signature.slice(0, 130)}${v}`,
    ];
    for (const each of forged) {
      const altered = encodePayment({
        ...payloadIn(header),
        payload: { ...payloadIn(header).payload, signature: each },
      });
      assertRefused(await shop.pay(path, altered), 402, 'payment_invalid', wrongSignature);
    }
    assertPaid(await shop.pay(path, header));
  });

  it('is taken with v as 27, 28, 0 and 1', async () => {
    const seen = new Set<string>();
    for (let tries = 0; seen.size < 4 && tries < 60; tries++) {
      const header = await shop.sign(path, { nonce: `0x${randomBytes(32).toString('hex')}` });
      const payload = payloadIn(header);
      const v = payload.payload.signature.slice(130);
      const spelling = tries % 2 === 0 ? v : v === '1b' ? '00' : '01';
      if (seen.has(spelling)) continue;
      seen.add(spelling);
      const signature = `${payload.payload.signature.slice(0, 130)}${spelling}`;
      assertPaid(await shop.pay(path, encodePayment({ ...payload, payload: { ...payload.payload, signature } })));
    }
    assert.deepEqual([...seen].sort(), ['00', '01', '1b', '1c']);
  });
});

/** Sends what fetch would not: the status, or undefined when the connection was closed without one. */
function sendRaw(url: string, headers: Record<string, string | string[]>): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request(url, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', () => resolve(undefined));
    sent.end();
  });
}
